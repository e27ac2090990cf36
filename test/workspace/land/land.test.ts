import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/kernel/git/index.ts';
import { moveDestination } from '../../../src/workspace/land/move.ts';
import { commitInCheckout, commitOf, emptyStage, put, runGit, stageWith, WHO } from '../../support/git-repository.ts';
import { changeOf, commitOnBranch, filesIn, land, MAIN, statusOf, STRATEGIES } from './land-support.ts';

const FILES = { a: 'a1\n', b: 'b1\n', 'dir/c': 'c1\n' };

const git = (folder: string, ...args: readonly string[]): string => runGit(folder, args);

describe('a change that nothing stands in the way of', () => {
  test.each(STRATEGIES)('%s: the branch and the files of its checkout hold it', async (strategy) => {
    const stage = await stageWith(FILES);
    const { folder, tip } = stage;
    const work = commitOnBranch(folder, { a: 'a2\n', 'new/d': 'd\n' });
    rmSync(join(folder, 'dir/c'));
    git(folder, 'checkout', '-q', 'feature');
    git(folder, 'rm', '-q', 'dir/c');
    git(folder, 'commit', '-q', '-m', 'less');
    const last = git(folder, 'rev-parse', 'HEAD');
    git(folder, 'checkout', '-q', 'main');
    const outcome = await land(stage, changeOf(last), strategy);
    expect(outcome).toMatchObject({ kind: 'landed', before: tip, tree: git(folder, 'rev-parse', 'feature^{tree}'), tolerated: [] });
    expect(git(folder, 'rev-parse', 'main')).toBe('commit' in outcome ? outcome.commit : '');
    expect(filesIn(folder)).toEqual({ a: 'a2\n', b: 'b1\n', 'new/d': 'd\n' });
    expect(statusOf(folder)).toEqual([]);
    expect(existsSync(join(folder, '.git/index.lock'))).toBe(false);
    const shape = { squash: [tip], merge: [tip, last], ff: [work], rebase: [work] }[strategy];
    expect(git(folder, 'log', '-1', '--format=%P').split(' ')).toEqual(shape);
  });

  test.each(STRATEGIES.filter((each) => each !== 'ff'))('%s: on top of what others landed since', async (strategy) => {
    const stage = await stageWith(FILES);
    const { folder } = stage;
    commitOnBranch(folder, { a: 'a2\n' });
    const tip = commitOnBranch(folder, { 'new/d': 'd\n' });
    const others = commitInCheckout(folder, { b: 'b2\n' });
    expect(await land(stage, changeOf(tip), strategy)).toMatchObject({ kind: 'landed', before: others });
    expect(filesIn(folder)).toEqual({ a: 'a2\n', b: 'b2\n', 'dir/c': 'c1\n', 'new/d': 'd\n' });
    expect(statusOf(folder)).toEqual([]);
    const subjects = git(folder, 'log', '--first-parent', '--format=%s %an', `${others}..main`).split('\n');
    expect(subjects).toEqual({
      squash: ['Land the work Agent'],
      merge: ['Land the work Agent'],
      rebase: ['work on new/d Person', 'work on a Person'],
    }[strategy as 'squash']);
  });

  test.each(STRATEGIES)('%s: a second time it is there already, whatever came on top', async (strategy) => {
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'a2\n' });
    await land(stage, changeOf(tip), strategy);
    const top = commitInCheckout(stage.folder, { b: 'b2\n' });
    expect(await land(stage, changeOf(tip), strategy === 'ff' ? 'squash' : strategy)).toEqual({ kind: 'already', commit: top });
    expect(git(stage.folder, 'rev-parse', 'main')).toBe(top);
  });

  test.each(STRATEGIES)('%s: on a branch that does not exist yet', async (strategy) => {
    const stage = await emptyStage();
    const tip = await commitOf(stage.repository, { a: '1' });
    expect(await land(stage, changeOf(tip), strategy)).toMatchObject({ kind: 'landed', before: undefined });
    expect(filesIn(stage.folder)).toEqual({ a: '1' });
    expect(statusOf(stage.folder)).toEqual([]);
  });

  test('into a bare repository, and one whose checkout is on another branch: no file changes', async () => {
    const bare = await emptyStage({ bare: true });
    const [one, two] = [await commitOf(bare.repository, { a: '1' }), await commitOf(bare.repository, { a: '2' })];
    git(bare.folder, 'update-ref', MAIN, one);
    expect(await land(bare, changeOf(two, { base: undefined as never }), 'ff')).toMatchObject({ kind: 'refused' });
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'a2\n' });
    git(stage.folder, 'checkout', '-q', '-b', 'elsewhere');
    expect(await land(stage, changeOf(tip))).toMatchObject({ kind: 'landed' });
    expect(filesIn(stage.folder)).toEqual(FILES);
    expect(statusOf(stage.folder)).toEqual([]);
  });

  test('a worktree of the destination follows as the main checkout does', async () => {
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'a2\n' });
    git(stage.folder, 'checkout', '-q', '-b', 'elsewhere');
    const other = join(stage.home, 'other');
    git(stage.folder, 'worktree', 'add', '-q', other, 'main');
    put(join(other, 'mine'), 'x');
    expect(await land(stage, changeOf(tip))).toMatchObject({ kind: 'landed', tolerated: ['mine'] });
    expect(filesIn(other)).toEqual({ ...FILES, a: 'a2\n', mine: 'x' });
    expect(statusOf(other)).toEqual(['?? mine']);
  });

  test('a stacked change with a base of its own takes only what came after it', async () => {
    const stage = await stageWith(FILES);
    const first = commitOnBranch(stage.folder, { a: 'a2\n' });
    const second = commitOnBranch(stage.folder, { b: 'b2\n' });
    await land(stage, changeOf(second, { base: first }));
    expect(filesIn(stage.folder)).toEqual({ ...FILES, b: 'b2\n' });
    const wrong = commitInCheckout(stage.folder, { z: '1' });
    expect(await land(stage, changeOf(second, { base: wrong }))).toMatchObject({ kind: 'refused', reason: expect.stringContaining('does not descend from its base') as string });
  });
});

