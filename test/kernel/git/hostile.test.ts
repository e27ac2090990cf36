import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  assertUnchanged,
  changedPaths,
  cloneShared,
  commitTree,
  deleteRef,
  isAncestor,
  keepRef,
  listRefs,
  listTree,
  listWorktrees,
  mergeBases,
  mergeTrees,
  moveRef,
  openRepository,
  patchBetween,
  readBlob,
  readCommit,
  readHead,
  readStatus,
  recordCommit,
  removeWorktree,
  resolveCommit,
  snapshotConfiguration,
  snapshotFiles,
  takeCommits,
  writeBlob,
  writeTree,
  type Repository,
} from '../../../src/kernel/git/index.ts';
import { canaryIn, commitInCheckout, commitOf, put, runGit, SIGNATURE, stageWith, WHO } from '../../support/git-repository.ts';

/** Everything by which a configuration makes git start a program, but for filters and merge drivers. */
const hostileSettings = (program: string): string => `
[core]
	fsmonitor = ${program}
	hooksPath = ../evil-hooks
	pager = ${program}
	editor = ${program}
	sshCommand = ${program}
	gitProxy = ${program}
	askPass = ${program}
	alternateRefsCommand = ${program}
	untrackedCache = true
	splitIndex = true
[pager]
	diff = ${program}
	status = ${program}
[diff]
	external = ${program}
[diff "evil"]
	command = ${program}
	textconv = ${program}
[interactive]
	diffFilter = ${program}
[gpg]
	program = ${program}
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[log]
	showSignature = true
[credential]
	helper = !${program}
[alias]
	status = !${program}
	update-ref = !${program}
[protocol "ext"]
	allow = always
[protocol]
	allow = always
[remote "origin"]
	url = ext::${program}
	uploadpack = ${program}
	promisor = true
	partialclonefilter = blob:none
[extensions]
	partialClone = origin
[gc]
	auto = 1
	autoDetach = false
[submodule]
	recurse = true
[submodule "sub"]
	url = ext::${program}
	update = !${program}
	active = true
[uploadpack]
	packObjectsHook = ${program}
[sendemail]
	toCmd = ${program}
[sequence]
	editor = ${program}
[help]
	autoCorrect = immediate
`;

const HOOKS = ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit', 'post-commit', 'commit-msg', 'prepare-commit-msg', 'pre-auto-gc', 'post-rewrite', 'fsmonitor-watchman', 'post-merge', 'pre-push', 'update', 'pre-receive'];

async function hostileStage() {
  const stage = await stageWith({ a: '1', '.gitattributes': '* diff=evil\n', '.gitmodules': '[submodule "sub"]\n\tpath = sub\n\turl = ext::evil\n' });
  const canary = canaryIn(stage.home);
  appendFileSync(join(stage.folder, '.git/config'), hostileSettings(canary.program));
  for (const folder of ['.git/hooks', '.git/evil-hooks', 'evil-hooks', '../evil-hooks']) {
    mkdirSync(join(stage.folder, folder), { recursive: true });
    for (const hook of HOOKS) symlinkSync(canary.program, join(stage.folder, folder, hook));
  }
  return { ...stage, canary };
}

/** Each function of the room once. */
async function everything({ repository, home, tip }: { repository: Repository; home: string; tip: string }): Promise<void> {
  const folder = repository.topLevel ?? '';
  await openRepository(repository.git, folder);
  const blob = await writeBlob(repository, '2');
  const [entry] = await listTree(repository, tip);
  const tree = await writeTree(repository, entry === undefined ? [] : [{ ...entry, kind: 'file', id: blob }], { base: tip });
  const commit = await commitTree(repository, { tree, parents: [tip], author: SIGNATURE, committer: SIGNATURE, message: 'm\n' });
  const other = await commitOf(repository, { z: '1' }, [tip]);
  await readBlob(repository, blob, { maxBytes: 10 });
  await readCommit(repository, commit);
  await changedPaths(repository, { before: tip, after: commit });
  await patchBetween(repository, { before: tip, after: commit, maxBytes: 100_000 });
  await mergeTrees(repository, { ours: commit, theirs: other });
  await mergeBases(repository, commit, other);
  await isAncestor(repository, { ancestor: tip, descendant: commit });
  const why = { who: WHO, reason: 'x' };
  await moveRef(repository, { ref: 'refs/heads/x', from: undefined, to: commit, ...why });
  await keepRef(repository, { id: other, name: 'k', ...why });
  await deleteRef(repository, { ref: 'refs/heads/x', from: commit, ...why });
  await listRefs(repository);
  await readHead(repository);
  await resolveCommit(repository, 'main');
  put(join(folder, 'a'), 'changed');
  put(join(folder, 'new'), 'changed');
  await readStatus(repository, { ignored: 'told' });
  await snapshotFiles(repository, { index: 'trusted' });
  await snapshotFiles(repository, { index: 'doubted' });
  await recordCommit(repository, { paths: 'all', author: SIGNATURE, who: WHO, message: 'm\n' });
  await addWorktree(repository, { path: join(home, 'tree'), commit, branch: 'refs/heads/tree', who: WHO });
  put(join(home, 'tree/a'), 'changed');
  await listWorktrees(repository);
  await removeWorktree(repository, { path: join(home, 'tree'), name: 't', who: WHO });
  const clone = await cloneShared(repository, { path: join(home, 'clone'), commit, branch: 'refs/heads/w', name: 'c', who: WHO });
  const work = await commitOf(clone, { y: '1' }, [commit]);
  await takeCommits(repository, clone, { tip: work, base: commit, name: 'w', who: WHO });
}

