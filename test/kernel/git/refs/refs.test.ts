import { copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  deleteRef,
  keepRef,
  listRefs,
  moveRef,
  openRepository,
  readHead,
  readReceipts,
  readRef,
  resolveCommit,
  type Repository,
} from '../../../../src/kernel/git/index.ts';
import { canaryIn, commitOf, emptyStage, put, runGit, stageWith, WHO } from '../../../support/git-repository.ts';

const MAIN = 'refs/heads/main';
const FIXTURE = join(import.meta.dirname, '../../../fixtures/state/0.2.0/git/receipts.jsonl');
const WHY = { who: WHO, reason: 'test' };

async function twoCommits() {
  const stage = await emptyStage();
  const one = await commitOf(stage.repository, { a: '1' });
  const two = await commitOf(stage.repository, { a: '2' }, [one]);
  return { ...stage, one, two };
}

describe('reading', () => {
  test('a ref, its absence, all refs, those below a prefix', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    runGit(folder, ['branch', 'feature/x']);
    runGit(folder, ['tag', '-a', 'v1', '-m', 'one']);
    runGit(folder, ['pack-refs', '--all']);
    runGit(folder, ['branch', 'feature/ünïcode"quote']);
    expect(await readRef(repository, MAIN)).toEqual({ name: MAIN, id: tip, symbolic: undefined });
    expect(await readRef(repository, 'refs/heads/feature')).toBeUndefined();
    expect(await readRef(repository, 'refs/heads/none')).toBeUndefined();
    expect((await listRefs(repository)).map(({ name }) => name)).toEqual([
      'refs/heads/feature/x',
      'refs/heads/feature/ünïcode"quote',
      MAIN,
      'refs/tags/v1',
    ]);
    expect(await listRefs(repository, 'refs/heads/feature')).toHaveLength(2);
    await expect(readRef(repository, 'main')).rejects.toMatchObject({ code: 'bad-ref-name' });
  });

  test('a tag that is named like a branch in full does not stand in for it', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    runGit(folder, ['update-ref', 'refs/tags/refs/heads/gone', tip]);
    expect(await readRef(repository, 'refs/heads/gone')).toBeUndefined();
  });

  test('names that are not UTF-8 stay apart', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    const bytes = ['\xfe', '\xff'].map((byte) => `create refs/heads/${byte} ${tip}\n`).join('');
    runGit(folder, ['update-ref', '--stdin'], { input: Buffer.from(bytes, 'latin1') });
    const names = (await listRefs(repository, 'refs/heads')).map(({ name }) => name);
    expect(names).toEqual([MAIN, String.raw`refs/heads/\xfe`, String.raw`refs/heads/\xff`]);
  });

  test('a damaged ref is an error, and no ref that is gone', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    for (const content of ['junk\n', '']) {
      put(join(folder, '.git/refs/heads/bad'), content);
      await expect(readRef(repository, 'refs/heads/bad')).rejects.toMatchObject({ code: 'ref-broken', message: expect.stringContaining('bad') });
      await expect(listRefs(repository)).rejects.toMatchObject({ code: 'ref-broken' });
    }
  });

  test('HEAD: unborn, on a branch, detached', async () => {
    const { repository, folder } = await emptyStage();
    expect(await readHead(repository)).toEqual({ kind: 'unborn', ref: MAIN });
    runGit(folder, ['commit', '-q', '--allow-empty', '-m', 'x']);
    const id = runGit(folder, ['rev-parse', 'HEAD']);
    expect(await readHead(repository)).toEqual({ kind: 'branch', ref: MAIN, id });
    runGit(folder, ['checkout', '-q', '--detach']);
    expect(await readHead(repository)).toEqual({ kind: 'detached', id });
  });

  test('what a person calls a commit', async () => {
    const { repository, folder, tip } = await stageWith({ a: '1' });
    runGit(folder, ['tag', '-a', 'v1', '-m', 'one']);
    for (const revision of ['main', 'HEAD', 'v1', 'refs/heads/main', tip, tip.slice(0, 8), 'main^0']) {
      expect(await resolveCommit(repository, revision)).toBe(tip);
    }
    for (const revision of ['none', '', '--all', '-h', 'main..HEAD', 'a\0b', 'HEAD:a', 'main\nmain']) {
      await expect(resolveCommit(repository, revision)).rejects.toMatchObject({ code: 'unknown-revision' });
    }
  });
});