describe('a change that cannot land as it is', () => {
  test.each(['squash', 'merge', 'rebase'] as const)('%s: a conflict names its files, and nothing moves', async (strategy) => {
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'theirs\n', 'dir/c': 'theirs\n' });
    const ours = commitInCheckout(stage.folder, { a: 'ours\n', 'dir/c': 'ours\n' });
    expect(await land(stage, changeOf(tip), strategy)).toEqual({ kind: 'conflict', paths: ['a', 'dir/c'] });
    expect(git(stage.folder, 'rev-parse', 'main')).toBe(ours);
    expect(statusOf(stage.folder)).toEqual([]);
  });

  test('ff: commits that the change does not have', async () => {
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'a2\n' });
    commitInCheckout(stage.folder, { b: 'b2\n' });
    expect(await land(stage, changeOf(tip), 'ff')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('another strategy than ff') as string });
  });

  test('rebase: a merge in it', async () => {
    const stage = await stageWith(FILES);
    commitOnBranch(stage.folder, { a: 'a2\n' });
    commitInCheckout(stage.folder, { b: 'b2\n' });
    git(stage.folder, 'checkout', '-q', 'feature');
    git(stage.folder, 'merge', '-q', '--no-edit', 'main');
    const tip = git(stage.folder, 'rev-parse', 'HEAD');
    git(stage.folder, 'checkout', '-q', 'main');
    expect(await land(stage, changeOf(tip), 'rebase')).toMatchObject({ kind: 'refused', reason: expect.stringContaining('has a merge') as string });
    expect(await land(stage, changeOf(tip), 'merge')).toMatchObject({ kind: 'landed' });
  });

  test.each([
    ['/etc/passwd', 'link -> /etc/passwd'],
    ['../../outside', 'link -> ../../outside'],
    ['dir/../..', 'link -> dir/../..'],
  ])('a link that leads out: %s', async (target, words) => {
    const stage = await stageWith(FILES);
    git(stage.folder, 'checkout', '-q', '-b', 'feature');
    symlinkSync(target, join(stage.folder, 'link'));
    const tip = commitInCheckout(stage.folder, {});
    git(stage.folder, 'checkout', '-q', 'main');
    expect(await land(stage, changeOf(tip))).toEqual({ kind: 'refused', reason: `the change has a link that leads out of the repository: ${words}` });
  });

  test('a link that stays inside lands', async () => {
    const stage = await stageWith(FILES);
    git(stage.folder, 'checkout', '-q', '-b', 'feature');
    symlinkSync('../a', join(stage.folder, 'dir/link'));
    const tip = commitInCheckout(stage.folder, {});
    git(stage.folder, 'checkout', '-q', 'main');
    expect(await land(stage, changeOf(tip))).toMatchObject({ kind: 'landed' });
    expect(filesIn(stage.folder)['dir/link']).toBe('-> ../a');
  });

  test('histories that never met', async () => {
    const stage = await stageWith(FILES);
    const tip = await commitOf(stage.repository, { z: '1' });
    expect(await land(stage, changeOf(tip))).toMatchObject({ kind: 'refused', reason: expect.stringContaining('no common commit') as string });
  });

  test('a hook for refs says no, in its own words, and the files are as before', async () => {
    const stage = await stageWith(FILES);
    const tip = commitOnBranch(stage.folder, { a: 'a2\n', 'new/d': '1' });
    put(join(stage.folder, '.git/hooks/reference-transaction'), '#!/bin/sh\ngrep -q refs/heads/main && [ "$1" = prepared ] && { echo "not on a friday" >&2; exit 1; }\nexit 0\n', 0o755);
    expect(await land(stage, changeOf(tip))).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not on a friday') as string });
    expect(filesIn(stage.folder)).toEqual(FILES);
    expect(statusOf(stage.folder)).toEqual([]);
    expect(existsSync(join(stage.folder, '.git/index.lock'))).toBe(false);
  });

  test('a commit that is not the tree that was checked never becomes the destination', async () => {
    const { repository, folder, tip } = await stageWith(FILES);
    const work = commitOnBranch(folder, { a: 'a2\n' });
    const tree = git(folder, 'rev-parse', 'main^{tree}');
    const move = moveDestination(repository, { ref: MAIN, from: tip, to: work, tree, who: WHO, reason: 'x' }, AbortSignal.timeout(60_000));
    await expect(move).rejects.toMatchObject({ code: 'landed-tree-differs', message: expect.stringContaining(tree) as string });
    expect(git(folder, 'rev-parse', 'main')).toBe(tip);
  });
});

