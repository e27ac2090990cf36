import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  changedPaths,
  emptyTree,
  gitPath,
  listTree,
  mergeTrees,
  patchBetween,
  readBlob,
  writeBlob,
  writeTree,
  readCommit,
  findInTree,
  type ObjectId,
  type Repository,
} from '../../../../src/kernel/git/index.ts';
import { commitOf, emptyStage, put, runGit } from '../../../support/git-repository.ts';

async function textAt(repository: Repository, tree: ObjectId, path: string): Promise<string | undefined> {
  const entry = await findInTree(repository, tree, gitPath(path));
  return entry && (await readBlob(repository, entry.id, { maxBytes: 10_000 })).toString();
}

describe('changes between trees', () => {
  test('added, taken out, changed, of another kind; a rename is two', async () => {
    const { repository } = await emptyStage();
    const [one, two] = [await writeBlob(repository, '1'), await writeBlob(repository, '2')];
    const before = await writeTree(repository, [
      { path: gitPath('gone'), kind: 'file', id: one },
      { path: gitPath('dir/edited'), kind: 'file', id: one },
      { path: gitPath('kind'), kind: 'file', id: one },
      { path: gitPath('same'), kind: 'file', id: one },
    ]);
    const after = await writeTree(repository, [
      { path: gitPath('come'), kind: 'file', id: one },
      { path: gitPath('dir/edited'), kind: 'file', id: two },
      { path: gitPath('kind'), kind: 'executable', id: one },
      { path: gitPath('same'), kind: 'file', id: one },
    ]);
    const file = { kind: 'file', id: one };
    expect(await changedPaths(repository, { before, after })).toEqual([
      { path: 'come', before: undefined, after: file },
      { path: 'dir/edited', before: file, after: { kind: 'file', id: two } },
      { path: 'gone', before: file, after: undefined },
      { path: 'kind', before: file, after: { kind: 'executable', id: one } },
    ]);
    expect(await changedPaths(repository, { before, after: before })).toEqual([]);
    expect(await changedPaths(repository, { before: emptyTree(repository), after })).toHaveLength(4);
  });

  test('a patch rebuilds the tree, binary files too, whatever the person configured for looking at changes', async () => {
    const { repository, folder } = await emptyStage();
    const settings = '[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\tcontext = 0\n\trenames = copies\n[color]\n\tui = always\n';
    put(join(folder, '.git/config'), settings);
    const binary = await writeBlob(repository, Buffer.from([0, 1, 2, 255]));
    const text = await writeBlob(repository, 'a\nb\nc\n');
    const before = await writeTree(repository, [{ path: gitPath('t'), kind: 'file', id: text }]);
    const after = await writeTree(repository, [
      { path: gitPath('b ä'), kind: 'executable', id: binary },
      { path: gitPath('moved'), kind: 'file', id: text },
    ]);
    const patch = await patchBetween(repository, { before, after, maxBytes: 10_000 });
    runGit(folder, ['read-tree', before]);
    runGit(folder, ['apply', '--cached'], { input: patch });
    expect(runGit(folder, ['write-tree'])).toBe(after);
    await expect(patchBetween(repository, { before, after, maxBytes: 50 })).rejects.toMatchObject({ code: 'git-output-too-large' });
  });
});

describe('merging in the object store', () => {
  async function sides() {
    const stage = await emptyStage();
    const base = await commitOf(stage.repository, { a: '1\n', b: '1\n' });
    return { ...stage, base };
  }

  test('both changes stand in the tree; nothing else moved', async () => {
    const { repository, folder, base } = await sides();
    const ours = await commitOf(repository, { a: '2\n', b: '1\n' }, [base]);
    const theirs = await commitOf(repository, { a: '1\n', b: '2\n', c: '3\n' }, [base]);
    const merged = await mergeTrees(repository, { ours, theirs });
    expect(merged.kind).toBe('merged');
    const texts = ['a', 'b', 'c'].map((path) => textAt(repository, merged.tree, path));
    expect(await Promise.all(texts)).toEqual(['2\n', '2\n', '3\n']);
    expect(runGit(folder, ['status', '--porcelain'])).toBe('');
    expect(runGit(folder, ['for-each-ref'])).toBe('');
  });

  test('a conflict names its paths once, and leaves marks to look at', async () => {
    const { repository, base } = await sides();
    const ours = await commitOf(repository, { a: '2\n', b: '1\n' }, [base]);
    const theirs = await commitOf(repository, { a: '3\n' }, [base]);
    const outcome = await mergeTrees(repository, { ours, theirs });
    expect(outcome).toMatchObject({ kind: 'conflict', paths: ['a'] });
    expect(await textAt(repository, outcome.tree, 'a')).toContain('<<<<<<<');
  });

  test('conflicts of odd names are told byte for byte', async () => {
    const { repository } = await emptyStage();
    const name = 'x\n\t"ü';
    const [base, ours, theirs] = [
      await commitOf(repository, { [name]: '1\n' }),
      await commitOf(repository, { [name]: '2\n' }),
      await commitOf(repository, { [name]: '3\n' }),
    ];
    expect(await mergeTrees(repository, { ours, theirs, base })).toMatchObject({ kind: 'conflict', paths: [gitPath(name)] });
  });

  test('with a base of our own it is a cherry-pick', async () => {
    const { repository, base } = await sides();
    const skipped = await commitOf(repository, { a: '1\n', b: '9\n' }, [base]);
    const picked = await commitOf(repository, { a: '1\n', b: '9\n', c: '3\n' }, [skipped]);
    const onto = await commitOf(repository, { a: '5\n', b: '1\n' }, [base]);
    const outcome = await mergeTrees(repository, { ours: onto, theirs: picked, base: skipped });
    expect(outcome.kind).toBe('merged');
    expect((await listTree(repository, outcome.tree)).map(({ path }) => path)).toEqual(['a', 'b', 'c']);
    expect(await textAt(repository, outcome.tree, 'b')).toBe('1\n');
  });

  test('histories that never met are an error; an old git says which one is needed', async () => {
    const { repository, base } = await sides();
    const stranger = await commitOf(repository, { z: '1\n' });
    await expect(mergeTrees(repository, { ours: base, theirs: stranger })).rejects.toMatchObject({ code: 'git-failed' });
    const old = { ...repository, git: { ...repository.git, version: { major: 2, minor: 37, text: '2.37.1' } } };
    await expect(mergeTrees(old, { ours: base, theirs: base })).rejects.toMatchObject({ code: 'git-too-old' });
  });

  test('attributes in anybody\'s checkout have no say', async () => {
    const { repository, folder, base } = await sides();
    put(join(folder, '.gitattributes'), 'a merge=union\n');
    const ours = await commitOf(repository, { a: '2\n' }, [base]);
    const theirs = await commitOf(repository, { a: '3\n' }, [base]);
    expect((await mergeTrees(repository, { ours, theirs })).kind).toBe('conflict');
    expect((await readCommit(repository, ours)).parents).toEqual([base]);
  });
});
