import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cloneShared,
  commitsBetween,
  filesInTheWay,
  gitPath,
  operationUnderWay,
  putFiles,
  putHead,
  readCommit,
  readHead,
  readRef,
  readStatus,
  releaseUnfinished,
  removeClone,
  snapshotFiles,
} from '../../../../src/kernel/git/index.ts';
import { commitInCheckout, put, runGit, stageWith, stageWithWorktree, WHO } from '../../../support/git-repository.ts';

async function stageOfTwo() {
  const stage = await stageWith({ a: '1', 'dir/b': '1', '.gitignore': 'skip\n' });
  const early = (await readCommit(stage.repository, stage.tip)).tree;
  const late = commitInCheckout(stage.folder, { a: '2', 'new/c': '2' });
  return { ...stage, early, late, now: (await readCommit(stage.repository, late)).tree };
}

describe('files are put back', () => {
  test('as another tree has them, while index and HEAD stay', async () => {
    const { repository, folder, early, now, late } = await stageOfTwo();
    put(join(folder, 'skip'), 'ignored');
    expect(await filesInTheWay(repository, { from: now, to: early })).toEqual([]);
    await putFiles(repository, { from: now, to: early });
    expect([readFileSync(join(folder, 'a'), 'utf8'), existsSync(join(folder, 'new')), readFileSync(join(folder, 'skip'), 'utf8')]).toEqual(['1', false, 'ignored']);
    expect((await snapshotFiles(repository, { index: 'trusted' })).tree).toBe(early);
    expect(await readHead(repository)).toMatchObject({ id: late });
  });

  test('all or none: a file that is not as was said stops it', async () => {
    const { repository, folder, early, now } = await stageOfTwo();
    put(join(folder, 'a'), 'somebody wrote');
    await expect(putFiles(repository, { from: now, to: early })).rejects.toMatchObject({ code: 'git-failed' });
    expect([readFileSync(join(folder, 'a'), 'utf8'), existsSync(join(folder, 'new/c'))]).toEqual(['somebody wrote', true]);
  });

  test('unless something unknown stands there: a file, a file for a folder, a folder for a file', async () => {
    const { repository, folder, early, tip } = await stageOfTwo();
    runGit(folder, ['reset', '-q', '--hard', tip]);
    put(join(folder, '.git/info/exclude'), 'x\ny\nz\n');
    const wanted = commitInCheckout(folder, {});
    runGit(folder, ['checkout', '-q', '-b', 'other']);
    put(join(folder, 'x'), 'w');
    put(join(folder, 'y/deep'), 'w');
    put(join(folder, 'z'), 'w');
    runGit(folder, ['add', '-f', 'x', 'y/deep', 'z']);
    runGit(folder, ['commit', '-q', '-m', 'wanted']);
    const to = (await readCommit(repository, runGit(folder, ['rev-parse', 'HEAD']))).tree;
    runGit(folder, ['checkout', '-q', '--detach', wanted]);
    put(join(folder, 'x'), 'own');
    put(join(folder, 'y'), 'own');
    put(join(folder, 'z/own'), 'own');
    expect(await filesInTheWay(repository, { from: early, to })).toEqual(['x', 'y', 'z/own'].map(gitPath));
  });
});

