import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  displayPath,
  findInTree,
  gitPath,
  listTree,
  moveRef,
  openRepository,
  readBlob,
  readCommit,
  readHead,
  readStatus,
  recordCommit,
  snapshotFiles,
} from '../../../../src/kernel/git/index.ts';
import { commitOf, emptyStage, put, runGit, SIGNATURE, stageWith, WHO } from '../../../support/git-repository.ts';

const TRUSTED = { index: 'trusted' } as const;
const DOUBTED = { index: 'doubted' } as const;

describe('status', () => {
  test('each kind of difference', async () => {
    const { repository, folder } = await stageWith({ same: '1', edited: '1', staged: '1', gone: '1', both: '1', old: 'x\n'.repeat(20), '.gitignore': '*.log\n' });
    put(join(folder, 'edited'), '2');
    put(join(folder, 'staged'), '2');
    put(join(folder, 'both'), '2');
    runGit(folder, ['add', 'staged', 'both']);
    put(join(folder, 'both'), '3');
    rmSync(join(folder, 'gone'));
    runGit(folder, ['mv', 'old', 'new name']);
    put(join(folder, 'new/file'), '');
    put(join(folder, 'x.log'), '');
    const changed = (path: string, staged?: string, unstaged?: string, source?: string) => ({ path, kind: 'changed', staged, unstaged, source });
    expect(await readStatus(repository)).toEqual([
      changed('both', 'modified', 'modified'),
      changed('edited', undefined, 'modified'),
      changed('gone', undefined, 'deleted'),
      changed('new name', 'renamed', undefined, 'old'),
      changed('staged', 'modified'),
      { path: 'new/file', kind: 'untracked' },
    ]);
    expect(await readStatus(repository, { ignored: 'told' })).toContainEqual({ path: 'x.log', kind: 'ignored' });
  });

  test('conflicts, a nested repository, a checkout without a commit, a clean one', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, 'a'), '1');
    expect(await readStatus(repository)).toEqual([{ path: 'a', kind: 'untracked' }]);
    runGit(folder, ['add', '-A']);
    expect(await readStatus(repository)).toMatchObject([{ path: 'a', staged: 'added' }]);
    runGit(folder, ['commit', '-q', '-m', 'a']);
    expect(await readStatus(repository)).toEqual([]);
    runGit(folder, ['checkout', '-q', '-b', 'other']);
    put(join(folder, 'a'), '2');
    runGit(folder, ['commit', '-q', '-am', 'b']);
    runGit(folder, ['checkout', '-q', 'main']);
    put(join(folder, 'a'), '3');
    runGit(folder, ['commit', '-q', '-am', 'c']);
    expect(() => runGit(folder, ['merge', 'other'])).toThrow();
    runGit(folder, ['init', '-q', 'nested']);
    expect(await readStatus(repository)).toEqual([{ path: 'a', kind: 'conflicted' }, { path: 'nested/', kind: 'untracked' }]);
  });

  test('reads only: the index is not written, and a held index.lock is no obstacle', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    const index = join(folder, '.git/index');
    writeFileSync(join(folder, 'a'), '1');
    put(`${index}.lock`, '');
    const stamp = () => {
      const { ino, mtimeNs, ctimeNs } = statSync(index, { bigint: true });
      return { ino, mtimeNs, ctimeNs };
    };
    const before = stamp();
    expect(await readStatus(repository)).toEqual([]);
    expect(stamp()).toEqual(before);
  });

  test('needs a checkout', async () => {
    const { repository } = await emptyStage({ bare: true });
    await expect(readStatus(repository)).rejects.toMatchObject({ code: 'no-checkout' });
  });
});

