import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  cloneShared,
  findInTree,
  gitPath,
  isAncestor,
  keepFiles,
  listRefs,
  listWorktrees,
  openRepository,
  readBlob,
  readCommit,
  readHead,
  readReceipts,
  readRef,
  readStatus,
  removeWorktree,
  repositoryLock,
  takeCommits,
  tryRepositoryLock,
  type Repository,
} from '../../../../src/kernel/git/index.ts';
import { aloneWithWorktrees } from '../../../../src/kernel/git/checkouts/repository-lock.ts';
import { canaryIn, commitInCheckout, commitOf, emptyStage, put, runGit, stageWith, stageWithWorktree, WHO } from '../../../support/git-repository.ts';

describe('worktrees', () => {
  test('on a new branch: files, HEAD, listing, receipt; hooks do not run', async () => {
    const { repository, folder, home, tip } = await stageWith({ a: '1' });
    const canary = canaryIn(home);
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) symlinkSync(canary.program, join(folder, '.git/hooks', hook));
    const path = join(home, 'odd\n wörk');
    const outcome = await addWorktree(repository, { path, commit: tip, branch: 'refs/heads/task/1', who: WHO });
    expect(outcome).toMatchObject({ kind: 'added', worktree: { topLevel: path, commonDir: repository.commonDir } });
    expect(readFileSync(join(path, 'a'), 'utf8')).toBe('1');
    const opened = await openRepository(repository.git, path);
    expect(await readHead(opened)).toEqual({ kind: 'branch', ref: 'refs/heads/task/1', id: tip });
    expect(await readStatus(opened)).toEqual([]);
    const facts = { bare: false, locked: false, missing: false, head: tip };
    expect(await listWorktrees(repository)).toEqual([
      { path: folder, branch: 'refs/heads/main', ...facts },
      { path, branch: 'refs/heads/task/1', ...facts },
    ]);
    expect((await readReceipts(repository)).receipts).toMatchObject([
      { kind: 'ref', name: 'refs/heads/task/1', state: 'done' },
      { kind: 'worktree', name: path, before: undefined, after: tip, state: 'done' },
    ]);
    expect(canary.sang()).toBe(false);
  });

  test('a branch or a place that is taken, a path that is an option', async () => {
    const { repository, home, tip } = await stageWith({ a: '1' });
    const taken = await addWorktree(repository, { path: join(home, 't'), commit: tip, branch: 'refs/heads/main', who: WHO });
    expect(taken).toEqual({ kind: 'branch-exists', actual: tip });
    expect(existsSync(join(home, 't'))).toBe(false);
    put(join(home, 't/mine'), 'x');
    await expect(addWorktree(repository, { path: join(home, 't'), commit: tip, who: WHO })).rejects.toMatchObject({ code: 'git-failed' });
    const onBranch = { path: join(home, 't'), commit: tip, branch: 'refs/heads/new', who: WHO };
    await expect(addWorktree(repository, onBranch)).rejects.toMatchObject({ code: 'git-failed' });
    expect(await readRef(repository, 'refs/heads/new')).toBeUndefined();
    expect(readdirSync(join(home, 't'))).toEqual(['mine']);
    await expect(addWorktree(repository, { path: '--force', commit: tip, who: WHO })).rejects.toMatchObject({ code: 'worktree-unknown' });
  });

  test('keeps all that is in it, then goes', async () => {
    const { repository, path, worktree } = await stageWithWorktree();
    const work = commitInCheckout(path, { a: '2', '.gitignore': '*.log\n' });
    put(join(path, 'untracked'), 'x');
    put(join(path, 'staged'), 'x');
    runGit(path, ['add', 'staged']);
    runGit(path, ['update-index', '--assume-unchanged', 'dir/b']);
    put(join(path, 'dir/b'), 'hidden');
    put(join(path, 'x.log'), 'x');
    const removed = await removeWorktree(repository, { path, name: 'trees/t', who: WHO });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(worktree.gitDir)).toBe(false);
    const { ref = '', commit = '' } = removed.kept ?? {};
    expect((await readRef(repository, ref))?.id).toBe(commit);
    const { tree, parents } = await readCommit(repository, commit);
    // Behind HEAD come the ignored files and the index.
    expect([parents[0], parents.length]).toEqual([work, 3]);
    expect(await findInTree(repository, (await readCommit(repository, parents[1] ?? '')).tree, gitPath('x.log'))).toBeDefined();
    const b = await findInTree(repository, tree, gitPath('dir/b'));
    expect((await readBlob(repository, b?.id ?? '', { maxBytes: 10 })).toString()).toBe('hidden');
    for (const [name, there] of [['untracked', true], ['staged', true], ['x.log', false]] as const) {
      expect([name, (await findInTree(repository, tree, gitPath(name))) !== undefined]).toEqual([name, there]);
    }
  });

  test('without changes its commit is kept, so that a detached one is not lost', async () => {
    const { repository, path } = await stageWithWorktree();
    const work = commitInCheckout(path, { a: '2' });
    expect(await removeWorktree(repository, { path, name: 't', who: WHO })).toMatchObject({ kind: 'removed', kept: { commit: work } });
    expect((await readReceipts(repository)).receipts.at(-1)).toMatchObject({ kind: 'worktree', name: path, before: work, after: undefined, state: 'done' });
  });

  test('stays when something in it could not be kept', async () => {
    const { repository, path } = await stageWithWorktree();
    put(join(path, 'git~1'), 'only copy');
    expect(await removeWorktree(repository, { path, name: 't', who: WHO })).toMatchObject({ kind: 'refused', kept: { missed: ['git~1'] } });
    expect(readFileSync(join(path, 'git~1'), 'utf8')).toBe('only copy');
  });

  test('one whose folder is gone, one that is locked, one that nobody knows', async () => {
    const { repository, path, folder, tip } = await stageWithWorktree();
    runGit(folder, ['worktree', 'lock', path]);
    await expect(removeWorktree(repository, { path, name: 't', who: WHO })).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('locked') });
    runGit(folder, ['worktree', 'unlock', path]);
    rmSync(path, { recursive: true });
    expect(await listWorktrees(repository)).toMatchObject([{}, { path, missing: true }]);
    expect(await removeWorktree(repository, { path, name: 't', who: WHO })).toMatchObject({ kind: 'removed', kept: { commit: tip, missed: [] } });
    expect((await readRef(repository, `refs/drover/keep/t/${tip}`))?.id).toBe(tip);
    await expect(removeWorktree(repository, { path, name: 't', who: WHO })).rejects.toMatchObject({ code: 'worktree-unknown' });
  });

  test('of a bare repository, and before 2.36', async () => {
    const { repository, folder, home } = await emptyStage({ bare: true });
    const tip = await commitOf(repository, { a: '1' });
    await addWorktree(repository, { path: join(home, 't'), commit: tip, who: WHO });
    const expected = [{ path: folder, bare: true, head: undefined, missing: false }, { path: join(home, 't'), head: tip, branch: undefined }];
    expect(await listWorktrees(repository)).toMatchObject(expected);
    const old = { ...repository.git, version: { major: 2, minor: 35, text: '2.35.0' } };
    expect(await listWorktrees({ ...repository, git: old })).toMatchObject(expected);
  });
});

