import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { holdFile, openFolder, type SafeFolder } from '../../../src/kernel/files/index.ts';
import { openFolderWith } from '../../../src/kernel/files/safe-folder.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testUnless, withoutProc } from '../../support/needs.ts';

const folder = tempFolder();
const at = (...names: string[]): string => folder.at('root', ...names);
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const coded = (code: string, part = '') => expect.objectContaining({ code, message: expect.stringContaining(part) });

beforeEach(() => {
  mkdirSync(at('a', 'b'), { recursive: true });
  mkdirSync(folder.at('outside'));
  writeFileSync(folder.at('outside', 'f'), 'secret');
  writeFileSync(at('a', 'b', 'f'), 'inside');
});

/** Both ways of the same promise: through descriptors, and by comparing the folder before and after. */
const WAYS = withoutProc === undefined ? [true, false] : [false];

async function opened(anchored: boolean, path = at()): Promise<SafeFolder> {
  const safe = await openFolderWith(path, { anchored });
  onTestFinished(() => safe.close());
  return safe;
}

describe.each(WAYS)('a folder without links below it (anchored: %s)', (anchored) => {
  test('reads, by a relative path or an absolute one below it', async () => {
    const safe = await opened(anchored);
    for (const path of ['a/b/f', './a//b/../b/f', at('a', 'b', 'f')]) expect(text(await safe.read(path))).toBe('inside');
    await expect(safe.read('a/none')).rejects.toThrow(coded('not-found', at('a', 'none')));
    await expect(safe.read('a/b')).rejects.toThrow(coded('not-a-file'));
    await expect(safe.read('a/b/f/x')).rejects.toThrow(coded('not-a-directory'));
  });

  test('reads up to the bound and refuses one byte more', async () => {
    const safe = await opened(anchored);
    expect((await safe.read('a/b/f', { maxBytes: 6 })).length).toBe(6);
    await expect(safe.read('a/b/f', { maxBytes: 5 })).rejects.toThrow(coded('file-too-large'));
    writeFileSync(at('big'), 'x'.repeat(300_000));
    expect((await safe.read('big')).length).toBe(300_000);
    writeFileSync(at('empty'), '');
    expect((await safe.read('empty')).length).toBe(0);
  });

  test('replaces, and makes anew what was not there, for its owner alone', async () => {
    const safe = await opened(anchored);
    await safe.replace('a/b/f', 'newer');
    await safe.writeNew('a/new', new Uint8Array([0, 255]), { mode: 0o640 });
    expect(readFileSync(at('a', 'b', 'f'), 'utf8')).toBe('newer');
    expect([...readFileSync(at('a', 'new'))]).toEqual([0, 255]);
    expect([modeOf(at('a', 'b', 'f')), modeOf(at('a', 'new'))]).toEqual([0o600, 0o640 & ~process.umask()]);
    await expect(safe.writeNew('a/new', 'x')).rejects.toThrow(coded('already-exists', at('a', 'new')));
    expect(readdirSync(at('a')).sort()).toEqual(['b', 'new']);
  });

  test('renames files and folders, over a file that is there', async () => {
    const safe = await opened(anchored);
    writeFileSync(at('other'), 'old');
    await safe.rename('a/b/f', 'other');
    expect(readFileSync(at('other'), 'utf8')).toBe('inside');
    await safe.rename('a/b', 'moved');
    expect(readdirSync(at()).sort()).toEqual(['a', 'moved', 'other']);
    await expect(safe.rename('none', 'x')).rejects.toThrow(coded('not-found', at('none')));
  });

  test('makes folders, and leaves those that are there', async () => {
    const safe = await opened(anchored);
    chmodSync(at('a'), 0o755);
    await safe.ensureFolder('a/x/y');
    await safe.ensureFolder('a/x/y');
    await safe.ensureFolder('.');
    expect([modeOf(at('a')), modeOf(at('a', 'x')), modeOf(at('a', 'x', 'y'))]).toEqual([0o755, 0o700, 0o700]);
    await expect(safe.ensureFolder('a/b/f/z')).rejects.toThrow(coded('not-a-directory'));
  });

  test('lists what is there by kind, sorted by bytes', async () => {
    symlinkSync('nowhere', at('z-link'));
    execFileSync('mkfifo', [at('pipe')]);
    writeFileSync(at('\u{feff}é\n'), '');
    const entries = await (await opened(anchored)).list();
    expect(entries.map(({ kind, name }) => [kind, name])).toEqual([
      ['folder', 'a'],
      ['other', 'pipe'],
      ['link', 'z-link'],
      ['file', '\u{feff}é\n'],
    ]);
    expect(await (await opened(anchored)).list('a/b')).toEqual([{ kind: 'file', name: 'f', bytes: Buffer.from('f') }]);
  });

  test('removes files, links themselves and empty folders', async () => {
    const safe = await opened(anchored);
    symlinkSync('../outside/f', at('link'));
    expect([await safe.remove('a/b/f'), await safe.remove('a/b'), await safe.remove('link')]).toEqual(['removed', 'removed', 'removed']);
    expect(await safe.remove('a/b')).toBe('missing');
    expect([readdirSync(at()), readdirSync(folder.at('outside'))]).toEqual([['a'], ['f']]);
    mkdirSync(at('full', 'x'), { recursive: true });
    await expect(safe.remove('full')).rejects.toThrow(coded('system-error', 'ENOTEMPTY'));
  });

  test('looks at a link itself, and at nothing', async () => {
    const safe = await opened(anchored);
    symlinkSync('../outside/f', at('link'));
    expect((await safe.look('link'))?.isSymbolicLink()).toBe(true);
    expect((await safe.look('a/b/f'))?.size).toBe(6n);
    expect(await safe.look('a/none')).toBeUndefined();
  });

  test('opens to append, to read in parts and to write in place', async () => {
    const safe = await opened(anchored);
    for (const line of ['one\n', 'two\n']) {
      const log = await safe.open('a/log', 'append');
      await log.write(line);
      await log.sync();
      log.close();
      log.close();
    }
    expect([readFileSync(at('a', 'log'), 'utf8'), modeOf(at('a', 'log'))]).toEqual(['one\ntwo\n', 0o600]);
    const file = await safe.open('a/log', 'update');
    await file.write('ONE', { offset: 0 });
    expect(text(await file.read({ offset: 2, length: 4 }))).toBe('E\ntw');
    expect(text(await file.read({ offset: 6, length: 100 }))).toBe('o\n');
    expect((await file.stats()).size).toBe(8n);
    file.close();
    await expect(safe.open('a/none', 'update')).rejects.toThrow(coded('not-found'));
    const readable = await safe.open('a/log', 'read');
    await expect(readable.write('x')).rejects.toThrow(coded('system-error', `cannot write ${at('a', 'log')}`));
    readable.close();
  });

  test('appends from many at once, also where each would make the file', async () => {
    const safe = await opened(anchored);
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      const file = await safe.open('log', 'append');
      await file.write(`${writer}\n`);
      file.close();
    });
    await Promise.all(writers);
    expect(readFileSync(at('log'), 'utf8').split('\n').sort()).toHaveLength(21);
  });

  test('gives a folder below as one of its own', async () => {
    const safe = await opened(anchored);
    const below = await safe.folder('a/b');
    expect([below.path, text(await below.read('f'))]).toEqual([at('a', 'b'), 'inside']);
    await expect(below.read('../x')).rejects.toThrow(coded('path-outside'));
    await below.close();
    await expect(below.read('f')).rejects.toThrow(coded('folder-closed', at('a', 'b')));
    expect(text(await safe.read('a/b/f'))).toBe('inside');
  });

  test('lets what runs end before it closes', async () => {
    const safe = await openFolderWith(at(), { anchored });
    const writing = safe.replace('a/b/f', 'late');
    await Promise.all([safe.close(), safe.close()]);
    await writing;
    expect(readFileSync(at('a', 'b', 'f'), 'utf8')).toBe('late');
  });
});

