import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  cloneShared,
  listWorktrees,
  moveRef,
  openRepository,
  readCommit,
  readHead,
  readReceipts,
  readRef,
  readStatus,
  recordCommit,
  recordRefs,
  removeWorktree,
  suspectChanges,
  takeCommits,
  writeTree,
} from '../../../../src/kernel/git/index.ts';
import { bundledProgram } from '../../../support/bundle.ts';
import { commitInCheckout, commitOf, emptyStage, put, runGit, SIGNATURE, stageWith, WHO, type Stage } from '../../../support/git-repository.ts';
import type { ChangeOrder } from '../programs/change.ts';

const program = bundledProgram(join(import.meta.dirname, '../programs/change.ts'));
const MAIN = 'refs/heads/main';

function run({ folder, repository }: Stage, order: ChangeOrder, env: Record<string, string>) {
  const { git } = repository;
  const args = [program.file, folder, git.receiptsFolder ?? '', JSON.stringify(order)];
  return spawnSync(process.execPath, args, { env: { ...git.env, ...env }, encoding: 'utf8' });
}

/** The points that the last order passes when nothing stops it; the one before it may have had folders to make. */
function pointsOf(stage: Stage, ...orders: readonly ChangeOrder[]): readonly string[] {
  const trace = join(stage.home, 'trace');
  for (const order of orders) {
    rmSync(trace, { force: true });
    expect(run(stage, order, { DROVER_CRASH_TRACE: trace })).toMatchObject({ status: 0, stderr: '' });
  }
  return readFileSync(trace, 'utf8').trim().split('\n');
}

/** Kills the order at the point of this name. */
function killAt(stage: Stage, order: ChangeOrder, { points, point }: { readonly points: readonly string[]; readonly point: string }): void {
  expect(points).toContain(point);
  const { signal } = run(stage, order, { DROVER_CRASH_AT: String(points.indexOf(point) + 1) });
  expect([point, signal]).toEqual([point, 'SIGKILL']);
}

// May take over 5 s: one process of Node and about ten of git for each durable point.
test('killed at any durable point, the move is whole or not there, and the receipt tells which to look for', async () => {
  const stage = await emptyStage();
  const { repository } = stage;
  const ids = [await commitOf(repository, { a: '1' }), await commitOf(repository, { a: '2' })] as const;
  await moveRef(repository, { ref: MAIN, from: undefined, to: ids[0], who: WHO, reason: 'x' });
  const order = (from: string, to: string): ChangeOrder => ({ what: 'move', request: { ref: MAIN, from, to, who: WHO, reason: 'crash test' } });
  const points = pointsOf(stage, order(...ids));
  expect(points.filter((name) => name.startsWith('ref:'))).toEqual(['ref:before', 'ref:after']);

  let current: string = ids[1];
  const seen = new Set<string>();
  for (const [index, point] of points.entries()) {
    const before = await recordRefs(repository);
    const to = ids.find((id) => id !== current) ?? '';
    expect([point, run(stage, order(current, to), { DROVER_CRASH_AT: String(index + 1) }).signal]).toEqual([point, 'SIGKILL']);
    const value = (await readRef(repository, MAIN))?.id ?? '';
    const { receipts } = await readReceipts(repository, { since: before.receipts.bytes });
    const receipt = receipts.findLast((found) => found.before === current && found.after === to);
    expect([current, to]).toContain(value);
    expect(await suspectChanges(repository, before, () => true)).toEqual({ changes: [], foreignLines: [] });
    seen.add(`${value === to ? 'moved' : 'not moved'}, ${receipt?.state}`);
    current = value;
  }
  expect([...seen].sort()).toEqual(['moved, done', 'moved, open', 'not moved, open', 'not moved, undefined']);
});

