import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addWorktree,
  cloneShared,
  commitTree,
  emptyTree,
  gitPath,
  keepRef,
  listRefs,
  moveRef,
  openRepository,
  pathFromBytes,
  readReceipts,
  recordCommit,
  removeWorktree,
  resolveCommit,
  tryRepositoryLock,
  writeBlob,
} from '../../../src/kernel/git/index.ts';
import { runGit, SIGNATURE, stageWith, WHO } from '../../support/git-repository.ts';

const HALVES = ['a\ud800', '\udfffb', '\udc00\ud800'];

test.each(HALVES)('half of a character pair (%j) never reaches git as another character', async (half) => {
  const { repository, folder, home, tip } = await stageWith({ a: '1' });
  const refs = await listRefs(repository);
  const tree = emptyTree(repository);
  const commit = { tree, parents: [tip], author: SIGNATURE, committer: SIGNATURE, message: 'm\n' };
  const move = { ref: 'refs/heads/x', from: undefined, to: tip, who: WHO, reason: 'x' };
  const place = join(home, half);
  const whos = [{ ...WHO, name: half }, { ...WHO, email: half }];
  const badText = [
    () => commitTree(repository, { ...commit, message: half }),
    ...whos.flatMap((who) => [
      () => commitTree(repository, { ...commit, author: { ...SIGNATURE, ...who } }),
      () => commitTree(repository, { ...commit, committer: { ...SIGNATURE, ...who } }),
      () => moveRef(repository, { ...move, who }),
      () => addWorktree(repository, { path: join(home, 't'), commit: tip, who }),
    ]),
    () => moveRef(repository, { ...move, reason: half }),
    () => writeBlob(repository, half),
    () => recordCommit(repository, { paths: 'all', author: SIGNATURE, who: WHO, message: half }),
    () => addWorktree(repository, { path: place, commit: tip, who: WHO }),
    () => removeWorktree(repository, { path: place, name: 't', who: WHO }),
    () => cloneShared(repository, { path: place, commit: tip, branch: 'refs/heads/w', name: 'c', who: WHO }),
    () => openRepository(repository.git, place),
    async () => tryRepositoryLock(repository, { kind: 'checkout', path: place }),
    async () => gitPath(half),
  ];
  for (const [at, act] of badText.entries()) await expect(act(), `act ${at}`).rejects.toMatchObject({ code: 'bad-git-text' });
  const badName = { code: 'bad-ref-name' };
  await expect(moveRef(repository, { ...move, ref: `refs/heads/${half}` })).rejects.toMatchObject(badName);
  await expect(keepRef(repository, { id: tip, name: half, who: WHO, reason: 'x' })).rejects.toMatchObject(badName);
  const clone = { path: join(home, 'c'), commit: tip, name: 'c', who: WHO };
  await expect(cloneShared(repository, { ...clone, branch: `refs/heads/${half}` })).rejects.toMatchObject(badName);
  await expect(resolveCommit(repository, half)).rejects.toMatchObject({ code: 'unknown-revision' });
  expect(await listRefs(repository)).toEqual(refs);
  expect((await readReceipts(repository)).receipts).toEqual([]);
  expect(readdirSync(home).sort()).toEqual(['project', 'receipts']);
  expect(runGit(folder, ['rev-parse', 'HEAD'])).toBe(tip);
});

test('a NUL is refused where it would end a text or make two paths of one', async () => {
  const { repository, tip } = await stageWith({ a: '1' });
  const who = { ...WHO, name: 'a\0b' };
  await expect(moveRef(repository, { ref: 'refs/heads/x', from: undefined, to: tip, who, reason: 'x' })).rejects.toMatchObject({ code: 'bad-git-text' });
  expect(() => gitPath('a\0b')).toThrow(expect.objectContaining({ code: 'bad-git-text' }));
  expect(() => pathFromBytes(Buffer.from('a\0b'))).toThrow(expect.objectContaining({ code: 'bad-git-text' }));
});

test('what is refused is told in a form that can be printed', () => {
  expect(() => gitPath(`\ud800${'x'.repeat(1000)}`)).toThrow(/^git cannot be given "\\ud800x{199}"\.\.\.: there is half of a character pair in it$/);
});
