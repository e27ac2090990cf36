import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  moveRef,
  openRepository,
  recordRefs,
  suspectChanges,
  unexplainedChanges,
  type ExplainedMove,
} from '../../../../src/kernel/git/index.ts';
import { commitInCheckout, commitOf, runGit, stageWith, WHO } from '../../../support/git-repository.ts';

const MAIN = 'refs/heads/main';
const everywhere = (): boolean => true;

describe('subtracting what is explained', () => {
  const move = (ref: string | undefined, before: string | undefined, after: string | undefined): ExplainedMove => ({ ref, before, after });
  const left = (before: Record<string, string>, after: Record<string, string>, explanations: readonly ExplainedMove[] = []) =>
    unexplainedChanges({ before, after, explanations, reach: (ref) => !ref.startsWith('refs/out/') });

  test('moved, come and gone without an explanation', () => {
    expect(left({ a: '1', b: '1', c: '1' }, { a: '2', c: '1', d: '1' })).toEqual([
      { ref: 'a', before: '1', after: '2' },
      { ref: 'b', before: '1', after: undefined },
      { ref: 'd', before: undefined, after: '1' },
    ]);
  });

  test('explained in several steps, by a move of any ref, out of reach', () => {
    expect(left({ a: '1' }, { a: '3' }, [move('a', '2', '3'), move(undefined, '1', '2')])).toEqual([]);
    expect(left({ a: '1' }, {}, [move('a', '1', '2'), move('a', '2', undefined)])).toEqual([]);
    expect(left({}, { 'refs/out/a': '1' })).toEqual([]);
  });

  test('explained only to a part, of another ref, or the other way round', () => {
    expect(left({ a: '1' }, { a: '3' }, [move('a', '1', '2')])).toHaveLength(1);
    expect(left({ a: '1' }, { a: '2' }, [move('b', '1', '2')])).toHaveLength(1);
    expect(left({ a: '1' }, { a: '2' }, [move('a', '2', '1')])).toHaveLength(1);
  });

  test('a chain of our own moves never accuses; one step of another always does', () => {
    const values = fc.uniqueArray(fc.nat(20).map(String), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(values, fc.nat(), (chain, at) => {
        const steps = chain.slice(1).map((after, index) => move('a', chain[index], after));
        const ends = [{ a: chain[0] ?? '' }, { a: chain.at(-1) ?? '' }] as const;
        expect(left(...ends, steps)).toEqual([]);
        expect(left(...ends, steps.toSpliced(at % steps.length, 1))).toHaveLength(1);
      }),
    );
  });
});

describe('whose a change is', () => {
  async function agentAtWork() {
    const stage = await stageWith({ a: '1' });
    const request = { path: join(stage.home, 'tree'), commit: stage.tip, branch: 'refs/heads/task', who: WHO };
    const added = await addWorktree(stage.repository, request);
    if (added.kind !== 'added') throw new TypeError('no worktree');
    return { ...stage, worktree: added.worktree, before: await recordRefs(stage.repository) };
  }

  test('our landing, a person who commits, amends and branches off, are not the agent', async () => {
    const { repository, folder, worktree, before, tip } = await agentAtWork();
    commitInCheckout(folder, { b: '1' });
    runGit(folder, ['commit', '-q', '--amend', '--allow-empty', '-m', 'again']);
    runGit(folder, ['checkout', '-q', '-b', 'person']);
    commitInCheckout(folder, { b: '2' });
    const landed = await commitOf(repository, { c: '1' }, [tip]);
    await moveRef(repository, { ref: 'refs/heads/landed', from: undefined, to: landed, who: WHO, reason: 'land' });
    expect((await suspectChanges(worktree, before, everywhere)).changes).toEqual([]);
  });

  test('the agent that moves another branch is suspected; in a clone it could not have', async () => {
    const { worktree, before, tip } = await agentAtWork();
    const own = commitInCheckout(join(worktree.topLevel ?? ''), { b: '1' });
    runGit(worktree.topLevel ?? '', ['update-ref', MAIN, own]);
    expect((await suspectChanges(worktree, before, everywhere)).changes).toEqual([
      { ref: MAIN, before: tip, after: own },
      { ref: 'refs/heads/task', before: tip, after: own },
    ]);
    expect((await suspectChanges(worktree, before, () => false)).changes).toEqual([]);
  });

  test('what happened before the agent came explains nothing', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    const two = commitInCheckout(folder, { a: '2' });
    await moveRef(repository, { ref: 'refs/heads/x', from: undefined, to: tip, who: WHO, reason: 'x' });
    await moveRef(repository, { ref: 'refs/heads/x', from: tip, to: two, who: WHO, reason: 'x' });
    runGit(folder, ['update-ref', 'refs/heads/x', tip]);
    const before = await recordRefs(repository);
    runGit(folder, ['update-ref', 'refs/heads/x', two]);
    const again = await openRepository(repository.git, folder);
    expect((await suspectChanges(again, before, everywhere)).changes).toEqual([{ ref: 'refs/heads/x', before: tip, after: two }]);
    expect(JSON.parse(JSON.stringify(before))).toEqual(before);
  });
});