describe('HEAD is put back', () => {
  test('with its branch and index; what the branch held is kept', async () => {
    const { repository, folder, tip, late } = await stageOfTwo();
    put(join(folder, 'a'), 'staged');
    runGit(folder, ['add', 'a']);
    runGit(folder, ['checkout', '-q', '--detach']);
    const place = { commit: tip, branch: 'refs/heads/main', name: 't', who: WHO };
    expect(await putHead(repository, place)).toEqual({ kind: 'moved' });
    expect(await readHead(repository)).toEqual({ kind: 'branch', ref: 'refs/heads/main', id: tip });
    expect((await readRef(repository, `refs/drover/keep/t/${late}`))?.id).toBe(late);
    expect((await readStatus(repository)).flatMap((entry) => (entry.kind === 'changed' ? [entry.staged] : []))).toEqual([undefined]);
    expect(await putHead(repository, { ...place, commit: late, branch: undefined })).toEqual({ kind: 'moved' });
    expect(await readHead(repository)).toEqual({ kind: 'detached', id: late });
  });

  test.each(['rebase', 'merge', 'cherry-pick', 'revert'] as const)('out of a %s', async (verb) => {
    const { repository, folder, tip, late } = await stageOfTwo();
    runGit(folder, ['checkout', '-q', '-b', 'side', tip]);
    const side = commitInCheckout(folder, { a: 'side' });
    expect(() => runGit(folder, [verb, late])).toThrow();
    expect(operationUnderWay(repository)).toBe(verb);
    expect(await putHead(repository, { commit: side, branch: 'refs/heads/side', name: 't', who: WHO })).toEqual({ kind: 'moved' });
    expect(operationUnderWay(repository)).toBeUndefined();
    expect(await readHead(repository)).toMatchObject({ ref: 'refs/heads/side', id: side });
  });
});

test('the lock of a worktree that git had not finished is taken away, and no other', async () => {
  const { worktree } = await stageWithWorktree();
  const file = join(worktree.gitDir, 'locked');
  expect(await releaseUnfinished(worktree)).toBe('not-unfinished');
  writeFileSync(file, 'a person asked for it');
  expect(await releaseUnfinished(worktree)).toBe('not-unfinished');
  writeFileSync(file, 'initializing');
  expect(await releaseUnfinished(worktree)).toBe('released');
  expect(existsSync(file)).toBe(false);
});

// May take over 5 s: each removal makes some dozen calls of git.
describe('the removal of a clone', () => {
  async function cloned() {
    const stage = await stageWith({ a: '1' });
    const path = join(stage.home, 'copy');
    const clone = await cloneShared(stage.repository, { path, commit: stage.tip, name: 'c', who: WHO });
    return { ...stage, path, clone, remove: () => removeClone(stage.repository, clone, { base: stage.tip, name: 'c', who: WHO }) };
  }

  test('brings everything that it names into the source', async () => {
    const { repository, path, tip, folder, remove } = await cloned();
    runGit(path, ['checkout', '-q', '-b', 'one']);
    commitInCheckout(path, { a: 'on a branch' });
    runGit(path, ['checkout', '-q', '--detach', tip]);
    commitInCheckout(path, { a: 'under a tag' });
    runGit(path, ['tag', '-a', '-m', 'note', 'v1']);
    runGit(path, ['reset', '-q', '--hard', tip]);
    commitInCheckout(path, { a: 'thrown away' });
    runGit(path, ['reset', '-q', '--hard', tip]);
    put(join(path, 'a'), 'stashed');
    runGit(path, ['stash', '-q']);
    put(join(path, 'new'), 'loose');
    const removal = await remove();
    expect(removal).toMatchObject({ kind: 'removed' });
    expect(existsSync(path)).toBe(false);
    const { kept } = removal as { kept: { ref: string } };
    const listing = runGit(folder, ['rev-list', '--objects', kept.ref]);
    for (const text of ['on a branch', 'under a tag', 'thrown away', 'stashed', 'loose']) {
      expect([text, listing.includes(runGit(folder, ['hash-object', '--stdin'], { input: text }))]).toEqual([text, true]);
    }
    expect((await commitsBetween(repository, { base: tip, tip: kept.ref.slice(-40) })).length).toBeGreaterThan(4);
  });

  test('is refused where something hangs on it or lies in it', async () => {
    const { home, path, remove } = await cloned();
    runGit(path, ['worktree', 'add', '-q', '--detach', join(home, 'beside')]);
    expect(await remove()).toMatchObject({ kind: 'refused', obstacles: [{ reason: 'repository', path: '' }] });
    runGit(path, ['worktree', 'remove', join(home, 'beside')]);
    mkdirSync(join(path, 'inner/.git'), { recursive: true });
    expect(await remove()).toMatchObject({ kind: 'refused', obstacles: [{ reason: 'repository', path: 'inner/' }] });
    expect(readFileSync(join(path, 'a'), 'utf8')).toBe('1');
  });
});
