import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prune, RunStore } from '../../../src/bach/store/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { daily, execute, folderOf, placeAt, recent, recordRuns, stateOf } from './recorded-runs.ts';

const { signal } = new AbortController();

const program = bundledProgram(join(import.meta.dirname, 'programs/prune-runs.ts'));

/** 50 runs that stay, one that a row needs, two that go, and a folder that an earlier prune left. */
async function project(): Promise<string> {
  const root = temporaryFolder();
  const [needed] = await recordRuns(placeAt(root), [...daily(3, 100), ...recent(50)]);
  execute(root, `CREATE TABLE needs (run_id TEXT); INSERT INTO needs VALUES ('${needed ?? ''}')`);
  folderOf(root, '20200101T000000.000000000Z');
  return root;
}

async function pruned(root: string): Promise<ReturnType<typeof stateOf>> {
  const store = await RunStore.open(placeAt(root), signal);
  try {
    await prune(placeAt(root), store);
  } finally {
    store.close();
  }
  return stateOf(root);
}

// Starts as many processes as there are points to be killed at.
test('a prune that is killed leaves no run without its logs, and the next one ends its work', async () => {
  const wanted = await pruned(await project());
  expect(wanted.rows).toHaveLength(51);
  expect(wanted.folders).toEqual(wanted.rows);
  expect(wanted.rows.every((id) => id > '20260101')).toBe(true);

  const trace = `${await project()}/trace`;
  const counting = await project();
  const whole = spawnSync(process.execPath, [program.file, counting], { env: { ...process.env, DROVER_CRASH_TRACE: trace } });
  expect(`${whole.stderr}`).toBe('');
  const points = readFileSync(trace, 'utf8').trimEnd().split('\n');
  rmSync(trace);
  // One commit, then a folder for each of the three.
  expect(points.filter((point) => point.startsWith('run-folder:'))).toHaveLength(6);
  expect(points.filter((point) => point === 'commit:after')).toHaveLength(1);

  for (const [index] of points.entries()) {
    const root = await project();
    const { signal: ended } = spawnSync(process.execPath, [program.file, root], { env: { ...process.env, DROVER_CRASH_AT: String(index + 1) } });
    expect(ended).toBe('SIGKILL');
    const { rows, folders } = stateOf(root);
    expect(rows.filter((id) => !folders.includes(id))).toEqual([]);
    expect(await pruned(root)).toEqual(wanted);
  }
}, 60_000);

test('what a killed removal left of a folder goes too', async () => {
  const root = temporaryFolder();
  await recordRuns(placeAt(root), recent(50));
  const left = '20200101T000000.000000000Z';
  folderOf(root, left);
  rmSync(`${root}/.bach/runs/${left}/shell__test.log`);
  expect((await pruned(root)).folders).not.toContain(left);
});
