import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/kernel/sql/index.ts';
import type { HashedFile } from '../../../../src/kernel/files/index.ts';
import { InputReader } from '../../../../src/bach/store/index.ts';
import { asOrdinaryUser } from '../../../support/ordinary-user.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';
import { EARLIER, hashedFile, hashesOf, LATER, pathsOf, readerOf, requestOf } from './input-support.ts';

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

function project(...paths: readonly string[]): string {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(paths.map((path) => [path, `text of ${path}`])));
  return root;
}

function stampOf(path: string): HashedFile['stamp'] {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return { dev, ino, size, mtimeNs, ctimeNs };
}

describe('which files a set of inputs is', () => {
  const TREE = ['a.ts', 'src/b.ts', 'src/c.js', 'src/deep/er/d.ts', 'src/deep/e.ts', 'src-x/f.ts', '.hidden/g.ts', 'lib/h.ts'];

  test.each([
    ['a file', ['a.ts'], ['a.ts']],
    ['a folder with all beneath', ['src'], ['src/b.ts', 'src/c.js', 'src/deep/e.ts', 'src/deep/er/d.ts']],
    ['a folder as users write it', ['./src/deep/'], ['src/deep/e.ts', 'src/deep/er/d.ts']],
    ['the root', ['.'], [...TREE].sort()],
    ['a pattern within one folder', ['src/*.ts'], ['src/b.ts']],
    ['a pattern that crosses folders', ['src/**/*.ts'], ['src/b.ts', 'src/deep/e.ts', 'src/deep/er/d.ts']],
    ['one that matches a folder', ['src/d*'], ['src/deep/e.ts', 'src/deep/er/d.ts']],
    ['one for folders', ['s*/*.ts'], ['src-x/f.ts', 'src/b.ts']],
    ['one that ends in two stars', ['src/deep/**'], ['src/deep/e.ts', 'src/deep/er/d.ts']],
    ['two stars alone', ['**'], [...TREE].sort()],
    ['two stars twice', ['**/deep/**/*.ts'], ['src/deep/e.ts', 'src/deep/er/d.ts']],
    ['what is hidden', ['*/g.ts'], ['.hidden/g.ts']],
    ['each file once, sorted', ['src/b.ts', 'a.ts', 'src/*.ts', 'src'], ['a.ts', 'src/b.ts', 'src/c.js', 'src/deep/e.ts', 'src/deep/er/d.ts']],
    ['nothing of what is missing', ['no.ts', 'no/where', 'src/*.go', 'a.ts/x'], []],
    ['nothing of no patterns', [], []],
  ])('%s', async (_, patterns, expected) => {
    expect(await pathsOf(readerOf(project(...TREE)), patterns)).toEqual(expected);
  });

  test('an absolute path below the root is one from the root', async () => {
    const root = project('src/a.ts');
    expect(await pathsOf(readerOf(root), [join(root, 'src'), `${root}/s*/a.ts`])).toEqual(['src/a.ts']);
  });

  test.each(['../x', '/etc', 'src/../../x', '../*'])('%s leaves the root, which is refused', async (path) => {
    await expect(pathsOf(readerOf(project('a')), ['a', path])).rejects.toMatchObject({ code: 'input-outside-root' });
  });

  test('a malformed pattern is refused by its name', async () => {
    await expect(pathsOf(readerOf(project('a')), ['src/[a'])).rejects.toThrow('input "src/[a" is a malformed pattern: it has a [ that is not closed');
  });

  test('a file whose name looks like a pattern is found by its escaped name', async () => {
    const reader = readerOf(project('app/[id]/page.ts', 'app/i/page.ts'));
    expect(await pathsOf(reader, ['app/[id]/page.ts'])).toEqual(['app/i/page.ts']);
    expect(await pathsOf(reader, ['app/\\[id\\]/page.ts'])).toEqual(['app/[id]/page.ts']);
  });

  test.each(['.git', '.jj', '.bach', '.bmad-loop', '.bacchus', 'src/.git', '.ratchet/batches/b/run', '.ratchet/changes/c/.run'])(
    'the walk never enters %s, not by name either',
    async (state) => {
      const reader = readerOf(project(`${state}/x`, 'src/a', '.ratchet/batches/b/batch.yaml', '.github/w.yml', '.gitignore'));
      const rest = ['.github/w.yml', '.gitignore', '.ratchet/batches/b/batch.yaml', 'src/a'];
      for (const pattern of ['.', '**', '**/*']) expect(await pathsOf(reader, [pattern])).toEqual(rest);
      expect(await pathsOf(reader, [state, `${state}/x`, `${state}/*`])).toEqual([]);
    },
  );

  test('a state database elsewhere is state with all that lies beside it', async () => {
    const root = project('data/my.db', 'data/my.db-wal', 'data/my.db.migrate.lock', 'data/runs/r1/x.log', 'data/my.dbase', 'data/runs.txt');
    const reader = new InputReader({ root, statePath: 'data/my.db', clock: LATER }, new Map());
    expect(await pathsOf(reader, ['.'])).toEqual(['data/my.dbase', 'data/runs.txt']);
  });
});

