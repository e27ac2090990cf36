import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  gitPath,
  keepFiles,
  listRefs,
  readCommit,
  readHead,
  removeWorktree,
} from '../../../../src/kernel/git/index.ts';
import { MOST_IGNORED } from '../../../../src/kernel/git/checkouts/kept-files.ts';
import { removeSurveyed, surveyFolder } from '../../../../src/kernel/git/checkouts/survey.ts';
import { commitInCheckout, put, runGit, stageWithWorktree, WHO } from '../../../support/git-repository.ts';

async function withWorktree(branch?: string) {
  const stage = await stageWithWorktree(branch);
  const remove = (expendable: readonly string[] = []) =>
    removeWorktree(stage.repository, { path: stage.path, name: 't', who: WHO, expendable: expendable.map(gitPath) });
  return { ...stage, remove };
}

/** Whether a blob of this text can be reached from what is kept, once all that nothing refers to is gone. */
function holds(folder: string, text: string): boolean {
  runGit(folder, ['reflog', 'expire', '--expire=now', '--all']);
  runGit(folder, ['gc', '-q', '--prune=now']);
  const id = runGit(folder, ['hash-object', '--stdin'], { input: text });
  return runGit(folder, ['rev-list', '--objects', '--glob=refs/drover/keep']).includes(id);
}

// These may take over 5 s on a busy machine: each removal makes about twenty calls of git.
describe('the removal of a worktree loses nothing', () => {
  test('that is ignored, by a file or by the repository', async () => {
    const { folder, path, remove } = await withWorktree();
    put(join(path, '.gitignore'), 'hidden\nout/\n');
    put(join(folder, '.git/info/exclude'), 'excluded\n');
    for (const [name, text] of [['hidden', 'one'], ['out/deep/file', 'two'], ['excluded', 'three']] as const) put(join(path, name), text);
    symlinkSync('nowhere-at-all', join(path, 'out/link'));
    expect(await remove()).toMatchObject({ kind: 'removed', kept: { missed: [], tooLarge: [] } });
    expect(existsSync(path)).toBe(false);
    for (const text of ['one', 'two', 'three', 'nowhere-at-all']) expect([text, holds(folder, text)]).toEqual([text, true]);
  });

  test('that is only staged', async () => {
    const { folder, path, remove } = await withWorktree();
    put(join(path, 'a'), 'staged only');
    runGit(path, ['add', 'a']);
    put(join(path, 'a'), 'in the file');
    expect(await remove()).toMatchObject({ kind: 'removed' });
    expect([holds(folder, 'staged only'), holds(folder, 'in the file')]).toEqual([true, true]);
  });

  test('that a conflict holds, nor the merge under way', async () => {
    const { repository, folder, path, tip, remove } = await withWorktree('refs/heads/task');
    runGit(path, ['checkout', '-q', '--detach', tip]);
    const theirs = commitInCheckout(path, { a: 'theirs' });
    runGit(path, ['checkout', '-q', 'task']);
    commitInCheckout(path, { a: 'ours' });
    expect(() => runGit(path, ['merge', theirs])).toThrow();
    const { kept } = (await remove()) as { kept: { commit: string } };
    expect((await readCommit(repository, kept.commit)).parents).toContain(theirs);
    for (const text of ['ours', 'theirs']) expect([text, holds(folder, text)]).toEqual([text, true]);
  });

  test('that a rebase under way has put aside, nor what only the log of HEAD knows', async () => {
    const { folder, path, tip, remove } = await withWorktree();
    commitInCheckout(path, { a: 'thrown away' });
    runGit(path, ['reset', '-q', '--hard', tip]);
    commitInCheckout(path, { a: 'onto' });
    const onto = runGit(path, ['rev-parse', 'HEAD']);
    runGit(path, ['reset', '-q', '--hard', tip]);
    commitInCheckout(path, { c: 'first' });
    commitInCheckout(path, { a: 'clash' });
    expect(() => runGit(path, ['rebase', onto])).toThrow();
    put(join(path, 'a'), 'half solved');
    expect(await remove()).toMatchObject({ kind: 'removed' });
    for (const text of ['thrown away', 'onto', 'first', 'clash', 'half solved']) expect([text, holds(folder, text)]).toEqual([text, true]);
  });

  test('of one whose folder is gone: staged content, and commits of its log', async () => {
    const { folder, path, tip, remove } = await withWorktree();
    commitInCheckout(path, { a: 'thrown away' });
    runGit(path, ['reset', '-q', '--hard', tip]);
    put(join(path, 'a'), 'staged only');
    runGit(path, ['add', 'a']);
    rmSync(path, { recursive: true });
    expect(await remove()).toMatchObject({ kind: 'removed', kept: { missed: [] } });
    for (const text of ['thrown away', 'staged only']) expect([text, holds(folder, text)]).toEqual([text, true]);
  });

  test('that rules for a sparse checkout hide', async () => {
    const { folder, path, remove } = await withWorktree();
    runGit(path, ['sparse-checkout', 'set', '--no-cone', '/a']);
    put(join(path, 'dir/b'), 'hidden change');
    put(join(path, 'dir/new'), 'hidden file');
    expect(await remove()).toMatchObject({ kind: 'removed' });
    for (const text of ['hidden change', 'hidden file']) expect([text, holds(folder, text)]).toEqual([text, true]);
  });

  test('and a clean one leaves no commit behind but its own', async () => {
    const { repository, path, remove } = await withWorktree();
    linkSync(join(path, 'a'), join(path, 'a2'));
    const work = commitInCheckout(path, {});
    expect(await remove()).toMatchObject({ kind: 'removed', kept: { commit: work } });
    expect((await listRefs(repository, 'refs/drover/keep')).map(({ id }) => id)).toEqual([work]);
  });
});