describe('many at once with worktrees', () => {
  // May take over 5 s: twenty changes, each of some ten calls of git, one after the other.
  test('twenty adds and removes: each is made or clearly refused, and nothing is orphaned', async () => {
    const { repository: quick, folder, home, tip } = await stageWith({ a: '1' });
    const repository = { ...quick, git: { ...quick.git, limitMs: 600_000 } };
    const old = Array.from({ length: 6 }, (_, n) => join(home, `old-${n}`));
    for (const path of old) runGit(folder, ['worktree', 'add', '-q', '--detach', path]);
    const add = (n: number, branch: number) =>
      addWorktree(repository, { path: join(home, `new-${n}`), commit: tip, branch: `refs/heads/task/${branch}`, who: WHO });
    const remove = (path: string) => removeWorktree(repository, { path, name: 't', who: WHO });
    const ends = await Promise.allSettled([
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((n) => add(n, n)),
      ...old.map(remove),
      // For the branch of the first, for the place of the second, for worktrees that go: one of them comes first.
      ...[8, 9].map((n) => add(n, 0)),
      ...[10, 11].map((branch) => add(1, branch)),
      ...old.slice(0, 2).map(remove),
    ]);
    const told = ends.map((end) => (end.status === 'fulfilled' ? end.value.kind : (end.reason as { code: string }).code)).sort();
    const counts = [...new Set(told)].map((kind) => [kind, told.filter((each) => each === kind).length]);
    expect(counts).toEqual([['added', 8], ['branch-exists', 2], ['git-failed', 2], ['removed', 6], ['worktree-unknown', 2]]);
    const trees = await listWorktrees(repository);
    expect(trees.every(({ path, missing }) => !missing && existsSync(join(path, '.git')))).toBe(true);
    const branches = (await listRefs(repository, 'refs/heads')).map(({ name }) => name);
    expect(trees.map(({ branch }) => branch).sort()).toEqual(branches);
    expect(trees).toHaveLength(9);
    expect(readdirSync(join(repository.commonDir, 'worktrees'))).toHaveLength(8);
  });

  test('wait for each other, until that takes too long or the host stops; then nothing is changed', async () => {
    const { repository, path, worktree, home, tip } = await stageWithWorktree();
    const atOnce = { ...worktree, git: { ...worktree.git, limitMs: 0 } };
    const stopped = { ...worktree, git: { ...worktree.git, signal: AbortSignal.abort(new RangeError('enough')) } };
    const request = { path: join(home, 't'), commit: tip, branch: 'refs/heads/t', who: WHO };
    const removal = { path, name: 't', who: WHO };
    const waiting = await aloneWithWorktrees(repository, async () => {
      for (const [from, refusal] of [[atOnce, { code: 'worktrees-busy' }], [stopped, { message: 'enough' }]] as const) {
        await expect(addWorktree(from, request)).rejects.toMatchObject(refusal);
        await expect(removeWorktree(from, removal)).rejects.toMatchObject(refusal);
      }
      expect(await readRef(repository, request.branch)).toBeUndefined();
      expect([existsSync(path), existsSync(request.path)]).toEqual([true, false]);
      return { added: addWorktree(worktree, request) };
    });
    expect(await waiting.added).toMatchObject({ kind: 'added' });
  });
});

