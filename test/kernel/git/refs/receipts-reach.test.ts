import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addWorktree, moveRef, openRepository, readReceipts, recordRefs, suspectChanges, type Repository } from '../../../../src/kernel/git/index.ts';
import { openJournal } from '../../../../src/kernel/journal/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';
import { commitInCheckout, put, runGit, stageWith, WHO } from '../../../support/git-repository.ts';

const MAIN = 'refs/heads/main';
const everywhere = (): boolean => true;

/** An agent in a worktree moved the main branch to its own commit. */
async function evilMove() {
  const stage = await stageWith({ a: '1' });
  const request = { path: join(stage.home, 'tree'), commit: stage.tip, branch: 'refs/heads/task', who: WHO };
  const added = await addWorktree(stage.repository, request);
  if (added.kind !== 'added') throw new TypeError('no worktree');
  const before = await recordRefs(stage.repository);
  const own = commitInCheckout(request.path, { b: '1' });
  runGit(request.path, ['update-ref', MAIN, own]);
  const evil = [{ ref: MAIN, before: stage.tip, after: own }, { ref: 'refs/heads/task', before: stage.tip, after: own }];
  return { ...stage, worktree: added.worktree, before, own, evil };
}

const fileOf = ({ git, key }: Repository): string => join(git.receiptsFolder ?? '', key, 'receipts.jsonl');

/** What would explain each of these changes. */
const intents = (changes: readonly { ref: string; before: string; after: string }[]) =>
  changes.map(({ ref, ...values }) => ({ kind: 'git-intent', at: '2026-01-02T03:04:05Z', change: 'ref', name: ref, ...values, who: WHO }));

async function forgeOwnLines(path: string, changes: Parameters<typeof intents>[0], idOf: (writer: string) => string): Promise<void> {
  for (const [index, intent] of intents(changes).entries()) {
    const writer = `4711-${index}`;
    const journal = await openJournal(path, { clock: systemClock(), writer });
    await journal.append({ ...intent, id: idOf(writer) });
    await journal.close();
  }
}

describe('receipts that drover did not write', () => {
  test('lines without writer and checksum count for nothing, and are told', async () => {
    const { repository, worktree, before, evil } = await evilMove();
    const lines = readFileSync(fileOf(repository), 'utf8').trim().split('\n').length;
    appendFileSync(fileOf(repository), intents(evil).map((line) => `${JSON.stringify({ ...line, id: 'x' })}\n`).join(''));
    expect(await suspectChanges(worktree, before, everywhere)).toEqual({ changes: evil, foreignLines: [lines + 1, lines + 2] });
  });

  test('nor do those of another writer than the change says', async () => {
    const { repository, worktree, before, evil } = await evilMove();
    await forgeOwnLines(fileOf(repository), evil, () => 'somebody');
    expect(await suspectChanges(worktree, before, everywhere)).toMatchObject({ changes: evil, foreignLines: [{}, {}].map(() => expect.any(Number)) });
  });

  test('in the common folder, where the agent can write, not even those in our form are looked at', async () => {
    const { repository, worktree, before, evil } = await evilMove();
    const inReach = join(repository.commonDir, 'drover/receipts.jsonl');
    await forgeOwnLines(inReach, evil, (writer) => writer);
    expect(await suspectChanges(worktree, before, everywhere)).toEqual({ changes: evil, foreignLines: [] });
    expect((await readReceipts(repository)).receipts.map(({ name }) => name)).not.toContain(MAIN);
    // Without that place they would have been believed.
    const { receiptsFolder: _, ...git } = repository.git;
    expect((await readReceipts({ ...repository, git })).receipts.map(({ name }) => name)).toContain(MAIN);
  });

  test('removed, shortened, or rewritten ones of the time before are an error', async () => {
    const { repository, worktree, before } = await evilMove();
    const file = fileOf(repository);
    const text = readFileSync(file, 'utf8');
    const lines = text.split(/(?<=\n)/);
    for (const changed of ['', text.slice(0, -1), lines.slice(2).join(''), lines.slice(0, -1).join(''), text.replace('done', 'open')]) {
      writeFileSync(file, changed);
      await expect(suspectChanges(worktree, before, everywhere)).rejects.toMatchObject({ code: 'receipts-changed', message: expect.stringContaining(file) });
    }
    writeFileSync(file, text);
    expect((await suspectChanges(worktree, before, everywhere)).changes).toHaveLength(2);
  });

  test('one of ours that is removed again makes our own move suspicious, never the agent\'s unsuspicious', async () => {
    const { repository, worktree, before, evil, tip } = await evilMove();
    const text = readFileSync(fileOf(repository), 'utf8');
    await moveRef(repository, { ref: 'refs/heads/landed', from: undefined, to: tip, who: WHO, reason: 'land' });
    expect((await suspectChanges(worktree, before, everywhere)).changes).toEqual(evil);
    writeFileSync(fileOf(repository), text);
    expect((await suspectChanges(worktree, before, everywhere)).changes).toHaveLength(3);
  });
});

test('no agent is let in where it could write the receipts', async () => {
  const { repository, folder, home } = await stageWith({ a: '1' });
  mkdirSync(join(folder, 'state'));
  symlinkSync(join(folder, 'state'), join(home, 'link'));
  put(join(home, 'project-state/x'), '');
  const { receiptsFolder: _, ...git } = repository.git;
  for (const place of [{}, { receiptsFolder: join(folder, 'state') }, { receiptsFolder: join(home, 'link') }, { receiptsFolder: join(folder, '.git') }]) {
    const opened = await openRepository({ ...git, ...place }, folder);
    await expect(recordRefs(opened)).rejects.toMatchObject({ code: 'receipts-in-reach' });
    const before = await recordRefs(repository);
    await expect(suspectChanges(opened, before, everywhere)).rejects.toMatchObject({ code: 'receipts-in-reach' });
  }
  await recordRefs(await openRepository({ ...git, receiptsFolder: join(home, 'project-state') }, folder));
});