describe('what stands in a checkout of the destination', () => {
  async function scene(change: Readonly<Record<string, string>> = { a: 'a2\n', 'new/d': 'd\n' }) {
    const stage = await stageWith(FILES);
    return { ...stage, work: commitOnBranch(stage.folder, change) };
  }

  test('dirt that the change does not touch is tolerated and stays', async () => {
    const stage = await scene();
    put(join(stage.folder, 'b'), 'edited\n');
    put(join(stage.folder, 'mine/x'), 'x');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'landed', tolerated: ['b', 'mine/x'] });
    expect(filesIn(stage.folder)).toEqual({ ...FILES, a: 'a2\n', b: 'edited\n', 'new/d': 'd\n', 'mine/x': 'x' });
    expect(statusOf(stage.folder)).toEqual([' M b', '?? mine/x']);
  });

  test.each<[string, (folder: string) => void, string, readonly string[]]>([
    ['an edit of a file of the change', (folder) => put(join(folder, 'a'), 'mine\n'), 'changed', ['a']],
    ['a deletion of one', (folder) => rmSync(join(folder, 'a')), 'changed', ['a']],
    ['an untracked file where a new one goes', (folder) => put(join(folder, 'new/d'), 'mine'), 'changed', ['new/d']],
    ['one with the very same content', (folder) => put(join(folder, 'new/d'), 'd\n'), 'changed', ['new/d']],
    ['an untracked file where its folder goes', (folder) => put(join(folder, 'new'), 'mine'), 'changed', ['new']],
    ['an untracked link where its folder goes', (folder) => symlinkSync('dir', join(folder, 'new')), 'changed', ['new']],
    ['an untracked folder where it goes', (folder) => put(join(folder, 'new/d/deep'), 'mine'), 'changed', ['new/d/deep']],
    ['a staged file of the change', (folder) => { put(join(folder, 'a'), 'mine\n'); git(folder, 'add', 'a'); }, 'staged', ['a']],
    ['anything staged elsewhere', (folder) => { put(join(folder, 'b'), 'mine\n'); git(folder, 'add', 'b'); }, 'staged', ['b']],
    ['the lock of another git', (folder) => put(join(folder, '.git/index.lock'), ''), 'busy', []],
    ['an unfinished cherry-pick', (folder) => writeFileSync(join(folder, '.git/CHERRY_PICK_HEAD'), `${git(folder, 'rev-parse', 'HEAD')}\n`), 'under-way', ['CHERRY_PICK_HEAD']],
  ])('%s makes the change wait, and all stays as it is', async (_, disturb, reason, paths) => {
    const stage = await scene();
    disturb(stage.folder);
    const before = [filesIn(stage.folder), git(stage.folder, 'ls-files', '--stage'), git(stage.folder, 'rev-parse', 'main')];
    expect(await land(stage, changeOf(stage.work))).toEqual({ kind: 'waiting', checkout: stage.folder, reason, paths });
    expect([filesIn(stage.folder), git(stage.folder, 'ls-files', '--stage'), git(stage.folder, 'rev-parse', 'main')]).toEqual(before);
  });

  test('an ignored file where a new one goes makes it wait', async () => {
    const stage = await scene();
    put(join(stage.folder, '.git/info/exclude'), 'new/\n');
    put(join(stage.folder, 'new/d'), 'mine');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'waiting', paths: ['new/d'] });
    expect(filesIn(stage.folder)['new/d']).toBe('mine');
  });

  test('an edit that the index hides is found all the same', async () => {
    const stage = await scene();
    git(stage.folder, 'update-index', '--assume-unchanged', 'a');
    put(join(stage.folder, 'a'), 'mine, and longer\n');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'waiting', reason: 'changed', paths: ['a'] });
    expect(filesIn(stage.folder)).toEqual({ ...FILES, a: 'mine, and longer\n' });
    expect(existsSync(join(stage.folder, '.git/index.lock'))).toBe(false);
  });

  test('a rebase of the destination under way makes it wait', async () => {
    const stage = await scene();
    commitInCheckout(stage.folder, { b: 'b2\n' });
    expect(() => git(stage.folder, 'rebase', '-q', '--exec', 'false', 'HEAD~1')).toThrow();
    expect(await land(stage, changeOf(stage.work))).toEqual({ kind: 'waiting', checkout: stage.folder, reason: 'under-way', paths: [] });
    git(stage.folder, 'rebase', '--abort');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'landed' });
  });

  test('of two checkouts one that is in the way keeps the other from moving', async () => {
    const stage = await scene();
    const other = join(stage.home, 'other');
    git(stage.folder, 'worktree', 'add', '-q', '--force', other, 'main');
    put(join(other, 'a'), 'mine\n');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'waiting', checkout: other });
    expect(filesIn(stage.folder)).toEqual(FILES);
    expect(statusOf(stage.folder)).toEqual([]);
    git(other, 'checkout', '-q', 'a');
    expect(await land(stage, changeOf(stage.work))).toMatchObject({ kind: 'landed' });
    expect([statusOf(stage.folder), statusOf(other)]).toEqual([[], []]);
  });

  test.each([
    ['a file becomes a folder', { 'a/x': '1' }, ['a'], { b: 'b1\n', 'dir/c': 'c1\n', 'a/x': '1' }],
    ['a folder becomes a file', { dir: '1' }, ['dir/c'], { a: 'a1\n', b: 'b1\n', dir: '1' }],
  ])('%s', async (_, files, gone, after) => {
    const stage = await stageWith(FILES);
    git(stage.folder, 'checkout', '-q', '-b', 'feature');
    git(stage.folder, 'rm', '-q', ...gone);
    const work = commitInCheckout(stage.folder, files);
    git(stage.folder, 'checkout', '-q', 'main');
    expect(await land(stage, changeOf(work))).toMatchObject({ kind: 'landed' });
    expect(filesIn(stage.folder)).toEqual(after);
    expect(statusOf(stage.folder)).toEqual([]);
  });

  test('seen from a worktree of an agent, the person\'s checkout follows', async () => {
    const stage = await scene();
    const place = join(stage.home, 'agent');
    git(stage.folder, 'worktree', 'add', '-q', place, 'feature');
    const repository = await openRepository(stage.repository.git, place);
    expect(await land({ ...stage, repository }, changeOf(stage.work))).toMatchObject({ kind: 'landed' });
    expect(filesIn(stage.folder)['a']).toBe('a2\n');
  });

  test('a file that turns executable, and a folder that may not be written', async () => {
    const stage = await stageWith(FILES);
    git(stage.folder, 'checkout', '-q', '-b', 'feature');
    chmodSync(join(stage.folder, 'a'), 0o755);
    const work = commitInCheckout(stage.folder, {});
    git(stage.folder, 'checkout', '-q', 'main');
    mkdirSync(join(stage.folder, 'empty'));
    expect(await land(stage, changeOf(work))).toMatchObject({ kind: 'landed' });
    expect(statusOf(stage.folder)).toEqual([]);
  });
});
