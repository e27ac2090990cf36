import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OutputReader, type OutputRecord, type SeenOutput } from '../../../../src/bach/store/index.ts';
import { asOrdinaryUser } from '../../../support/ordinary-user.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';
import { EARLIER, LATER } from './input-support.ts';

interface Made {
  readonly root: string;
  readonly reader: OutputReader;
  readonly records: readonly OutputRecord[];
  look(): Promise<readonly SeenOutput[]>;
  states(): Promise<readonly string[]>;
}

async function made(files: Readonly<Record<string, string>>, paths: readonly string[], clock = LATER): Promise<Made> {
  const root = temporaryFolder();
  writeFiles(root, files);
  const reader = new OutputReader({ root, clock });
  const records = await reader.record(paths);
  const look = async () => (await reader.lookAt([{ paths, records }]))[0] ?? [];
  return { root, reader, records, look, states: async () => (await look()).map(({ state }) => state) };
}

/** As some builds do: another file at the same place. */
function rewrite(path: string): void {
  const text = execFileSync('cat', [path]);
  rmSync(path);
  writeFileSync(path, text);
}

describe('a file that a target made', () => {
  test('is the same while nobody touches it, and nothing is read', async () => {
    const { records, look } = await made({ 'dist/app': 'app' }, ['dist/app']);
    expect(records[0]).toMatchObject({ path: 'dist/app', kind: 'file', entriesHash: '' });
    expect(await look()).toEqual([{ path: 'dist/app', state: 'same', renewed: undefined }]);
  });

  test.each<[string, (path: string) => void]>([
    ['rewritten with the same bytes', (path) => writeFileSync(path, 'app')],
    ['replaced by the same bytes', rewrite],
    ['touched', (path) => utimesSync(path, 1, 1)],
    ['given other rights', (path) => chmodSync(path, 0o755)],
    ['linked', (path) => linkSync(path, `${path}-too`)],
  ])('is the same when it was %s, and gets a new record', async (_, change) => {
    const { root, records, look } = await made({ 'dist/app': 'app' }, ['dist/app']);
    change(join(root, 'dist/app'));
    const [seen] = await look();
    expect(seen?.state).toBe('same');
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(join(root, 'dist/app'), { bigint: true });
    expect(seen?.renewed).toMatchObject({ hash: records[0]?.hash, stamp: { dev, ino, size, mtimeNs, ctimeNs } });
  });

  test.each<[string, (path: string) => void]>([
    ['written to', (path) => writeFileSync(path, 'other')],
    ['written to with the same size', (path) => writeFileSync(path, 'APP')],
    ['replaced by a folder', (path) => (rmSync(path), mkdirSync(path))],
    ['replaced by a link to another one', (path) => (rmSync(path), writeFileSync(`${path}-2`, 'x'), symlinkSync('app-2', path))],
  ])('is changed when it was %s', async (_, change) => {
    const { root, states } = await made({ 'dist/app': 'app' }, ['dist/app']);
    change(join(root, 'dist/app'));
    expect(await states()).toEqual(['changed']);
  });

  test('is changed also when size and mtime were kept', async () => {
    const { root, states } = await made({ app: 'app' }, ['app']);
    const { atime, mtime } = statSync(join(root, 'app'));
    writeFileSync(join(root, 'app'), 'APP');
    utimesSync(join(root, 'app'), atime, mtime);
    expect(await states()).toEqual(['changed']);
  });

  test('is missing when it is gone, or its folder is, or a link leads nowhere', async () => {
    const { root, states } = await made({ a: '1', 'b/c': '2', d: '3' }, ['a', 'b/c', 'd']);
    rmSync(join(root, 'a'));
    rmSync(join(root, 'b'), { recursive: true });
    rmSync(join(root, 'd'));
    symlinkSync('nowhere', join(root, 'd'));
    expect(await states()).toEqual(['missing', 'missing', 'missing']);
  });

  test('has no record while it is not there, and without a record it is changed', async () => {
    const { root, records, states } = await made({}, ['late', 'a/b']);
    expect(records).toEqual([]);
    expect(await states()).toEqual(['missing', 'missing']);
    writeFiles(root, { late: 'somebody made it' });
    expect(await states()).toEqual(['changed', 'missing']);
  });

  test('a large one is read as well', async () => {
    const { root, states } = await made({ big: 'x'.repeat(1_000_000) }, ['big']);
    rewrite(join(root, 'big'));
    expect(await states()).toEqual(['same']);
    writeFileSync(join(root, 'big'), `${'x'.repeat(999_999)}y`);
    expect(await states()).toEqual(['changed']);
  });

  test('one that nobody may read is believed by nothing', async () => {
    const root = temporaryFolder();
    writeFiles(root, { shut: 'x' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'shut'), 0);
    const reader = new OutputReader({ root, clock: LATER });
    const states = await asOrdinaryUser(async () => {
      const records = await reader.record(['shut']);
      return [records[0]?.hash, (await reader.lookAt([{ paths: ['shut'], records }]))[0]?.[0]?.state];
    });
    expect(states).toEqual(['', 'changed']);
  });

  test('of a pipe only the existence counts, and nobody waits for it', async () => {
    const root = temporaryFolder();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const reader = new OutputReader({ root, clock: LATER });
    const records = await reader.record(['pipe']);
    expect(records).toMatchObject([{ kind: 'other', hash: '' }]);
    expect((await reader.lookAt([{ paths: ['pipe'], records }]))[0]).toEqual([{ path: 'pipe', state: 'same', renewed: undefined }]);
  });
});

