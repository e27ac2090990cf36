import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../../support/ordinary-user.ts';
import { smallDisk, whyNoSmallDisk } from '../../../support/small-disk.ts';
import { testUnless } from '../../../support/needs.ts';
import { temporaryFolder } from '../../../support/temp.ts';
import { findKept, keepProject, type Candidate, type Keeping, type KeptProject, type ProjectSource } from '../../../../src/bach/store/index.ts';
import { readEntry } from '../../../../src/bach/store/kept/entry.ts';
import { read } from '../../model/reading.ts';
import { changeEntry, keepingProject, makeFolder } from './projects.ts';

const BYTES = new TextEncoder().encode('project "p" {}\nshell "x" { description = "über" }\n');

interface Setting {
  readonly source: ProjectSource;
  readonly keeping: Keeping;
  readonly path: string;
  find(): Candidate | undefined;
}

/** One small project that is kept in a folder. */
function kept(): Setting {
  const root = temporaryFolder();
  const { decoded, reads } = read(BYTES);
  if (decoded === undefined) throw new Error('nothing was decoded');
  const source: ProjectSource = { file: 'Bachfile', canonical: join(root, 'Bachfile'), bytes: BYTES, cwd: root, overrides: [], profiles: [], environment: {} };
  const keeping: Keeping = { kept: { decoded, linked: false, diagnostics: [] }, reads, imported: new Map(), statePath: '.bach/state.db', root };
  keepProject(source, keeping, { extra: [], except: [] });
  const path = join(root, '.bach/cache', readdirSync(join(root, '.bach/cache'))[0] ?? 'none');
  return { source, keeping, path, find: () => findKept(source) };
}