describe('a worktree stays, with what is in the way named', () => {
  test.each(['plain', 'ignored', 'with a file', 'worktree', 'foreign worktree'])('a repository inside (%s)', async (kind) => {
    const { repository, home, path, tip, remove } = await withWorktree();
    const inside = join(path, 'dir/inner');
    if (kind === 'ignored') put(join(path, '.gitignore'), 'dir/\n');
    if (kind === 'worktree') await addWorktree(repository, { path: inside, commit: tip, who: WHO });
    if (kind === 'foreign worktree') {
      const other = join(home, 'other');
      mkdirSync(other);
      runGit(other, ['init', '-q']);
      commitInCheckout(other, { z: '1' });
      runGit(other, ['worktree', 'add', '-q', inside]);
    }
    if (!kind.includes('worktree')) {
      mkdirSync(inside, { recursive: true });
      runGit(inside, ['init', '-q', ...(kind === 'with a file' ? ['--separate-git-dir', join(home, 'elsewhere')] : [])]);
      commitInCheckout(inside, { work: 'precious' });
    }
    put(join(inside, 'loose'), 'only copy');
    const refusal = { kind: 'refused', kept: undefined, obstacles: [{ reason: 'repository', path: 'dir/inner/' }] };
    expect(await remove()).toEqual(refusal);
    expect(await remove(['dir'])).toEqual(refusal);
    expect(readFileSync(join(inside, 'loose'), 'utf8')).toBe('only copy');
    rmSync(inside, { recursive: true });
    expect(await remove()).toMatchObject({ kind: 'removed' });
  });

  test('a submodule whose repository lies in the git folder', async () => {
    const { home, path, remove } = await withWorktree();
    const library = join(home, 'library');
    mkdirSync(library);
    runGit(library, ['init', '-q']);
    commitInCheckout(library, { z: '1' });
    runGit(path, ['submodule', '--quiet', 'add', library, 'sub']);
    rmSync(join(path, 'sub'), { recursive: true });
    expect(await remove()).toMatchObject({ kind: 'refused', obstacles: [{ reason: 'repository', path: '' }] });
    expect(existsSync(path)).toBe(true);
  });

  test('ignored files that are too large or too many, unless they were said to be expendable', async () => {
    const { folder, path, remove } = await withWorktree();
    put(join(path, '.gitignore'), 'build/\n*.img\n');
    put(join(path, 'build/deep/x'), '1');
    put(join(path, 'dir/disk.img'), '');
    truncateSync(join(path, 'dir/disk.img'), MOST_IGNORED.bytes);
    const obstacles = [{ reason: 'too-large', path: 'build/' }, { reason: 'too-large', path: 'dir/disk.img' }];
    expect(await remove()).toMatchObject({ kind: 'refused', obstacles });
    expect(existsSync(join(path, 'build/deep/x'))).toBe(true);
    put(join(path, 'dir/b'), 'tracked');
    expect(await remove(['dir'])).toMatchObject({ kind: 'removed', kept: { tooLarge: [] } });
    expect(holds(folder, 'tracked')).toBe(true);
  });

  test('what is written between the look and the removal is not removed, whatever its time stamp says', async () => {
    const { path } = await withWorktree();
    const before = await surveyFolder(path);
    put(join(path, 'a'), '2');
    put(join(path, 'dir/new'), 'x');
    expect(await removeSurveyed(path, before)).toEqual(['dir', 'a']);
    expect([readFileSync(join(path, 'a'), 'utf8'), readFileSync(join(path, 'dir/new'), 'utf8')]).toEqual(['2', 'x']);
    expect(existsSync(join(path, 'dir/b'))).toBe(false);
  });

  test('a folder that became a link is not followed', async () => {
    const { home, path } = await withWorktree();
    const before = await surveyFolder(path);
    put(join(home, 'outside/b'), 'mine');
    rmSync(join(path, 'dir'), { recursive: true });
    symlinkSync(join(home, 'outside'), join(path, 'dir'));
    expect(await removeSurveyed(path, before)).toEqual(['dir/b', 'dir']);
    expect(readFileSync(join(home, 'outside/b'), 'utf8')).toBe('mine');
  });

  test('the main checkout', async () => {
    const { repository, folder } = await withWorktree();
    await expect(removeWorktree(repository, { path: folder, name: 't', who: WHO })).rejects.toMatchObject({ code: 'git-failed' });
    expect(existsSync(join(folder, 'a'))).toBe(true);
  });
});