describe('moving', () => {
  test('from nothing, from a value, with a line in the ref log', async () => {
    const { repository, folder, one, two } = await twoCommits();
    expect(await moveRef(repository, { ref: MAIN, from: undefined, to: one, who: WHO, reason: 'first\nline' })).toEqual({ kind: 'moved' });
    expect(await moveRef(repository, { ref: MAIN, from: one, to: two, ...WHY })).toEqual({ kind: 'moved' });
    expect((await readRef(repository, MAIN))?.id).toBe(two);
    const log = runGit(folder, ['log', '-g', '--format=%gs|%gn|%ge', MAIN]).split('\n');
    expect(log).toEqual([`test|${WHO.name}|${WHO.email}`, `first line|${WHO.name}|${WHO.email}`]);
  });

  test('never over a ref that only points to another one, also when that one is not there', async () => {
    const { repository, folder, one, two } = await twoCommits();
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    runGit(folder, ['symbolic-ref', 'refs/heads/nowhere', 'refs/heads/absent']);
    runGit(folder, ['symbolic-ref', 'refs/heads/alias', MAIN]);
    for (const [ref, target] of [['refs/heads/nowhere', 'refs/heads/absent'], ['refs/heads/alias', MAIN]] as const) {
      for (const from of [undefined, one]) {
        const refusal = { code: 'ref-is-symbolic', message: `${ref} only points to ${target}` };
        await expect(moveRef(repository, { ref, from, to: two, ...WHY })).rejects.toMatchObject(refusal);
        await expect(deleteRef(repository, { ref, from: one, ...WHY })).rejects.toMatchObject(refusal);
      }
      expect(runGit(folder, ['symbolic-ref', ref])).toBe(target);
    }
    expect(await readRef(repository, 'refs/heads/absent')).toBeUndefined();
  });

  test('not when somebody else was quicker; nothing changes then', async () => {
    const { repository, one, two } = await twoCommits();
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    expect(await moveRef(repository, { ref: MAIN, from: undefined, to: two, ...WHY })).toEqual({ kind: 'moved-on', actual: one });
    expect(await moveRef(repository, { ref: MAIN, from: two, to: one, ...WHY })).toEqual({ kind: 'moved-on', actual: one });
    expect(await moveRef(repository, { ref: 'refs/heads/none', from: one, to: two, ...WHY })).toEqual({ kind: 'moved-on', actual: undefined });
    expect((await readRef(repository, MAIN))?.id).toBe(one);
  });

  test('of eight at once from the same value exactly one wins', async () => {
    const { repository, one } = await twoCommits();
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    const commits = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => commitOf(repository, { a: `n${n}` }, [one])));
    const outcomes = await Promise.all(commits.map((to) => moveRef(repository, { ref: MAIN, from: one, to, ...WHY })));
    const winners = commits.filter((_, at) => outcomes[at]?.kind === 'moved');
    expect(winners).toEqual([(await readRef(repository, MAIN))?.id]);
    const actual = winners[0];
    expect(outcomes.filter(({ kind }) => kind === 'moved-on')).toEqual(Array.from({ length: 7 }, () => ({ kind: 'moved-on', actual })));
  });

  test('refuses symbolic refs, bad names, and what is no commit', async () => {
    const { repository, folder, one, two } = await twoCommits();
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    runGit(folder, ['symbolic-ref', 'refs/heads/alias', MAIN]);
    const symbolic = moveRef(repository, { ref: 'refs/heads/alias', from: one, to: two, ...WHY });
    await expect(symbolic).rejects.toMatchObject({ code: 'ref-is-symbolic', remedy: expect.stringContaining(MAIN) });
    await expect(moveRef(repository, { ref: '--stdin', from: one, to: two, ...WHY })).rejects.toMatchObject({ code: 'bad-ref-name' });
    await expect(moveRef(repository, { ref: MAIN, from: one, to: 'HEAD', ...WHY })).rejects.toMatchObject({ code: 'bad-object-id' });
    await expect(moveRef(repository, { ref: MAIN, from: one, to: '1'.repeat(40), ...WHY })).rejects.toMatchObject({ code: 'git-failed' });
    await expect(moveRef(repository, { ref: `${MAIN}/below`, from: undefined, to: one, ...WHY })).rejects.toMatchObject({ code: 'git-failed' });
    expect((await readRef(repository, MAIN))?.id).toBe(one);
  });

  test('a lock file of another git is named and left alone', async () => {
    const { repository, folder, one, two } = await twoCommits();
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    const lock = join(folder, '.git/refs/heads/main.lock');
    put(lock, '');
    const move = moveRef(repository, { ref: MAIN, from: one, to: two, ...WHY });
    await expect(move).rejects.toMatchObject({ code: 'git-locked', message: expect.stringContaining(lock) });
    expect(existsSync(lock)).toBe(true);
  });

  test('asks the hook only when told to, and tells its words', async () => {
    const { repository, folder, home, one, two } = await twoCommits();
    const canary = canaryIn(home);
    symlinkSync(canary.program, join(folder, '.git/hooks/reference-transaction'));
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    expect(canary.sang()).toBe(false);
    expect(await moveRef(repository, { ref: MAIN, from: one, to: two, hooks: 'run', ...WHY })).toEqual({ kind: 'moved' });
    expect(canary.sang()).toBe(true);
    rmSync(join(folder, '.git/hooks/reference-transaction'));
    put(join(folder, '.git/hooks/reference-transaction'), '#!/bin/sh\n[ "$1" = prepared ] && echo "frozen until Monday" >&2 && exit 1\nexit 0\n', 0o755);
    const refused = await moveRef(repository, { ref: MAIN, from: two, to: one, hooks: 'run', ...WHY });
    expect(refused).toMatchObject({ kind: 'refused', said: expect.stringContaining('frozen until Monday') });
    expect((await readRef(repository, MAIN))?.id).toBe(two);
  });
});