describe('what the next call finds after a kill', () => {
  test('between a pack and its index: nothing of the commit, which is then taken', async () => {
    const stage = await stageWith({ a: '1' });
    const { repository, home, tip } = stage;
    const cloneAt = (name: string) => cloneShared(repository, { path: join(home, name), commit: tip, branch: 'refs/heads/w', name: 'c', who: WHO });
    const orderFor = async (name: string) => {
      const clone = await cloneAt(name);
      const work = commitInCheckout(join(home, name), { b: name });
      return { clone, request: { tip: work, base: tip, name: 'taken', who: WHO, clone: join(home, name) } };
    };
    const first = { what: 'take', request: (await orderFor('one')).request } as const;
    const points = pointsOf(stage, first, first);
    const packs = points.filter((name) => name.startsWith('pack'));
    expect(packs).toEqual(['pack-rename.pack:before', 'pack-rename.pack:after', 'pack-rename.idx:before', 'pack-rename.idx:after', 'pack-folder:after']);
    const { clone, request } = await orderFor('two');
    for (const [point, isThere] of [['pack-rename.idx:before', false], ['pack-rename.idx:after', true]] as const) {
      killAt(stage, { what: 'take', request }, { points, point });
      const found = readCommit(repository, request.tip).then(() => true, () => false);
      expect([point, await found]).toEqual([point, isThere]);
      // What was left is tidied up here, since the points of that would come before those of the next order.
      await writeTree(repository, [], { base: tip });
    }
    const ref = await takeCommits(repository, clone, request);
    expect((await readRef(repository, ref))?.id).toBe(request.tip);
    rmSync(join(home, 'two'), { recursive: true });
    expect(runGit(stage.folder, ['fsck', '--strict'])).toBe('');
    expect(readdirSync(join(repository.commonDir, 'objects/pack')).filter((name) => name.endsWith('.idx'))).toHaveLength(2);
  });

  test('around the branch of a worktree: an open receipt, a worktree that can be removed', async () => {
    const stage = await stageWith({ a: '1' });
    const { repository, home, tip } = stage;
    const order = (name: string): ChangeOrder => ({ what: 'worktree', request: { path: join(home, name), commit: tip, branch: `refs/heads/${name}`, who: WHO } });
    const points = pointsOf(stage, order('one'), order('two'));
    for (const [point, branch] of [['worktree-branch:before', undefined], ['worktree-branch:after', 'refs/heads/after']] as const) {
      const name = point.slice('worktree-branch:'.length);
      killAt(stage, order(name), { points, point });
      expect((await listWorktrees(repository)).find(({ path }) => path === join(home, name))).toMatchObject({ head: tip, branch });
      const { receipts } = await readReceipts(repository);
      expect(receipts.findLast(({ kind }) => kind === 'worktree')).toMatchObject({ name: join(home, name), state: 'open' });
      expect(await removeWorktree(repository, { path: join(home, name), name: 't', who: WHO })).toMatchObject({ kind: 'removed' });
    }
  });

  test('around the person\'s index: the same commit as without', async () => {
    const stage = await stageWith({ a: '1' });
    const { repository, folder } = stage;
    const request = { paths: 'all', author: SIGNATURE, who: WHO, message: 'work\n' } as const;
    put(join(folder, 'b'), '0');
    const points = pointsOf(stage, { what: 'record', request });
    for (const [point, kind] of [['index:before', 'untracked'], ['index:after', 'changed']] as const) {
      put(join(folder, point), '1');
      killAt(stage, { what: 'record', request }, { points, point });
      expect([point, (await readStatus(repository)).map((entry) => entry.kind)]).toEqual([point, [kind]]);
      expect(await recordCommit(repository, request)).toMatchObject({ kind: 'committed' });
      expect(await readStatus(repository)).toEqual([]);
    }
  });

  test('in a clone of a shallow repository: a taken place, and a source that is whole', async () => {
    const { home, folder, repository } = await stageWith({ a: '1' });
    commitInCheckout(folder, { a: '2' });
    runGit(home, ['clone', '-q', '--depth=1', `file://${folder}`, 'shallow']);
    const stage = { home, folder: join(home, 'shallow'), repository: await openRepository(repository.git, join(home, 'shallow')) };
    const commit = runGit(stage.folder, ['rev-parse', 'HEAD']);
    const request = (name: string) => ({ path: join(home, name), commit, branch: 'refs/heads/w', name: 'c', who: WHO });
    const points = pointsOf(stage, { what: 'clone', request: request('one') }, { what: 'clone', request: request('two') });
    for (const point of ['clone-branch:before', 'clone-branch:after', 'clone-shallow:before', 'clone-shallow:after']) {
      const name = point.replace(':', '-');
      killAt(stage, { what: 'clone', request: request(name) }, { points, point });
      expect([point, existsSync(join(home, name, '.git/shallow'))]).toEqual([point, point === 'clone-shallow:after']);
      await expect(cloneShared(stage.repository, request(name))).rejects.toMatchObject({ code: 'place-taken' });
    }
    const clone = await cloneShared(stage.repository, request('again'));
    expect(await readHead(clone)).toMatchObject({ ref: 'refs/heads/w', id: commit });
    expect((await readRef(stage.repository, `refs/drover/keep/c/${commit}`))?.id).toBe(commit);
  });
});