describe('a .git that an agent wrote', () => {
  async function withForeign() {
    const stage = await withWorktree();
    const foreign = join(stage.home, 'foreign');
    mkdirSync(foreign);
    runGit(foreign, ['init', '-q']);
    commitInCheckout(foreign, { f: '1' });
    const refsOf = () => runGit(foreign, ['for-each-ref']);
    return { ...stage, foreign, refsOf, refs: refsOf() };
  }

  test('of a worktree: the foreign repository gets no refs, and the worktree stays', async () => {
    const { path, foreign, remove, refsOf, refs } = await withForeign();
    put(join(path, 'work'), 'mine');
    for (const content of [`gitdir: ${join(foreign, '.git')}\n`, 'junk']) {
      put(join(path, '.git'), content);
      await expect(remove()).rejects.toMatchObject({ code: 'worktree-misled' });
    }
    rmSync(join(path, '.git'));
    symlinkSync(join(foreign, '.git'), join(path, '.git'));
    await expect(remove()).rejects.toMatchObject({ code: 'worktree-misled' });
    expect(refsOf()).toBe(refs);
    expect(readFileSync(join(path, 'work'), 'utf8')).toBe('mine');
  });

  test('another worktree whose git folder claims the same place: neither is touched', async () => {
    const { repository, home, path, tip, remove } = await withForeign();
    await addWorktree(repository, { path: join(home, 'second'), commit: tip, who: WHO });
    put(join(repository.commonDir, 'worktrees/second/gitdir'), `${path}/.git\n`);
    put(join(path, 'work'), 'mine');
    await expect(remove()).rejects.toMatchObject({ code: 'worktree-misled' });
    rmSync(path, { recursive: true });
    await expect(remove()).rejects.toMatchObject({ code: 'worktree-misled' });
    expect(readdirSync(join(repository.commonDir, 'worktrees')).sort()).toEqual(['second', 'tree']);
  });

  test.each(['link', 'file'])('of a repository that was opened before: a %s in its place is not followed', async (kind) => {
    const { repository, folder, foreign, refsOf, refs } = await withForeign();
    rmSync(join(folder, '.git'), { recursive: true });
    if (kind === 'link') symlinkSync(join(foreign, '.git'), join(folder, '.git'));
    if (kind === 'file') put(join(folder, '.git'), `gitdir: ${join(foreign, '.git')}\n`);
    const calls: (() => Promise<unknown>)[] = [() => keepFiles(repository, { name: 'x', who: WHO }), () => readHead(repository), () => listRefs(repository)];
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: expect.stringMatching(/^(repository-replaced|not-a-directory|symlink-refused)$/) });
    expect(refsOf()).toBe(refs);
  });
});