describe('what the target itself makes', () => {
  const TREE = ['src/a.ts', 'src/gen.ts', 'dist/x/y.js', 'dist/z.js', 'dist-2/q', 'README'];

  test.each([
    ['a file', ['src'], ['src/gen.ts'], ['src/a.ts']],
    ['a file that is named outright', ['src/gen.ts', 'src/a.ts'], ['src/gen.ts'], ['src/a.ts']],
    ['a folder', ['.'], ['./dist/'], ['README', 'dist-2/q', 'src/a.ts', 'src/gen.ts']],
    ['nothing that is no input', ['src'], ['dist', 'src/other'], ['src/a.ts', 'src/gen.ts']],
    ['not the files of a folder that the input is, too', ['src'], ['src'], ['src/a.ts', 'src/gen.ts']],
    ['not those of a pattern that starts there', ['src/*.ts'], ['src'], ['src/a.ts', 'src/gen.ts']],
    ['not the whole project for a target that makes it', ['src', '*.md'], ['.'], ['src/a.ts', 'src/gen.ts']],
    ['by each pattern apart', ['.', 'dist/x/y.js'], ['dist'], ['README', 'dist-2/q', 'dist/x/y.js', 'src/a.ts', 'src/gen.ts']],
    ['nothing outside', ['src'], ['../dist', '/tmp'], ['src/a.ts', 'src/gen.ts']],
  ])('is left out: %s', async (_, patterns, except, expected) => {
    expect(await pathsOf(readerOf(project(...TREE)), patterns, except)).toEqual(expected);
  });

  test('it is not even read', async () => {
    const reader = readerOf(project(...TREE));
    await pathsOf(reader, ['.'], ['dist', 'dist-2']);
    expect([...reader.changes().put.keys()].sort()).toEqual(['README', 'src/a.ts', 'src/gen.ts']);
  });
});