describe('clones for agents', () => {
  async function withClone() {
    const stage = await stageWith({ a: '1' });
    put(join(stage.folder, '.git/hooks/post-checkout'), '#!/bin/sh\nexit 1\n', 0o755);
    runGit(stage.folder, ['config', 'core.pager', 'evil']);
    const request = { path: join(stage.home, 'clone'), commit: stage.tip, branch: 'refs/heads/work', name: 'clones/c', who: WHO };
    return { ...stage, clone: await cloneShared(stage.repository, request) };
  }

  test('have the files, share objects by reference, and take nothing else over', async () => {
    const { repository, clone, tip } = await withClone();
    expect(await readHead(clone)).toEqual({ kind: 'branch', ref: 'refs/heads/work', id: tip });
    expect(await readStatus(clone)).toEqual([]);
    expect(clone.key).not.toBe(repository.key);
    expect(readFileSync(join(clone.commonDir, 'config'), 'utf8')).not.toMatch(/evil|remote/);
    expect(existsSync(join(clone.commonDir, 'hooks'))).toBe(false);
    expect(readFileSync(join(clone.commonDir, 'objects/info/alternates'), 'utf8')).toBe(`${repository.commonDir}/objects\n`);
    expect((await readRef(repository, `refs/drover/keep/clones/c/${tip}`))?.id).toBe(tip);
    const own = runGit(clone.commonDir, ['count-objects', '-v']);
    expect(own).toMatch(/^count: 0$/m);
  });

  test('commits come back checked, and only then are in the source', async () => {
    const { repository, clone, tip } = await withClone();
    const source = repository.commonDir;
    const work = commitInCheckout(clone.topLevel ?? '', { a: '2', b: '3' });
    await expect(readCommit(repository, work)).rejects.toMatchObject({ code: 'object-missing' });
    const ref = await takeCommits(repository, clone, { tip: work, base: tip, name: 'taken/c', who: WHO });
    expect((await readRef(repository, ref))?.id).toBe(work);
    rmSync(clone.topLevel ?? '', { recursive: true });
    expect(await isAncestor(repository, { ancestor: tip, descendant: work })).toBe(true);
    expect(runGit(source, ['fsck', '--strict'])).toBe('');
    expect(readdirSync(join(source, 'drover/scratch'))).toEqual([]);
  });

  test('broken objects of a clone do not come in', async () => {
    const { repository, clone, tip } = await withClone();
    const work = commitInCheckout(clone.topLevel ?? '', { a: '2' });
    const blob = runGit(clone.topLevel ?? '', ['rev-parse', 'HEAD:a']);
    const file = join(clone.commonDir, 'objects', blob.slice(0, 2), blob.slice(2));
    rmSync(file);
    put(file, '');
    truncateSync(file, 0);
    await expect(takeCommits(repository, clone, { tip: work, base: tip, name: 'c', who: WHO })).rejects.toMatchObject({ code: 'git-failed' });
    expect((await listRefs(repository, 'refs/drover/keep/c'))).toEqual([]);
    expect(readdirSync(join(repository.commonDir, 'drover/scratch'))).toEqual([]);
  });

  test('of a shallow repository, in a folder with a line break, on an odd branch', async () => {
    const { home, folder, repository } = await stageWith({ a: '1' });
    commitInCheckout(folder, { a: '2' });
    const shallow = join(home, 'shal\nlow');
    runGit(home, ['clone', '-q', '--depth=1', `file://${folder}`, shallow]);
    const source = await openRepository(repository.git, shallow);
    const head = await readHead(source);
    const commit = 'id' in head ? head.id : '';
    const clone = await cloneShared(source, { path: join(home, 'c'), commit, branch: 'refs/heads/-x', name: 'c', who: WHO });
    expect(await readHead(clone)).toMatchObject({ ref: 'refs/heads/-x', id: commit });
    expect(runGit(clone.topLevel ?? '', ['log', '--format=%H'])).toBe(commit);
  });

  test('a place that is taken is left alone', async () => {
    const { repository, home, tip } = await stageWith({ a: '1' });
    mkdirSync(join(home, 'mine'));
    const request = { commit: tip, branch: 'refs/heads/x', name: 'c', who: WHO };
    await expect(cloneShared(repository, { path: join(home, 'mine'), ...request })).rejects.toMatchObject({ code: 'place-taken' });
    await expect(cloneShared(repository, { path: 'relative', ...request })).rejects.toMatchObject({ code: 'place-taken' });
    expect(readdirSync(join(home, 'mine'))).toEqual([]);
  });
});