describe('an entry that is not whole is none', () => {
  test('cut at any byte', () => {
    const { path, find, keeping } = kept();
    const bytes = readFileSync(path);
    expect(readEntry(bytes)?.open()).toStrictEqual(keeping.kept);
    for (let length = 0; length < bytes.length; length++) expect(readEntry(bytes.subarray(0, length))).toBeUndefined();
    for (const length of [0, 1, 90, bytes.length - 1]) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(find()).toBeUndefined();
    }
    writeFileSync(path, bytes);
    expect(find()?.open()).toStrictEqual(keeping.kept);
  });

  test('with any byte changed', () => {
    const { path, find } = kept();
    const bytes = readFileSync(path);
    const place = fc.nat({ max: bytes.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Uint8Array.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        writeFileSync(path, changed);
        expect(find()).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test('other bytes in its place', () => {
    const { path, find } = kept();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        writeFileSync(path, bytes);
        expect(find()).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  test.each([
    ['no document', () => 'x\ny\n'],
    ['a document of another form', () => '{}\n{}\n'],
    ['null', () => 'null\nnull\n'],
    ['a fact that is none', (rest: string) => rest.replace('"facts":[]', '"facts":[["x",1]]')],
    ['an environment that is none', (rest: string) => rest.replace('"environment":[]', '"environment":7')],
  ])('whole, but with %s in it', (_what, change) => {
    const { path, find } = kept();
    changeEntry(path, change);
    expect(find()).toBeUndefined();
  });

  test('whole, but with a project of another form: it cannot be opened', () => {
    const { path, find } = kept();
    changeEntry(path, (rest) => `${rest.split('\n')[0] ?? ''}\n{"length":1,"groups":[{"count":1,"column":{"kind":"map"}}]}\n`);
    expect(find()?.open()).toBeUndefined();
  });

  test('and the next run puts a whole one there', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    writeFileSync(project.entryPath(), 'garbage');
    expect((await project.run()).source).toBe('files');
    project.mark();
    expect((await project.run()).source).toBe('kept');
  });
});

describe('whose entry it is', () => {
  test('only this user may read it, and one that others may read is replaced', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    expect(statSync(project.entryPath()).mode & 0o777).toBe(0o600);
    expect(statSync(join(project.folder, '.bach/cache')).mode & 0o777).toBe(0o700);
    project.mark();
    chmodSync(project.entryPath(), 0o644);
    expect((await project.run()).source).toBe('files');
    expect(statSync(project.entryPath()).mode & 0o777).toBe(0o600);
  });

  test('a link in place of the folder is neither read nor written through', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    project.mark();
    const elsewhere = temporaryFolder();
    const cache = join(project.folder, '.bach/cache');
    writeFileSync(join(elsewhere, project.entries()[0] ?? ''), readFileSync(project.entryPath()), { mode: 0o600 });
    rmSync(cache, { recursive: true });
    symlinkSync(elsewhere, cache);
    const before = readdirSync(elsewhere);
    expect((await project.run()).source).toBe('files');
    expect(readdirSync(elsewhere)).toEqual(before);
  });

  test('a link in place of the entry is replaced, not followed', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    project.mark();
    const path = project.entryPath();
    const elsewhere = join(temporaryFolder(), 'entry');
    writeFileSync(elsewhere, readFileSync(path), { mode: 0o600 });
    rmSync(path);
    symlinkSync(elsewhere, path);
    expect((await project.run()).source).toBe('files');
    expect(readFileSync(elsewhere, 'utf8')).toContain('from the cache');
    expect(statSync(path).ino).not.toBe(statSync(elsewhere).ino);
  });
});

describe('what is secret is not kept', () => {
  test.each([
    ['in the environment, and looked at', 'var "v" { default = API_TOKEN }\nshell "seen" { description = var.v }', { API_TOKEN: 'k3Jf9sLq0ZxPw7Tb' }],
    ['in the environment, and only compared', 'var "v" { default = API_TOKEN == "x" ? "a" : "b" }\nshell "seen" { description = var.v }', { API_TOKEN: 'k3Jf9sLq0ZxPw7Tb' }],
    ['in the Bachfile', 'env {\n  DB_PASSWORD = "k3Jf9sLq0ZxPw7Tb"\n}\nshell "seen" {}', {}],
  ])('%s', async (_where, text, env: Readonly<Record<string, string>>) => {
    const project = keepingProject(text);
    await project.run({ env });
    expect(project.entries()).toEqual([]);
  });

  test('other values of the environment stand in the key as digests', async () => {
    const project = keepingProject('var "v" { default = MODE == "strict-mode" ? "a" : "b" }\nshell "seen" { description = var.v }');
    await project.run({ env: { MODE: 'strict-mode' } });
    expect(readFileSync(project.entryPath(), 'utf8')).toMatch(/"MODE","[0-9a-f]{64}"/);
    expect(readFileSync(project.entryPath(), 'utf8')).not.toContain('strict-mode');
  });
});

describe('the folder', () => {
  test('has at most eight entries, the newest, and what killed writers left goes', async () => {
    const project = keepingProject('var "v" { default = "" }\nshell "seen" { description = var.v }');
    const cache = join(project.folder, '.bach/cache');
    const hour = (count: number) => new Date(Date.UTC(2026, 0, 1, count));
    for (let count = 0; count < 10; count++) {
      const known = new Set(project.entries());
      await project.run({ vars: [{ name: 'v', value: `${count}` }] });
      for (const name of project.entries()) if (!known.has(name)) utimesSync(join(cache, name), hour(count), hour(count));
    }
    const [old, young] = ['a', 'b'].map((letter) => join(cache, `project-${'0'.repeat(32)}.${letter.repeat(16)}.tmp`));
    for (const path of [old, young, join(cache, 'other')]) writeFileSync(path ?? '', '');
    utimesSync(old ?? '', hour(0), hour(0));
    await project.run({ vars: [{ name: 'v', value: 'last' }] });
    expect(project.entries().filter((name) => /^project-[0-9a-f]{32}$/.test(name))).toHaveLength(8);
    expect([old, young, join(cache, 'other')].map((path) => existsSync(path ?? ''))).toEqual([false, true, true]);
    project.mark();
    expect((await project.look({ vars: [{ name: 'v', value: '1' }] })).seen).toBe('1');
  });

  test('that takes nothing is no fault', async () => {
    const project = keepingProject('shell "seen" { description = "x" }');
    chmodSync(project.folder, 0o555);
    expect((await asOrdinaryUser(() => project.run())).seen).toBe('x');
    expect(existsSync(join(project.folder, '.bach'))).toBe(false);
    chmodSync(project.folder, 0o755);
    writeFileSync(join(makeFolder(join(project.folder, '.bach')), 'cache'), 'a file');
    expect((await project.run()).seen).toBe('x');
  });

  test('a folder in place of the entry stays, and no temporary file', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    const path = project.entryPath();
    rmSync(path);
    mkdirSync(path);
    expect((await project.run()).source).toBe('files');
    expect(project.entries()).toHaveLength(1);
  });

  testUnless(whyNoSmallDisk(), 'on a full disk holds no part of an entry', () => {
    const { source, keeping } = kept();
    const disk = smallDisk(1);
    makeFolder(join(disk.folder, '.bach/cache'));
    chmodSync(join(disk.folder, '.bach/cache'), 0o700);
    disk.fill();
    keepProject(source, { ...keeping, root: disk.folder }, { extra: [], except: [] });
    expect(readdirSync(join(disk.folder, '.bach/cache'))).toEqual([]);
    disk.free();
    keepProject(source, { ...keeping, root: disk.folder }, { extra: [], except: [] });
    expect(readdirSync(join(disk.folder, '.bach/cache'))).toHaveLength(1);
  });

  test('takes no project that has no stored form', () => {
    const { source, keeping, path } = kept();
    rmSync(path);
    const odd = { ...keeping.kept, odd: new Date(0) } as KeptProject;
    keepProject(source, { ...keeping, kept: odd }, { extra: [], except: [] });
    expect(existsSync(path)).toBe(false);
  });
});
