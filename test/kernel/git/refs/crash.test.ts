import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { moveRef, readReceipts, readRef, recordRefs, suspectChanges } from '../../../../src/kernel/git/index.ts';
import { bundledProgram } from '../../../support/bundle.ts';
import { commitOf, emptyStage, WHO } from '../../../support/git-repository.ts';

const program = bundledProgram(join(import.meta.dirname, '../programs/move-ref.ts'));
const MAIN = 'refs/heads/main';

// May take over 5 s: one process of Node and about ten of git for each durable point.
test('killed at any durable point, the move is whole or not there, and the receipt tells which to look for', async () => {
  const { repository, folder, home } = await emptyStage();
  const ids = [await commitOf(repository, { a: '1' }), await commitOf(repository, { a: '2' })] as const;
  await moveRef(repository, { ref: MAIN, from: undefined, to: ids[0], who: WHO, reason: 'x' });
  const run = (move: readonly string[], env: Record<string, string>) =>
    spawnSync(process.execPath, [program.file, folder, MAIN, ...move], { env: { ...repository.git.env, ...env }, encoding: 'utf8' });

  const trace = join(home, 'trace');
  expect(run(ids, { DROVER_CRASH_TRACE: trace })).toMatchObject({ status: 0, stderr: '' });
  const points = readFileSync(trace, 'utf8').trim().split('\n');
  expect(points.filter((name) => name.startsWith('ref:'))).toEqual(['ref:before', 'ref:after']);

  let current: string = ids[1];
  const seen = new Set<string>();
  for (const [index, point] of points.entries()) {
    const before = await recordRefs(repository);
    const to = ids.find((id) => id !== current) ?? '';
    expect([point, run([current, to], { DROVER_CRASH_AT: String(index + 1) }).signal]).toEqual([point, 'SIGKILL']);
    const value = (await readRef(repository, MAIN))?.id ?? '';
    const receipt = (await readReceipts(repository, { since: before.receipts })).findLast((found) => found.before === current && found.after === to);
    expect([current, to]).toContain(value);
    expect(await suspectChanges(repository, before, () => true)).toEqual([]);
    seen.add(`${value === to ? 'moved' : 'not moved'}, ${receipt?.state}`);
    current = value;
  }
  expect([...seen].sort()).toEqual(['moved, done', 'moved, open', 'not moved, open', 'not moved, undefined']);
});