test('the files of a checkout without a commit can be kept', async () => {
  const { repository, folder } = await emptyStage();
  put(join(folder, 'a'), '1');
  const { commit } = await keepFiles(repository, { name: 'x', who: WHO });
  expect((await readCommit(repository, commit)).parents).toEqual([]);
});

describe('locks of a repository', () => {
  const take = (repository: Repository, kind: Parameters<typeof tryRepositoryLock>[1]) => {
    const lock = tryRepositoryLock(repository, kind);
    if (lock === 'held') throw new TypeError('held');
    return lock;
  };

  test('are the same from each worktree and through a link, and apart by what they are for', async () => {
    const { repository, worktree, home, folder } = await stageWithWorktree();
    symlinkSync(folder, join(home, 'link'));
    const linked = await openRepository(repository.git, join(home, 'link'));
    const kinds = [
      { kind: 'landing', branch: 'refs/heads/main' },
      { kind: 'landing', branch: 'refs/heads/other' },
      { kind: 'checkout', path: folder },
      { kind: 'checkout', path: worktree.topLevel ?? '' },
    ] as const;
    const locks = kinds.map((kind) => take(repository, kind));
    for (const kind of kinds) expect([tryRepositoryLock(worktree, kind), tryRepositoryLock(linked, kind)]).toEqual(['held', 'held']);
    expect(tryRepositoryLock(repository, { kind: 'checkout', path: join(home, 'link') })).toBe('held');
    for (const lock of locks) lock.release();
    for (const kind of kinds) take(linked, kind).release();
  });

  test('are waited for, until somebody gives up', async () => {
    const { repository } = await emptyStage();
    const kind = { kind: 'landing', branch: 'refs/heads/main' } as const;
    const lock = take(repository, kind);
    const giveUp = new AbortController();
    const waiting = repositoryLock(repository, kind, { signal: giveUp.signal });
    giveUp.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const next = repositoryLock(repository, kind, { signal: new AbortController().signal });
    lock.release();
    (await next).release();
    expect(statSync(join(repository.commonDir, 'drover')).mode & 0o777).toBe(0o700);
  });

  test('name what they are for by rule', async () => {
    const { repository } = await emptyStage();
    expect(() => tryRepositoryLock(repository, { kind: 'landing', branch: 'main' })).toThrow(expect.objectContaining({ code: 'bad-ref-name' }));
  });
});