describe('links', () => {
  test('a link to a file is read, and to another one when it is turned', async () => {
    const root = project('real/a', 'real/b');
    symlinkSync('real/a', join(root, 'l'));
    expect(await hashesOf(readerOf(root), 'l')).toEqual({ l: sha256('text of real/a') });
    rmSync(join(root, 'l'));
    symlinkSync('real/b', join(root, 'l'));
    expect(await hashesOf(readerOf(root), 'l')).toEqual({ l: sha256('text of real/b') });
  });

  test('a link to a folder is followed by its name, and is only a link where a walk meets it', async () => {
    const root = project('real/a', 'src/b');
    symlinkSync('../real', join(root, 'src/l'));
    const reader = readerOf(root);
    expect(await pathsOf(reader, ['src/l'])).toEqual(['src/l/a']);
    expect(await pathsOf(reader, ['src/*'])).toEqual(['src/b', 'src/l/a']);
    expect(await pathsOf(reader, ['src/l/*'])).toEqual(['src/l/a']);
    expect(await hashesOf(reader, 'src')).toEqual({ 'src/b': sha256('text of src/b'), 'src/l': sha256('../real') });
    expect(await pathsOf(reader, ['src/**'])).toEqual(['src/b', 'src/l']);
  });

  test('loops end', async () => {
    const root = project('src/a');
    symlinkSync('..', join(root, 'src/up'));
    symlinkSync('.', join(root, 'src/self'));
    symlinkSync('two', join(root, 'src/one'));
    symlinkSync('one', join(root, 'src/two'));
    expect(await pathsOf(readerOf(root), ['.', 'src/up/src/up/src/a', 'src/**/a'])).toEqual(['src/a', 'src/one', 'src/self', 'src/two', 'src/up', 'src/up/src/up/src/a']);
  });

  test('one that leads out counts by where it leads, and nothing behind it is read', async () => {
    const outside = project('secret', 'folder/x');
    const root = project('a');
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('nowhere', join(root, 'dangling'));
    const reader = readerOf(root);
    expect(await hashesOf(reader, '.')).toEqual({
      a: sha256('text of a'),
      dangling: sha256('nowhere'),
      file: sha256(join(outside, 'secret')),
      out: sha256(outside),
    });
    expect(await pathsOf(reader, ['out/folder', 'out/secret', 'out/*'])).toEqual([]);
    expect(reader.told).toEqual(['input "out/folder" is passed over: the link "out" leads out of the project, or nowhere', 'input "out/secret" is passed over: the link "out" leads out of the project, or nowhere']);
  });

  test('none leads into state', async () => {
    const root = project('.git/config', '.ratchet/batches/b/run/j', '.bach/state.db');
    symlinkSync('.git', join(root, 'g'));
    symlinkSync('.bach/state.db', join(root, 'db'));
    symlinkSync('.ratchet/batches', join(root, 'batches'));
    expect(await pathsOf(readerOf(root), ['g/config', 'batches', 'batches/b/run/j'])).toEqual([]);
    expect(await hashesOf(readerOf(root), 'g', 'db')).toEqual({ db: sha256('.bach/state.db'), g: sha256('.git') });
  });

  test('a root that is a link itself is the folder it leads to', async () => {
    const root = project('real/src/a');
    symlinkSync('real', join(root, 'l'));
    symlinkSync('src/a', join(root, 'real/f'));
    expect(await pathsOf(readerOf(join(root, 'l')), ['.'])).toEqual(['f', 'src/a']);
  });
});