describe('a folder that a target made', () => {
  const FILES = { 'dist/a': '1', 'dist/b': '2', 'dist/sub/c': '3' };

  test('is the same while its own entries are', async () => {
    const { look } = await made(FILES, ['dist']);
    expect(await look()).toEqual([{ path: 'dist', state: 'same', renewed: undefined }]);
  });

  test.each<[string, (folder: string) => void]>([
    ['touched', (folder) => utimesSync(folder, 1, 1)],
    ['rewritten with the same bytes', (folder) => ['a', 'b'].forEach((name) => rewrite(join(folder, name)))],
    ['moved away and back', (folder) => (renameSync(folder, `${folder}-2`), renameSync(`${folder}-2`, folder))],
    ['changed further down', (folder) => writeFiles(folder, { 'sub/c': 'other', 'sub/d': 'new' })],
  ])('is the same when it was %s', async (_, change) => {
    const { root, states } = await made(FILES, ['dist']);
    change(join(root, 'dist'));
    expect(await states()).toEqual(['same']);
  });

  test.each<[string, (folder: string) => void]>([
    ['got an entry', (folder) => writeFileSync(join(folder, 'new'), '')],
    ['lost one', (folder) => rmSync(join(folder, 'a'))],
    ['had one renamed', (folder) => renameSync(join(folder, 'a'), join(folder, 'z'))],
    ['had one written to', (folder) => writeFileSync(join(folder, 'a'), '9')],
    ['had one turned into a link to the same', (folder) => (renameSync(join(folder, 'a'), `${folder}-a`), symlinkSync('../dist-a', join(folder, 'a')))],
    ['lost a folder', (folder) => rmSync(join(folder, 'sub'), { recursive: true })],
    ['became a file', (folder) => (rmSync(folder, { recursive: true }), writeFileSync(folder, ''))],
  ])('is changed when it %s', async (_, change) => {
    const { root, states } = await made(FILES, ['dist']);
    change(join(root, 'dist'));
    expect(await states()).toEqual(['changed']);
  });

  test('a link in it counts by where it leads', async () => {
    const { root, reader } = await made(FILES, []);
    symlinkSync('a', join(root, 'dist/l'));
    const records = await reader.record(['dist']);
    rmSync(join(root, 'dist/l'));
    symlinkSync('b', join(root, 'dist/l'));
    expect((await reader.lookAt([{ paths: ['dist'], records }]))[0]?.[0]?.state).toBe('changed');
  });

  test('of more than 2,000 entries the names count, and the first are looked at', async () => {
    const names = Array.from({ length: 2010 }, (_, index) => `dist/f${String(index).padStart(5, '0')}`);
    const { root, states } = await made(Object.fromEntries(names.map((name) => [name, 'x'])), ['dist']);
    writeFileSync(join(root, 'dist/f02005'), 'beyond');
    expect(await states()).toEqual(['same']);
    writeFileSync(join(root, 'dist/f01999'), 'within');
    expect(await states()).toEqual(['changed']);
    writeFileSync(join(root, 'dist/f01999'), 'x');
    expect(await states()).toEqual(['same']);
    rmSync(join(root, 'dist/f02005'));
    expect(await states()).toEqual(['changed']);
  });

  test('one that nobody may list is only there or not', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'shut/a': 'x' });
    chmodSync(root, 0o755);
    chmodSync(join(root, 'shut'), 0);
    const reader = new OutputReader({ root, clock: LATER });
    const state = await asOrdinaryUser(async () => {
      const records = await reader.record(['shut']);
      return (await reader.lookAt([{ paths: ['shut'], records }]))[0]?.[0]?.state;
    });
    expect(state).toBe('same');
    chmodSync(join(root, 'shut'), 0o700);
  });
});

describe('what is too young to be trusted', () => {
  test.each([['a'], ['dist']])('%s is read again each time, and found the same', async (path) => {
    const { look } = await made({ a: '1', 'dist/b': '2' }, [path], EARLIER);
    expect(await look()).toMatchObject([{ state: 'same', renewed: { path } }]);
  });

  test('it is settled at the end of the run, when it is still the same', async () => {
    const { root, records } = await made({ a: '1', b: '2', 'dist/b': '2' }, ['a', 'b', 'dist'], EARLIER);
    writeFileSync(join(root, 'b'), 'somebody else');
    const reader = new OutputReader({ root, clock: LATER });
    const settled = await reader.settle(records);
    expect(settled.map(({ path, startedNs }, index) => [path, startedNs > (records[index]?.startedNs ?? 0n)])).toEqual([
      ['a', true],
      ['b', false],
      ['dist', true],
    ]);
    const [seen = []] = await new OutputReader({ root, clock: LATER }).lookAt([{ paths: ['a', 'b', 'dist'], records: settled }]);
    expect(seen.map(({ state, renewed }) => [state, renewed])).toEqual([['same', undefined], ['changed', undefined], ['same', undefined]]);
  });

  test('what was settled already is not read again', async () => {
    const { reader, records } = await made({ a: '1', 'dist/b': '2' }, ['a', 'dist']);
    expect(await reader.settle(records)).toEqual(records);
  });
});

test('many targets are answered in their order, each output in its own', async () => {
  const { root, reader } = await made({ a: '1', b: '2', c: '3' }, []);
  const records = await reader.record(['a', 'b', 'c']);
  writeFileSync(join(root, 'b'), 'x');
  rmSync(join(root, 'c'));
  const seen = await reader.lookAt([{ paths: ['b', 'a'], records }, { paths: [], records: [] }, { paths: ['c'], records }]);
  expect(seen.map((outputs) => outputs.map(({ path, state }) => `${path} ${state}`))).toEqual([['b changed', 'a same'], [], ['c missing']]);
  expect(existsSync(root) && readdirSync(root)).toEqual(['a', 'b']);
});