describe('a repository whose configuration wants to run programs', () => {
  // Over 5 s on a busy machine: each function of the room is called, about 150 calls of git.
  test('gets none of them run by any of our calls', async () => {
    const stage = await hostileStage();
    await everything(stage);
    expect(stage.canary.sang()).toBe(false);
  });

  test('would have run them for a person (the canary can sing)', async () => {
    const { folder, canary } = await hostileStage();
    put(join(folder, 'a'), 'changed');
    runGit(folder, ['diff', '--ext-diff']);
    expect(canary.sang()).toBe(true);
  });

  test('a missing object is not fetched', async () => {
    const { repository, canary } = await hostileStage();
    await expect(readBlob(repository, '1'.repeat(40), { maxBytes: 1 })).rejects.toMatchObject({ code: 'object-missing' });
    expect(canary.sang()).toBe(false);
  });
});

describe('programs that a trusted configuration may name', () => {
  async function withFilter() {
    const stage = await stageWith({ a: 'plain\n' });
    const before = await snapshotConfiguration(stage.repository);
    const canary = canaryIn(stage.home);
    appendFileSync(join(stage.folder, '.git/config'), `[filter "up"]\n\tclean = ${canary.program}\n\tsmudge = ${canary.program}\n`);
    put(join(stage.folder, '.gitattributes'), '* filter=up\n');
    put(join(stage.folder, 'a'), 'changed\n');
    return { ...stage, before, canary };
  }

  test('a filter runs where a commit would run it, and nowhere else', async () => {
    const { repository, folder, canary, tip } = await withFilter();
    const blob = await writeBlob(repository, 'x');
    await readBlob(repository, blob, { maxBytes: 10 });
    const commit = await commitOf(repository, { a: '2' }, [tip]);
    await patchBetween(repository, { before: tip, after: commit, maxBytes: 10_000 });
    await mergeTrees(repository, { ours: commit, theirs: tip });
    expect(canary.sang()).toBe(false);
    await snapshotFiles(repository, { index: 'trusted' });
    expect(canary.sang()).toBe(true);
    expect(folder).toBe(repository.topLevel);
  });

  test('one that came while an agent worked stops everything before git is started', async () => {
    const { repository, before, canary } = await withFilter();
    const refused = { code: 'repository-tampered', message: expect.stringMatching(/\.git\/config changed \(filter\.up\.clean, filter\.up\.smudge\)/) };
    await expect(assertUnchanged(repository, before)).rejects.toMatchObject(refused);
    expect(canary.sang()).toBe(false);
  });
});

describe('a repository that leads elsewhere', () => {
  test('a commondir that was put in later is found before any git runs', async () => {
    const { repository, folder, home } = await stageWith({ a: '1' });
    const before = await snapshotConfiguration(repository);
    runGit(home, ['init', '-q', 'evil']);
    put(join(folder, '.git/commondir'), `${join(home, 'evil/.git')}\n`);
    await expect(assertUnchanged(repository, before)).rejects.toMatchObject({ code: 'repository-tampered' });
  });

  test('a submodule with a hostile address and a configuration of its own is not entered', async () => {
    const { repository, folder, home } = await stageWith({ a: '1' });
    const canary = canaryIn(home);
    runGit(folder, ['init', '-q', 'sub']);
    commitInCheckout(join(folder, 'sub'), { b: '1' });
    appendFileSync(join(folder, '.gitmodules'), '[submodule "sub"]\n\tpath = sub\n\turl = ext::evil\n');
    commitInCheckout(folder, {});
    appendFileSync(join(folder, 'sub/.git/config'), hostileSettings(canary.program) + `[filter "up"]\n\tclean = ${canary.program}\n`);
    put(join(folder, 'sub/.gitattributes'), '* filter=up\n');
    put(join(folder, 'sub/b'), 'changed');
    expect(await readStatus(repository)).toEqual([]);
    await snapshotFiles(repository, { index: 'doubted' });
    await recordCommit(repository, { paths: 'all', author: SIGNATURE, who: WHO, message: 'm\n' });
    expect(canary.sang()).toBe(false);
  });

  test('a deep checkout with a link for a folder is not followed out of it', async () => {
    const { repository, folder, home } = await stageWith({ 'dir/a': '1' });
    put(join(home, 'outside/a'), 'secret');
    execFileSync('rm', ['-r', join(folder, 'dir')]);
    symlinkSync(join(home, 'outside'), join(folder, 'dir'));
    const { tree } = await snapshotFiles(repository, { index: 'doubted' });
    expect(await listTree(repository, tree)).toMatchObject([{ path: 'dir', kind: 'link' }]);
  });
});