describe.each(WAYS)('a link below the folder (anchored: %s)', (anchored) => {
  test('is refused wherever it stands, named, and nothing happens behind it', async () => {
    const safe = await opened(anchored);
    symlinkSync('../outside', at('out'));
    symlinkSync('a', at('in'));
    const uses: (() => Promise<unknown>)[] = [
      () => safe.read('out/f'),
      () => safe.open('out/g', 'append'),
      () => safe.open('out/f', 'update'),
      () => safe.writeNew('out/g', 'x'),
      () => safe.replace('out/f', 'x'),
      () => safe.rename('a/b/f', 'out/f'),
      () => safe.rename('out/f', 'a/stolen'),
      () => safe.ensureFolder('out/d'),
      () => safe.ensureFolder('out'),
      () => safe.list('out'),
      () => safe.look('out/f'),
      () => safe.remove('out/f'),
      () => safe.folder('out'),
    ];
    for (const use of uses) await expect(use()).rejects.toThrow(coded('symlink-refused', at('out')));
    await expect(safe.read('in/b/f')).rejects.toThrow(coded('symlink-refused', at('in')));
    expect([readdirSync(folder.at('outside')), readFileSync(folder.at('outside', 'f'), 'utf8')]).toEqual([['f'], 'secret']);
    expect(readdirSync(at('a'))).toEqual(['b']);
  });

  test('at the end of a path is opened by nobody, and replaced itself', async () => {
    const safe = await opened(anchored);
    symlinkSync('../outside/f', at('link'));
    symlinkSync('../outside/unborn', at('dangling'));
    for (const use of ['read', 'append', 'update'] as const) {
      await expect(safe.open('link', use)).rejects.toThrow(coded('symlink-refused', at('link')));
      await expect(safe.open('dangling', use)).rejects.toThrow(coded('symlink-refused', at('dangling')));
    }
    await expect(safe.writeNew('dangling', 'x')).rejects.toThrow(coded('already-exists'));
    await safe.replace('link', 'mine');
    expect(lstatSync(at('link')).isFile()).toBe(true);
    expect([readdirSync(folder.at('outside')), readFileSync(folder.at('outside', 'f'), 'utf8')]).toEqual([['f'], 'secret']);
  });

  test('is followed on the way to the folder, which is trusted', async () => {
    symlinkSync('root', folder.at('way'));
    expect(text(await (await opened(anchored, folder.at('way'))).read('a/b/f'))).toBe('inside');
  });
});

