import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { openDatabase } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import type { RunRecord, TargetRunRecord } from '../../../src/bach/model/index.ts';
import { RunStore } from '../../../src/bach/store/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SECOND = 1_000_000_000n;
const { signal } = new AbortController();

function record(fields: Partial<RunRecord> & Pick<RunRecord, 'id'>): RunRecord {
  const startedAt = BigInt(fields.id.replace(/\D/g, '')) * SECOND;
  const rest = { finishedAt: undefined, logFolder: `.bach/runs/${fields.id}`, message: '', force: false };
  return { target: 'shell/test', status: 'running', startedAt, ...rest, ...fields };
}

function targetRecord(fields: Partial<TargetRunRecord>): TargetRunRecord {
  const rest = { finishedAt: undefined, logPath: '', operation: '', exitCode: undefined, message: '' };
  return { target: 'shell/test', status: 'running', startedAt: SECOND, ...rest, ...fields };
}

describe('the state of a project', () => {
  const folder = tempFolder();
  const place = () => ({ root: folder.path, statePath: '.bach/state.db', clock: systemClock() });

  async function filled(runs: readonly RunRecord[]): Promise<RunStore> {
    const store = await RunStore.open(place(), signal);
    for (const run of runs) await store.startRun(run, signal);
    return store;
  }

  test('a run comes back as it was written, with its targets', async () => {
    const store = await filled([record({ id: 'r1' })]);
    const finished = record({ id: 'r1', status: 'failed', finishedAt: 5n * SECOND + 120n, message: 'stopped by SIGINT' });
    const target = targetRecord({ status: 'failed', finishedAt: 2n, logPath: 'a.log', operation: 'make', exitCode: 3, message: 'm' });
    await store.recordProgress('r1', { targets: [targetRecord({})] });
    await store.finishRun(finished, { targets: [target], artifacts: [{ target: 'shell/test', kind: 'log', path: 'a.log' }] }, signal);
    expect(store.run('r1')).toEqual(finished);
    expect(store.targetRuns(finished)).toEqual([{ ...target, logPath: '', operation: '' }]);
    store.close();
  });

  test('a run may be written whole at its end, and read from one moment', async () => {
    const store = await filled([record({ id: 'r0', status: 'success' })]);
    const finished = record({ id: 'r1', status: 'success', finishedAt: 5n * SECOND });
    const targets = ['r0', 'gone'].map((maker) => targetRecord({ target: `shell/${maker}`, status: 'cached', logPath: `.bach/runs/${maker}/x.log` }));
    const artifacts = [{ target: 'image/app', kind: 'image-tag' as const, path: '', value: 'app:1' }];
    await store.finishRun(finished, { targets: [...targets, targetRecord({ status: 'success', logPath: '.bach/runs/r0/y.log' })], artifacts }, signal);
    const whole = store.wholeRun('r1');
    expect(whole.run).toEqual(finished);
    expect(whole.targets.map(({ target, madeBy }) => [target, madeBy])).toEqual([['shell/gone', undefined], ['shell/r0', 'r0'], ['shell/test', undefined]]);
    expect(whole.artifacts).toEqual([{ ...artifacts[0], runId: 'r1', createdAt: 5n * SECOND }]);
    expect(() => store.wholeRun('r2')).toThrow(expect.objectContaining({ code: 'run-not-found' }));
    store.close();
  });

  test('the newest run comes first, and the limit counts what passes the other filters', async () => {
    const ids = ['r100', 'r101', 'r102', 'r103', 'r104'];
    const store = await filled(ids.map((id) => record({ id, status: id === 'r102' ? 'failed' : 'success' })));
    const list = (filter: Parameters<RunStore['listRuns']>[0]) => store.listRuns(filter).map(({ id }) => id);
    expect(list({ limit: 2 })).toEqual(['r104', 'r103']);
    expect(list({ limit: 0 })).toEqual(ids.toReversed());
    expect(list({ limit: 2, status: 'failed' })).toEqual(['r102']);
    expect(list({ limit: 0, since: 103n * SECOND })).toEqual(['r104', 'r103']);
    expect(list({ limit: 0, target: 'shell/other' })).toEqual([]);
    store.close();
  });

  test('more runs than are read at once are all listed', async () => {
    const store = await filled([]);
    for (let number = 1000; number < 1450; number++) await store.startRun(record({ id: `r${number}`, status: 'success' }), signal);
    expect(store.listRuns({ limit: 0 }).length).toBe(450);
    store.close();
  });

  test('an artifact is found by any part of its path, letter by letter', async () => {
    const store = await filled([record({ id: 'r1' }), record({ id: 'r2' })]);
    const artifact = (path: string) => ({ target: 'shell/test', kind: 'artifact' as const, path });
    await store.finishRun(record({ id: 'r1', status: 'success' }), { targets: [], artifacts: [artifact('dist/a_b%c')] }, signal);
    await store.finishRun(record({ id: 'r2', status: 'success' }), { targets: [], artifacts: [artifact('Dist/axbyc')] }, signal);
    const found = (part: string) => store.listRuns({ limit: 0, artifact: part }).map(({ id }) => id);
    expect(found('ist/a')).toEqual(['r2', 'r1']);
    expect(found('dist')).toEqual(['r1']);
    expect(found('a_b%')).toEqual(['r1']);
    store.close();
  });

  test('a run whose lock nobody holds reads as interrupted, also its targets; the row is left alone', async () => {
    const store = await filled([record({ id: 'r1' })]);
    await store.recordProgress('r1', { targets: [targetRecord({}), targetRecord({ target: 'shell/done', status: 'success' })] });
    const [run] = store.listRuns({ limit: 1 });
    expect(run?.status).toBe('interrupted');
    expect(store.targetRuns(store.run('r1')).map(({ status }) => status)).toEqual(['success', 'interrupted']);
    expect(store.listRuns({ limit: 1, status: 'running' })).toEqual([]);

    mkdirSync(folder.at('.bach/runs/r1'), { recursive: true });
    const lock = tryLock(folder.at('.bach/runs/r1/run.lock'));
    expect(store.run('r1').status).toBe('running');
    if (lock !== 'held') lock.release();
    expect(store.run('r1').status).toBe('interrupted');
    store.close();
  });

  test('reading makes nothing where nothing has run', async () => {
    expect(await RunStore.openExisting(place())).toBeUndefined();
    await expect(RunStore.open({ ...place(), root: folder.at('gone') }, signal)).rejects.toMatchObject({ code: 'not-found' });
  });

  test('an end that comes after an abort is written all the same, unless others hold the state', async () => {
    const store = await filled([record({ id: 'r1' })]);
    const aborted = AbortSignal.abort(new RangeError('enough'));
    const finished = record({ id: 'r1', status: 'failed', finishedAt: 5n });
    const other = await openDatabase(folder.at('.bach/state.db'), { clock: systemClock(), busyTimeoutMs: 0 });
    // Begun while the other one writes, so that the first try finds the state busy.
    const { refused } = other.tx(() => ({ refused: store.finishRun(finished, { targets: [], artifacts: [] }, aborted) }));
    await expect(refused).rejects.toThrow('enough');
    await store.finishRun(finished, { targets: [], artifacts: [] }, aborted);
    expect(store.run('r1').status).toBe('failed');
    other.close();
    store.close();
  });

  test('a state that was taken away while it was open is told at the end', async () => {
    const store = await filled([record({ id: 'r1' })]);
    rmSync(folder.at('.bach'), { recursive: true });
    const end = store.finishRun(record({ id: 'r1', status: 'success', finishedAt: 5n }), { targets: [], artifacts: [] }, signal);
    await expect(end).rejects.toMatchObject({ code: expect.stringMatching(/^(state-removed|database-removed|database-failed|not-found)$/) });
    store.close();
  });

  test('reading refuses a state behind a link as writing does', async () => {
    (await filled([])).close();
    renameSync(folder.at('.bach'), folder.at('real'));
    symlinkSync(folder.at('real'), folder.at('.bach'));
    await expect(RunStore.openExisting(place())).rejects.toMatchObject({ code: 'symlink-refused' });
  });

  test('an unknown run is an error that names it', async () => {
    const store = await filled([]);
    expect(() => store.run('r9')).toThrow(expect.objectContaining({ code: 'run-not-found', message: 'not found: run "r9"' }));
    store.close();
  });

  test('a state folder behind a link is refused', async () => {
    mkdirSync(folder.at('elsewhere'));
    symlinkSync(folder.at('elsewhere'), folder.at('.bach'));
    await expect(RunStore.open(place(), signal)).rejects.toMatchObject({ code: 'symlink-refused' });
  });

  test('a state file that is no database is an error and stays as it is', async () => {
    mkdirSync(folder.at('.bach'));
    writeFileSync(folder.at('.bach/state.db'), 'not a database, but long enough to look like one'.repeat(40));
    await expect(RunStore.open(place(), signal)).rejects.toMatchObject({ code: 'database-damaged' });
    await expect(RunStore.openExisting(place())).rejects.toMatchObject({ code: 'database-damaged' });
  });
});
