import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { standAsSeen, type Sights } from '../../../../src/bach/store/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';
import { readerOf } from './input-support.ts';

const PATTERNS = ['src/**', 'one.txt', 'absent.txt', 'link', 'folder-link', 'out/**'];

function project(): string {
  const root = temporaryFolder();
  writeFiles(root, { 'src/a.txt': 'a', 'src/deep/b.txt': 'b', 'one.txt': 'one', 'linked.txt': 'linked', 'aside/c.txt': 'c' });
  symlinkSync('linked.txt', join(root, 'link'));
  symlinkSync('aside', join(root, 'folder-link'));
  symlinkSync('../aside', join(root, 'src/inner-link'));
  symlinkSync('/nowhere/one', join(root, 'src/outer-link'));
  mkdirSync(join(root, 'out'));
  return root;
}

async function sightsOf(root: string, patterns: readonly string[] = PATTERNS): Promise<Sights> {
  const reader = readerOf(root);
  await reader.read([{ patterns, except: [] }]);
  const tree = reader.answers;
  if (tree === undefined) throw new Error('too much was looked at');
  return { tree, outputs: [] };
}

async function stands(sights: Sights, root: string): Promise<boolean> {
  return standAsSeen(sights, { root, statePath: '.bach/state.db', clock: systemClock() }, new AbortController().signal);
}

describe('what was seen of inputs', () => {
  test('stands while nothing moves, whatever else comes', async () => {
    const root = project();
    const sights = await sightsOf(root);
    expect(await stands(sights, root)).toBe(true);
    writeFiles(root, { 'other.txt': 'new', '.bach/state.db': 'state', '.git/HEAD': 'ref' });
    expect(await stands(sights, root)).toBe(true);
  });

  test.each<readonly [string, (root: string) => void]>([
    ['a file is written', (root) => writeFiles(root, { 'one.txt': 'two' })],
    ['a file is gone', (root) => rmSync(join(root, 'src/a.txt'))],
    ['a file comes into a folder', (root) => writeFiles(root, { 'src/deep/new.txt': '' })],
    ['a folder comes', (root) => mkdirSync(join(root, 'src/empty'))],
    ['a folder is empty no more', (root) => writeFiles(root, { 'out/first.txt': '' })],
    ['what was missing is there', (root) => writeFiles(root, { 'absent.txt': '' })],
    ['what a link leads to is written', (root) => writeFiles(root, { 'linked.txt': 'more' })],
    ['what a link leads to is gone', (root) => rmSync(join(root, 'linked.txt'))],
    ['a link to a folder leads elsewhere', (root) => {
      rmSync(join(root, 'folder-link'));
      symlinkSync('src', join(root, 'folder-link'));
    }],
    ['a link that leads out says something else', (root) => {
      rmSync(join(root, 'src/outer-link'));
      symlinkSync('/nowhere/two', join(root, 'src/outer-link'));
    }],
    ['a link to a folder on the way leads elsewhere', (root) => {
      rmSync(join(root, 'src/inner-link'));
      symlinkSync('../src', join(root, 'src/inner-link'));
    }],
    ['a folder becomes a link to itself', (root) => {
      renameSync(join(root, 'src'), join(root, 'moved'));
      symlinkSync('moved', join(root, 'src'));
    }],
    ['a folder becomes a file', (root) => {
      rmSync(join(root, 'out'), { recursive: true });
      writeFiles(root, { out: '' });
    }],
  ])('stands no more when %s', async (_, change) => {
    const root = project();
    const sights = await sightsOf(root);
    change(root);
    expect(await stands(sights, root)).toBe(false);
  });

  test('is not kept when it is more than looking again is worth', async () => {
    const reader = readerOf(project());
    await reader.read([{ patterns: Array.from({ length: 60_001 }, (_, index) => `absent-${index}`), except: [] }]);
    expect(reader.answers).toBe(undefined);
  });

  test('a stop is no answer', async () => {
    const root = project();
    const sights = await sightsOf(root, Array.from({ length: 20_000 }, (_, index) => `absent-${index}`));
    const stop = AbortSignal.abort(new Error('stopped'));
    const place = { root, statePath: '.bach/state.db', clock: systemClock() };
    await expect(standAsSeen(sights, place, stop)).rejects.toThrow('stopped');
  });
});
