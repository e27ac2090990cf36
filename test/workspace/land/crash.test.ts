import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { advanceCheckout, unfinishedAdvance } from '../../../src/kernel/git/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { put, runGit, stageWith, type Stage } from '../../support/git-repository.ts';
import type { LandOrder } from '../programs/land.ts';
import { changeOf, commitOnBranch, filesIn, land, MAIN, statusOf } from './land-support.ts';

const FILES = { a: 'a1\n', b: 'b1\n', 'dir/c': 'c1\n' };
const AFTER = { a: 'a2 and more of it\n', b: 'edited\n', 'new/d': 'd\n', mine: 'x' };

const program = bundledProgram(join(import.meta.dirname, '../programs/land.ts'));

function run({ folder, repository }: Stage, order: LandOrder, env: Record<string, string>) {
  const { git } = repository;
  const args = [program.file, folder, git.receiptsFolder ?? '', JSON.stringify(order)];
  return spawnSync(process.execPath, args, { env: { ...git.env, ...env }, encoding: 'utf8' });
}

/** A change that adds, edits and removes, beside dirt of a person. */
async function scene(): Promise<Stage & { readonly work: string }> {
  const stage = await stageWith(FILES);
  runGit(stage.folder, ['checkout', '-q', '-b', 'feature']);
  runGit(stage.folder, ['rm', '-q', 'dir/c']);
  runGit(stage.folder, ['commit', '-q', '-m', 'less']);
  runGit(stage.folder, ['checkout', '-q', 'main']);
  const work = commitOnBranch(stage.folder, { a: AFTER.a, 'new/d': AFTER['new/d'] });
  put(join(stage.folder, 'b'), 'edited\n');
  put(join(stage.folder, 'mine'), 'x');
  return { ...stage, work };
}

function expectLanded({ folder }: Stage): void {
  expect(filesIn(folder)).toEqual(AFTER);
  expect(statusOf(folder)).toEqual([' M b', '?? mine']);
  expect(existsSync(join(folder, '.git/index.lock'))).toBe(false);
  expect(runGit(folder, ['rev-list', '--count', 'main'])).toBe('2');
}

// Takes over 5 s: one process of Node and a dozen of git for each durable point, twice.
test('killed at any durable point, the next landing comes to the same end, once', async () => {
  const whole = await scene();
  const trace = join(whole.home, 'trace');
  const order = (work: string): LandOrder => ({ change: changeOf(work), strategy: 'squash' });
  expect(run(whole, order(whole.work), { DROVER_CRASH_TRACE: trace })).toMatchObject({ status: 0, stderr: '' });
  expectLanded(whole);
  const points = readFileSync(trace, 'utf8').trim().split('\n');
  expect(points.filter((point) => /^(ref|checkout-)/.test(point))).toEqual([
    'checkout-files:before',
    'checkout-files:after',
    'ref:before',
    'ref:after',
    'checkout-index:before',
    'checkout-index:after',
  ]);
  const worst = points.flatMap((point, at) => (/^(create|ref|checkout-.*|remove):/.test(point) ? [{ point, at }] : []));
  for (const { point, at } of worst) {
    const stage = await scene();
    const killed = run(stage, order(stage.work), { DROVER_CRASH_AT: String(at + 1) });
    expect([point, killed.signal]).toEqual([point, 'SIGKILL']);
    const { b, mine } = filesIn(stage.folder);
    expect({ b, mine }).toEqual({ b: 'edited\n', mine: 'x' });
    expect([point, (await land(stage, changeOf(stage.work))).kind]).toEqual([point, expect.stringMatching(/^(landed|already)$/)]);
    expectLanded(stage);
  }
});

describe('a checkout whose landing was killed', () => {
  /** As if the process ended behind the files, with or without the branch. */
  async function halfway(branch: 'moved' | 'not moved') {
    const stage = await scene();
    const { folder, repository, work } = stage;
    const from = runGit(folder, ['rev-parse', 'main']);
    expect((await advanceCheckout(repository, { ref: MAIN, from, to: work })).kind).toBe('ready');
    if (branch === 'moved') runGit(folder, ['update-ref', MAIN, work]);
    return stage;
  }

  test.each(['moved', 'not moved'] as const)('branch %s: nobody can commit there, and the next landing puts it in order', async (branch) => {
    const stage = await halfway(branch);
    expect(() => runGit(stage.folder, ['commit', '-qam', 'mine'])).toThrow(/index.lock/);
    expect(unfinishedAdvance(stage.repository)).toMatchObject({ ref: MAIN, to: stage.work });
    expect((await land(stage, changeOf(stage.work), 'ff')).kind).toBe(branch === 'moved' ? 'already' : 'landed');
    expect(filesIn(stage.folder)).toEqual(AFTER);
    expect(statusOf(stage.folder)).toEqual([' M b', '?? mine']);
    expect(unfinishedAdvance(stage.repository)).toBeUndefined();
  });

  test.each(['moved', 'not moved'] as const)('branch %s: a half-written file is written anew', async (branch) => {
    const stage = await halfway(branch);
    truncateSync(join(stage.folder, 'a'), 5);
    rmSync(join(stage.folder, 'new/d'));
    await land(stage, changeOf(stage.work), 'ff');
    expect(filesIn(stage.folder)).toEqual(AFTER);
    expect(statusOf(stage.folder)).toEqual([' M b', '?? mine']);
  });

  test('branch moved: what a person wrote since stays, as an edit', async () => {
    const stage = await halfway('moved');
    put(join(stage.folder, 'a'), 'rescued by hand\n');
    put(join(stage.folder, 'dir/c'), 'wanted after all\n');
    expect((await land(stage, changeOf(stage.work), 'ff')).kind).toBe('already');
    expect(filesIn(stage.folder)).toEqual({ ...AFTER, a: 'rescued by hand\n', 'dir/c': 'wanted after all\n' });
    expect(statusOf(stage.folder)).toEqual([' M a', ' M b', '?? dir/c', '?? mine']);
  });

  test('branch not moved: it goes back, but for what a person wrote since, which then makes the change wait', async () => {
    const stage = await halfway('not moved');
    put(join(stage.folder, 'a'), 'rescued by hand\n');
    rmSync(join(stage.folder, 'new'), { recursive: true });
    put(join(stage.folder, 'new/d/e'), 'a folder now');
    expect(await land(stage, changeOf(stage.work), 'ff')).toMatchObject({ kind: 'waiting', reason: 'changed', paths: ['a', 'new/d/e'] });
    expect(filesIn(stage.folder)).toEqual({ ...FILES, a: 'rescued by hand\n', b: 'edited\n', mine: 'x', 'new/d/e': 'a folder now' });
    expect(statusOf(stage.folder)).toEqual([' M a', ' M b', '?? mine', '?? new/d/e']);
  });

  test('a lock that another git left is not taken for ours', async () => {
    const stage = await scene();
    put(join(stage.folder, '.git/index.lock'), '{"what":"drover is moving the branch of this checkout","ref":"refs/heads/main","from":null,"to":"--x"}');
    expect(unfinishedAdvance(stage.repository)).toBeUndefined();
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'waiting', reason: 'busy' });
    expect(existsSync(join(stage.folder, '.git/index.lock'))).toBe(true);
  });
});