describe('a snapshot of the files', () => {
  test('is the tree that add and commit would give; the index of the person stays as it is', async () => {
    const { repository, folder } = await stageWith({ a: '1', gone: '1', '.gitignore': '*.log\n' });
    put(join(folder, 'a'), '2');
    put(join(folder, 'deep/er/b'), 'new', 0o755);
    put(join(folder, 'x.log'), 'ignored');
    symlinkSync('a', join(folder, 'link'));
    rmSync(join(folder, 'gone'));
    const index = readFileSync(join(folder, '.git/index'));
    const [trusted, doubted] = [await snapshotFiles(repository, TRUSTED), await snapshotFiles(repository, DOUBTED)];
    expect(readFileSync(join(folder, '.git/index'))).toEqual(index);
    runGit(folder, ['add', '-A']);
    expect(trusted).toEqual({ tree: runGit(folder, ['write-tree']), missed: [] });
    expect(doubted).toEqual(trusted);
    const entries = (await listTree(repository, trusted.tree)).map(({ path, kind }) => `${path} ${kind}`);
    expect(entries).toEqual(['.gitignore file', 'a file', 'deep/er/b executable', 'link link']);
  });

  test('files that an agent marked as unchanged are seen when its index is doubted', async () => {
    const { repository, folder } = await stageWith({ a: '1', b: '1' });
    runGit(folder, ['update-index', '--assume-unchanged', 'a']);
    runGit(folder, ['update-index', '--skip-worktree', 'b']);
    put(join(folder, 'a'), 'evil');
    put(join(folder, 'b'), 'evil');
    const { tree } = await snapshotFiles(repository, DOUBTED);
    const ids = (await listTree(repository, tree)).map(({ id }) => id);
    for (const id of ids) expect((await readBlob(repository, id, { maxBytes: 10 })).toString()).toBe('evil');
  });

  test('a file that was written in the same second as the index is read, whenever the snapshot is taken', async () => {
    const { repository, folder } = await emptyStage();
    const [file, second] = [join(folder, 'a'), 1_700_000_000];
    put(file, '1');
    utimesSync(file, second, second);
    runGit(folder, ['config', 'core.trustCtime', 'false']);
    runGit(folder, ['add', 'a']);
    utimesSync(join(folder, '.git/index'), second, second);
    writeFileSync(file, '2');
    utimesSync(file, second, second);
    const { tree } = await snapshotFiles(repository, TRUSTED);
    const [entry] = await listTree(repository, tree);
    expect((await readBlob(repository, entry?.id ?? '', { maxBytes: 10 })).toString()).toBe('2');
  });

  test('a sparse checkout: what is left out on purpose stays in the tree', async () => {
    const { repository, folder, tip } = await stageWith({ 'in/a': '1', 'out/b': '1' });
    runGit(folder, ['sparse-checkout', 'set', 'in']);
    expect(existsSync(join(folder, 'out/b'))).toBe(false);
    const { tree } = await readCommit(repository, tip);
    for (const options of [TRUSTED, DOUBTED]) expect(await snapshotFiles(repository, options)).toEqual({ tree, missed: [] });
  });

  test('before the first commit, before the first add, with a held index.lock', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, 'a'), '1');
    put(join(folder, '.git/index.lock'), '');
    const trusted = await snapshotFiles(repository, TRUSTED);
    expect(await snapshotFiles(repository, DOUBTED)).toEqual(trusted);
    expect(await listTree(repository, trusted.tree)).toMatchObject([{ path: 'a' }]);
  });

  test('what git does not take is told, and the rest is there', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    put(join(folder, 'git~1'), 'x');
    put(join(folder, 'sub/.GIT/config'), 'x');
    put(join(folder, 'fine'), 'x');
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { tree, missed } = await snapshotFiles(repository, TRUSTED);
    expect(missed.map(displayPath)).toEqual(['git~1', 'sub/.GIT/config']);
    expect((await listTree(repository, tree)).map(({ path }) => path)).toEqual(['a', 'fine']);
  });

  test('a repository inside counts by its commit', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    mkdirSync(join(folder, 'nested'));
    runGit(join(folder, 'nested'), ['init', '-q']);
    runGit(join(folder, 'nested'), ['commit', '-q', '--allow-empty', '-m', 'x']);
    const { tree } = await snapshotFiles(repository, TRUSTED);
    expect(await findInTree(repository, tree, gitPath('nested'))).toMatchObject({ kind: 'module' });
  });
});

describe('committing what is in a checkout', () => {
  const request = (paths: 'all' | readonly string[], message = 'work\n') => ({
    paths: paths === 'all' ? paths : paths.map(gitPath),
    author: SIGNATURE,
    who: WHO,
    message,
  });

  test('all, or some paths by their very names; nothing to do is told', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1', b: '1', gone: '1' });
    expect(await recordCommit(repository, request('all'))).toEqual({ kind: 'nothing' });
    for (const path of ['a', 'b', '*', ':(glob)**', '-x', 'new line\n']) put(join(folder, path), '2');
    rmSync(join(folder, 'gone'));
    const outcome = await recordCommit(repository, request(['*', ':(glob)**', '-x', 'new line\n', 'gone']));
    expect(outcome.kind).toBe('committed');
    expect((await readStatus(repository)).map(({ path }) => path)).toEqual(['a', 'b']);
    const head = await readHead(repository);
    expect(head).toMatchObject({ kind: 'branch', ref: 'refs/heads/main' });
    expect(await readCommit(repository, 'id' in head ? head.id : '')).toMatchObject({ parents: [tip], author: SIGNATURE, message: 'work\n' });
    expect((await recordCommit(repository, request('all'))).kind).toBe('committed');
    expect(await readStatus(repository)).toEqual([]);
  });

  test('the first commit of a branch', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, 'a'), '1');
    const outcome = await recordCommit(repository, request('all'));
    expect(await readHead(repository)).toMatchObject({ kind: 'branch', id: outcome.kind === 'committed' ? outcome.commit : '' });
  });

  test('no branch, no such path, a held lock: told by name, nothing removed', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    await expect(recordCommit(repository, request(['none']))).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('none') });
    put(join(folder, 'a'), '2');
    const lock = join(folder, '.git/index.lock');
    put(lock, '');
    await expect(recordCommit(repository, request('all'))).rejects.toMatchObject({ code: 'git-locked', message: expect.stringContaining(lock) });
    expect(existsSync(lock)).toBe(true);
    rmSync(lock);
    runGit(folder, ['checkout', '-q', '--detach', tip]);
    await expect(recordCommit(repository, request('all'))).rejects.toMatchObject({ code: 'head-detached' });
  });

  test('a name that git refuses stops it', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    put(join(folder, 'git~1'), 'x');
    await expect(recordCommit(repository, request('all'))).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('git~1') });
  });

  test('a branch that moved meanwhile is not overwritten', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    const other = await commitOf(repository, { z: '1' }, [tip]);
    put(join(folder, 'a'), '2');
    const opened = await openRepository(repository.git, folder);
    const [recorded, moved] = await Promise.all([
      recordCommit(opened, request('all')),
      moveRef(repository, { ref: 'refs/heads/main', from: tip, to: other, who: WHO, reason: 'race' }),
    ]);
    expect([recorded.kind, moved.kind].filter((kind) => kind === 'moved-on')).toHaveLength(1);
  });
});
