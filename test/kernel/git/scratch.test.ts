import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cloneShared, snapshotFiles, writeTree, type Repository } from '../../../src/kernel/git/index.ts';
import { withScratch } from '../../../src/kernel/git/scratch.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { commitInCheckout, put, stageWith, WHO } from '../../support/git-repository.ts';
import type { ChangeOrder } from './programs/change.ts';

const program = bundledProgram(join(import.meta.dirname, 'programs/change.ts'));

async function stageToTake() {
  const stage = await stageWith({ a: '1' });
  const clone = join(stage.home, 'clone');
  await cloneShared(stage.repository, { path: clone, commit: stage.tip, branch: 'refs/heads/w', name: 'c', who: WHO });
  const tip = commitInCheckout(clone, { a: '2' });
  const order: ChangeOrder = { what: 'take', request: { clone, tip, base: stage.tip, name: 't', who: WHO } };
  const run = (env: Record<string, string>) => {
    const { git } = stage.repository;
    const args = [program.file, stage.folder, git.receiptsFolder ?? '', JSON.stringify(order)];
    return spawnSync(process.execPath, args, { env: { ...git.env, ...env }, encoding: 'utf8' });
  };
  return { ...stage, run };
}

const left = ({ commonDir }: Repository) => readdirSync(join(commonDir, 'drover/scratch'));

// May take over 5 s: processes of Node, one for each of the points at which it is killed.
test('what a killed process left is removed by the next call, whatever it is for', async () => {
  const { repository, folder, run } = await stageToTake();
  await writeTree(repository, []);
  const killed: number[] = [];
  for (let at = 1; killed.length < 3; at += 1) {
    if (run({ DROVER_CRASH_AT: String(at) }).signal === null) break;
    if (left(repository).some((name) => !name.endsWith('.lock'))) killed.push(at);
    if (at % 2 === 0) await writeTree(repository, []);
    else await snapshotFiles(repository, { index: 'trusted' });
    expect([at, left(repository)]).toEqual([at, []]);
  }
  expect(killed.length).toBeGreaterThan(0);
  expect(existsSync(folder)).toBe(true);
});

test('what belongs to a live process stays, of this one or of another', async () => {
  const { repository, run } = await stageToTake();
  await withScratch(repository, async (own) => {
    put(join(own, 'index'), 'mine');
    expect(run({})).toMatchObject({ status: 0, stderr: '' });
    await Promise.all([writeTree(repository, []), writeTree(repository, []), writeTree(repository, [])]);
    expect(readdirSync(own)).toEqual(['index']);
  });
  expect(left(repository)).toEqual([]);
});

test('it is given back after a failure, and files that are nobody’s are left alone', async () => {
  const { repository } = await stageWith({ a: '1' });
  await writeTree(repository, []);
  put(join(repository.commonDir, 'drover/scratch/notes'), 'mine');
  await expect(withScratch(repository, () => Promise.reject(new RangeError('no')))).rejects.toThrow('no');
  expect(left(repository)).toEqual(['notes']);
});