describe.each(WAYS)('what is no file of ours (anchored: %s)', (anchored) => {
  test.each([['..'], ['../outside/f'], ['/etc/passwd'], ['a/../../outside/f'], ['a\0b'], ['.'], ['']])('%j leads outside, or to nothing', async (path) => {
    const safe = await opened(anchored);
    await expect(safe.read(path)).rejects.toThrow(coded('path-outside', JSON.stringify(path)));
    await expect(safe.replace(path, 'x')).rejects.toThrow(coded('path-outside'));
  });

  test.each(['\ud800', 'a/\udc00/b', 'x\ud83d'])('%j would be stored under another name', async (path) => {
    const safe = await opened(anchored);
    await expect(safe.writeNew(path, 'x')).rejects.toThrow(coded('undecodable-name'));
    expect(readdirSync(at())).toEqual(['a']);
  });

  test('a pipe or a device is not waited for', async () => {
    const safe = await opened(anchored);
    execFileSync('mkfifo', [at('pipe')]);
    for (const use of ['read', 'append', 'update'] as const) await expect(safe.open('pipe', use)).rejects.toThrow(coded('not-a-regular-file', at('pipe')));
  });

  test('a held file is neither opened, replaced, moved nor removed', async () => {
    const safe = await opened(anchored);
    linkSync(at('a', 'b', 'f'), at('other-name'));
    const hold = holdFile(at('a', 'b', 'f'));
    const uses: (() => Promise<unknown>)[] = [
      () => safe.read('a/b/f'),
      () => safe.open('other-name', 'append'),
      () => safe.replace('a/b/f', 'x'),
      () => safe.rename('a/b/f', 'x'),
      () => safe.rename('other-name', 'a/b/f'),
      () => safe.remove('a/b/f'),
    ];
    for (const use of uses) await expect(use()).rejects.toThrow(coded('file-held'));
    hold?.release();
    expect(text(await safe.read('a/b/f'))).toBe('inside');
  });

  test('a name that is not UTF-8 is shown, not mangled', async () => {
    const bytes = Buffer.from([0x66, 0xff, 0x0a]);
    writeFileSync(Buffer.concat([Buffer.from(`${at()}/`), bytes]), 'x');
    const entries = await (await opened(anchored)).list();
    expect(entries).toEqual([
      { kind: 'folder', name: 'a', bytes: Buffer.from('a') },
      { kind: 'file', name: undefined, bytes },
    ]);
  });
});