describe('keeping', () => {
  test('an object is kept once, under a name with its id', async () => {
    const { repository, folder, one, two } = await twoCommits();
    const ref = await keepRef(repository, { id: one, name: 'tasks/t-1', ...WHY });
    expect(ref).toBe(`refs/drover/keep/tasks/t-1/${one}`);
    expect(await keepRef(repository, { id: one, name: 'tasks/t-1', ...WHY })).toBe(ref);
    expect((await readRef(repository, ref))?.id).toBe(one);
    runGit(folder, ['update-ref', `refs/drover/keep/other/${one}`, two]);
    await expect(keepRef(repository, { id: one, name: 'other', ...WHY })).rejects.toMatchObject({ code: 'git-failed' });
    await expect(keepRef(repository, { id: one, name: '../x', ...WHY })).rejects.toMatchObject({ code: 'bad-ref-name' });
    await expect(keepRef(repository, { id: '1'.repeat(40), name: 'x', ...WHY })).rejects.toMatchObject({ code: 'git-failed' });
  });

  test('a ref goes only when what it holds is kept, and only from that value', async () => {
    const { repository, one, two } = await twoCommits();
    await moveRef(repository, { ref: 'refs/heads/task', from: undefined, to: two, ...WHY });
    expect(await deleteRef(repository, { ref: 'refs/heads/task', from: one, ...WHY })).toEqual({ kind: 'moved-on', actual: two });
    expect((await readRef(repository, 'refs/heads/task'))?.id).toBe(two);
    expect(await deleteRef(repository, { ref: 'refs/heads/task', from: two, ...WHY })).toEqual({ kind: 'moved' });
    expect(await readRef(repository, 'refs/heads/task')).toBeUndefined();
    expect((await readRef(repository, `refs/drover/keep/deleted/heads/task/${two}`))?.id).toBe(two);
  });
});

describe('receipts', () => {
  const short = async (repository: Repository, since = 0) =>
    (await readReceipts(repository, { since })).receipts.map(({ name, before, after, state }) => [name, before, after, state]);

  test('each change leaves one, whichever checkout it came from; what did not happen says so', async () => {
    const { repository, folder, home, one, two } = await twoCommits();
    expect(await readReceipts(repository)).toEqual({ receipts: [], foreignLines: [] });
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    runGit(folder, ['worktree', 'add', '-q', '--detach', join(home, 'tree')]);
    const worktree = await openRepository(repository.git, join(home, 'tree'));
    await moveRef(worktree, { ref: MAIN, from: one, to: two, ...WHY });
    put(join(folder, '.git/hooks/reference-transaction'), '#!/bin/sh\nexit 1\n', 0o755);
    await moveRef(repository, { ref: MAIN, from: two, to: one, hooks: 'run', ...WHY });
    expect(await short(repository)).toEqual([
      [MAIN, undefined, one, 'done'],
      [MAIN, one, two, 'done'],
      [MAIN, two, one, 'not-done'],
    ]);
    expect((await readReceipts(repository)).receipts[0]).toMatchObject({ kind: 'ref', who: WHO, at: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  test('those that version 0.2.0 wrote are read', async () => {
    const { repository } = await emptyStage();
    const { receiptsFolder = '' } = repository.git;
    mkdirSync(join(receiptsFolder, repository.key));
    copyFileSync(FIXTURE, join(receiptsFolder, repository.key, 'receipts.jsonl'));
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
    const { receipts, foreignLines } = await readReceipts(repository);
    expect(receipts).toEqual([
      { kind: 'ref', name: MAIN, before: undefined, after: one, who: WHO, at: '2026-01-02T03:04:05.000000000Z', state: 'done' },
      { kind: 'worktree', name: '/trees/ünïcode"', before: two, after: undefined, who: WHO, at: '2026-01-02T03:04:06.000000000Z', state: 'not-done' },
      { kind: 'ref', name: MAIN, before: one, after: two, who: WHO, at: '2026-01-02T03:04:07.000000000Z', state: 'open' },
    ]);
    expect(foreignLines).toEqual([5]);
  });

  test('a change whose end is not known stays open', async () => {
    const { repository, one } = await twoCommits();
    await expect(moveRef(repository, { ref: MAIN, from: undefined, to: '1'.repeat(40), ...WHY })).rejects.toMatchObject({ code: 'git-failed' });
    await moveRef(repository, { ref: MAIN, from: undefined, to: one, ...WHY });
    expect((await short(repository)).map(([, , , state]) => state)).toEqual(['open', 'done']);
  });
});