describe('what cannot be read', () => {
  test('a folder and a file that nobody may read are passed over and told once', async () => {
    const root = project('open/a', 'shut/b', 'file');
    chmodSync(root, 0o755);
    chmodSync(join(root, 'shut'), 0);
    chmodSync(join(root, 'file'), 0);
    const reader = readerOf(root);
    const paths = await asOrdinaryUser(async () => [await pathsOf(reader, ['.']), await pathsOf(reader, ['**', 'shut/b'])]);
    expect(paths).toEqual([['open/a'], ['open/a']]);
    expect(reader.told.toSorted()).toEqual([
      'input "file" is passed over: it may not be read',
      'input "shut" is passed over: it may not be read',
      'input "shut/b" is passed over: it may not be read',
    ]);
    chmodSync(join(root, 'shut'), 0o700);
  });

  test.runIf(process.platform === 'linux')('of names that are not UTF-8 no content is known, which is told; the letter U+FFFD is one like others', async () => {
    const root = project('src/a', 'src/\ufffd');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/src/b`), Buffer.from([0xff])]), 'x');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xe9])]));
    const reader = readerOf(root);
    const unknown = { path: String.raw`src/b\xff`, hash: undefined, isUndecodable: true };
    const [all = [], others, below] = await reader.read([['src'], ['src/a', '*'], ['*/a']].map((patterns) => ({ patterns, except: [] })));
    expect(all.map(({ path }) => path)).toEqual(['src/a', unknown.path, 'src/\ufffd']);
    expect(all[1]).toEqual(unknown);
    expect(others?.map(({ path, hash }) => [path, hash === undefined])).toEqual([[String.raw`d\xe9`, true], ['src/a', false], [unknown.path, true], ['src/\ufffd', false]]);
    expect(below?.map(({ path }) => path)).toEqual([String.raw`d\xe9/a`, 'src/a']);
    expect(reader.told[0]).toBe(String.raw`input "src/b\\xff" has a name that is not UTF-8: its content is not seen`);
    expect(await readerOf(root).read([{ patterns: ['src/a'], except: [] }])).toHaveLength(1);
  });

  test('a database that this process holds is passed over', async () => {
    const root = project('a');
    const options = { clock: LATER, busyTimeoutMs: 100, schema: { table: 'm', migrations: [] } };
    const database = await openDatabase(join(root, 'other.db'), options);
    expect(Object.keys(await hashesOf(readerOf(root), 'a', 'other.db'))).toEqual(['a']);
    database.run('CREATE TABLE t (a)');
    database.close();
  });

  test('an aborted signal ends it with its reason', async () => {
    const root = project(...Array.from({ length: 300 }, (_, index) => `src/f${index}`));
    let now = 0;
    const clock = { ...LATER, mono: () => (now += 1) };
    const reader = new InputReader({ root, statePath: '.bach/state.db', clock }, new Map());
    await expect(reader.read([requestOf('src')], AbortSignal.abort('enough'))).rejects.toBe('enough');
  });
});

describe('hashes', () => {
  test('files of any size, the empty one too', async () => {
    const root = temporaryFolder();
    const texts = { empty: '', small: 'x', border: 'y'.repeat(262_143), block: 'z'.repeat(262_144), large: 'w'.repeat(1_000_001) };
    writeFiles(root, texts);
    const expected = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256(text)]));
    expect(await hashesOf(readerOf(root), '.')).toEqual(expected);
  });

  test('a remembered one serves as long as nothing of the stamp moved', async () => {
    const root = project('a');
    const remembered = new Map([['a', hashedFile({ stamp: stampOf(join(root, 'a')) })]]);
    const reader = readerOf(root, { remembered });
    expect(await hashesOf(reader, 'a')).toEqual({ a: 'remembered' });
    expect(reader.changes()).toEqual({ put: new Map(), drop: [] });
  });

  test.each(['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const)('one with another %s is read again', async (field) => {
    const root = project('a');
    const stamp = stampOf(join(root, 'a'));
    const remembered = new Map([['a', hashedFile({ stamp: { ...stamp, [field]: stamp[field] + 1n } })]]);
    const reader = readerOf(root, { remembered });
    expect(await hashesOf(reader, 'a')).toEqual({ a: sha256('text of a') });
    expect(reader.changes().put.get('a')?.stamp).toEqual(stamp);
  });

  test('one of a file that was young when it was read is read again', async () => {
    const root = project('a');
    const { ctimeNs, ...stamp } = stampOf(join(root, 'a'));
    const remembered = new Map([['a', hashedFile({ stamp: { ...stamp, ctimeNs }, startedNs: ctimeNs + 1_000_000n })]]);
    expect(await hashesOf(readerOf(root, { remembered }), 'a')).toEqual({ a: sha256('text of a') });
  });

  test('what a run read serves the next one, when it was old enough', async () => {
    const root = project('a', 'b');
    const first = readerOf(root);
    await hashesOf(first, '.');
    const second = readerOf(root, { remembered: first.changes().put });
    await hashesOf(second, '.');
    expect([...second.changes().put.keys()]).toEqual([]);
    const young = readerOf(root, { clock: EARLIER });
    await hashesOf(young, '.');
    const third = readerOf(root, { remembered: young.changes().put, clock: EARLIER });
    await hashesOf(third, '.');
    expect([...third.changes().put.keys()]).toEqual(['a', 'b']);
  });

  test('a change that keeps size and mtime is seen by its ctime', async () => {
    const root = project('a');
    const first = readerOf(root);
    await hashesOf(first, 'a');
    const { atime, mtime } = statSync(join(root, 'a'));
    writeFileSync(join(root, 'a'), 'TEXT of a');
    utimesSync(join(root, 'a'), atime, mtime);
    expect(await hashesOf(readerOf(root, { remembered: first.changes().put }), 'a')).toEqual({ a: sha256('TEXT of a') });
  });

  test('one that is written to between the look and the reading gets the stamp of what was read', async () => {
    const root = project('a');
    let left = 1;
    // The time is asked for when the reading begins.
    const clock = { ...LATER, wall: () => (left-- > 0 && writeFileSync(join(root, 'a'), 'TEXT of a'), LATER.wall()) };
    const reader = readerOf(root, { clock });
    expect(await hashesOf(reader, 'a')).toEqual({ a: sha256('TEXT of a') });
    expect(reader.changes().put.get('a')?.stamp).toEqual(stampOf(join(root, 'a')));
  });

  test('a file that keeps changing has none', async () => {
    const root = temporaryFolder();
    writeFiles(root, { a: 'x'.repeat(2_000_000), b: 'still' });
    let isOver = false;
    const change = (): void => {
      if (isOver) return;
      appendFileSync(join(root, 'a'), 'x');
      setImmediate(change);
    };
    change();
    expect(await hashesOf(readerOf(root), '.')).toEqual({ a: undefined, b: sha256('still') });
    isOver = true;
  });
});

describe('one look for a whole run', () => {
  test('what was looked at stays as it was until it is forgotten', async () => {
    const root = project('src/a', 'src/b');
    const reader = readerOf(root);
    expect(await pathsOf(reader, ['src'])).toEqual(['src/a', 'src/b']);
    writeFiles(root, { 'src/a': 'new', 'src/c': 'c' });
    rmSync(join(root, 'src/b'));
    expect(await hashesOf(reader, 'src/a', 'src/*')).toEqual({ 'src/a': sha256('text of src/a'), 'src/b': sha256('text of src/b') });
    reader.forget();
    expect(await hashesOf(reader, 'src')).toEqual({ 'src/a': sha256('new'), 'src/c': sha256('c') });
  });

  test('sets of the same patterns are the same array, also when something else is left out', async () => {
    const reader = readerOf(project('src/a', 'src/b'));
    const [first, second, third, fourth] = await reader.read([requestOf('src'), { patterns: ['src'], except: ['dist'] }, requestOf('src', 'src/a'), requestOf('src', 'src/a')]);
    expect(second).toBe(first);
    expect(fourth).toBe(third);
    expect(third).toEqual(first);
  });

  test('remembered files that are gone are dropped, those that nobody looked for stay', async () => {
    const root = project('src/a', 'lib/b', 'other/c', 'gone/d');
    const first = readerOf(root);
    await hashesOf(first, '.');
    for (const path of ['src/a', 'other/c']) rmSync(join(root, path));
    renameSync(join(root, 'gone'), join(root, 'lib/moved'));
    const second = readerOf(root, { remembered: first.changes().put });
    await hashesOf(second, 'src/*', 'gone/d', 'lib/b');
    expect([...second.changes().drop].sort()).toEqual(['gone/d', 'src/a']);
    const third = readerOf(root, { remembered: first.changes().put });
    await hashesOf(third, '.');
    expect([...third.changes().drop].sort()).toEqual(['gone/d', 'other/c', 'src/a']);
  });

  test('ten thousand sets and a deep tree', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'flat'));
    const names = Array.from({ length: 10_000 }, (_, index) => `flat/f${index}`);
    for (const name of names) writeFileSync(join(root, name), name);
    writeFiles(root, { [`${'d/'.repeat(500)}end`]: 'deep' });
    const reader = readerOf(root);
    const sets = await reader.read([...names.map((name) => requestOf(name)), requestOf('**/end'), requestOf('flat/*')]);
    expect(sets.slice(0, -2).map((files) => files[0]?.path)).toEqual(names);
    expect(sets.at(-2)).toHaveLength(1);
    expect(sets.at(-1)).toHaveLength(10_000);
  }, 20_000);
});