describe.each(WAYS)('hostile names (anchored: %s)', (anchored) => {
  test.each(['line\nbreak', '-rf', '[x]*?', '~', '$HOME', ' ', '...', 'CR\r', '\u{202e}x', '\\', 'n'.repeat(255), '.git', ':(top)'])('%j is a name like any other', async (name) => {
    const safe = await opened(anchored);
    await safe.ensureFolder(`d/${name}`);
    await safe.writeNew(`d/${name}/${name}`, 'x');
    await safe.replace(`d/${name}/${name}`, 'y');
    expect((await safe.list(`d/${name}`)).map((entry) => entry.name)).toEqual([name]);
    expect(readFileSync(join(at('d'), name, name), 'utf8')).toBe('y');
    await safe.remove(`d/${name}/${name}`);
  });

  test('a longer one is refused by the system', async () => {
    await expect((await opened(anchored)).writeNew('n'.repeat(256), 'x')).rejects.toThrow(coded('name-too-long'));
  });
});

describe('a folder that is moved while it is open', () => {
  testUnless(withoutProc, 'keeps being the one that was opened', async () => {
    const safe = await opened(true);
    renameSync(at(), folder.at('elsewhere'));
    symlinkSync('outside', at());
    await safe.replace('f', 'mine');
    expect(readFileSync(folder.at('elsewhere', 'f'), 'utf8')).toBe('mine');
    expect(readFileSync(folder.at('outside', 'f'), 'utf8')).toBe('secret');
  });

  test('is noticed where there is no way through its descriptor', async () => {
    const safe = await opened(false);
    renameSync(at(), folder.at('elsewhere'));
    symlinkSync('outside', at());
    const uses = [() => safe.replace('f', 'mine'), () => safe.read('f'), () => safe.list(), () => safe.ensureFolder('d'), () => safe.open('log', 'append')];
    for (const use of uses) await expect(use()).rejects.toThrow(coded('path-moved', at()));
    expect([readdirSync(folder.at('outside')), readFileSync(folder.at('outside', 'f'), 'utf8')]).toEqual([['f'], 'secret']);
  });
});

test('a folder that is none, or not there, or shut, is named', async () => {
  await expect(openFolder(at('a', 'b', 'f'))).rejects.toThrow(coded('not-a-directory', at('a', 'b', 'f')));
  await expect(openFolder(at('none'))).rejects.toThrow(coded('not-found', at('none')));
  chmodSync(at('a', 'b'), 0o000);
  chmodSync(folder.path, 0o755);
  await asOrdinaryUser(() => expect(openFolder(at('a', 'b'))).rejects.toThrow(coded('permission-denied', at('a', 'b'))));
});

testUnless(withoutProc, 'nothing stays open', async () => {
  const before = readdirSync('/proc/self/fd').length;
  const safe = await openFolder(at());
  symlinkSync('../outside', at('out'));
  await safe.read('a/b/f');
  await safe.replace('a/b/f', 'x');
  await safe.ensureFolder('a/b/c/d');
  await safe.rename('a/b/f', 'a/b/c/d/f');
  await expect(safe.list('out')).rejects.toThrow();
  await expect(safe.read('a/b/none')).rejects.toThrow();
  await safe.close();
  expect(readdirSync('/proc/self/fd').length).toBe(before);
});
