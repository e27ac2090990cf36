import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runIdAt } from '../../../src/kernel/ids/run-id.ts';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { openDatabase } from '../../../src/kernel/sql/index.ts';
import { prunable, prune, pruneOne, RunStore } from '../../../src/bach/store/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { DAY, daily, execute, folderOf, giveAway, NOW, placeAt, query, recent, recordRuns, stateOf, type RunFields } from './recorded-runs.ts';

const { signal } = new AbortController();

describe('runs that nothing needs any more', () => {
  const folder = tempFolder();

  async function withStore<Result>(work: (store: RunStore) => Promise<Result>): Promise<Result> {
    const store = await RunStore.open(placeAt(folder.path), signal);
    try {
      return await work(store);
    } finally {
      store.close();
    }
  }

  const pruned = () => withStore((store) => prune(placeAt(folder.path), store));
  const one = () => withStore((store) => pruneOne(placeAt(folder.path), store));
  /** The runs, and the 50 younger ones that would be kept whatever their age. */
  const recorded = (runs: readonly RunFields[], newest = recent(50)) => recordRuns(placeAt(folder.path), [...runs, ...newest]);
  const left = () => stateOf(folder.path);

  test.each([
    ['50 runs, however old', daily(50, 1000), 0],
    ['51 old runs', daily(51, 1000), 1],
    ['more runs, all younger than 14 days', Array.from({ length: 80 }, (_, index) => ({ startedAt: NOW - 14n * DAY + 1n + BigInt(index) })), 0],
    ['a run of exactly 14 days', [{ startedAt: NOW - 14n * DAY }, ...recent(50)], 1],
    ['a run a nanosecond younger', [{ startedAt: NOW - 14n * DAY + 1n }, ...recent(50)], 0],
    ['half a second on each side', [{ startedAt: NOW - 14n * DAY - 500_000_000n }, { startedAt: NOW - 14n * DAY + 500_000_000n }, ...recent(50)], 1],
  ] satisfies [string, readonly RunFields[], number][])('%s', async (_, runs, gone) => {
    const ids = await recordRuns(placeAt(folder.path), runs);
    const { runs: removed, leftovers, kept, faults } = await pruned();
    expect(removed.map(({ id }) => id)).toEqual(ids.slice(0, gone).toReversed());
    expect({ leftovers, faults, kept }).toEqual({ leftovers: [], faults: [], kept: ids.length - gone });
    expect(left()).toEqual({ rows: ids.slice(gone), folders: ids.slice(gone) });
  });

  test('go with their rows, and everybody else\'s stay', async () => {
    const targets = [{ target: 'shell/test' }];
    const artifacts = [{ target: 'shell/test', kind: 'artifact' as const, path: 'a' }];
    const [old = ''] = await recorded([{ startedAt: NOW - 90n * DAY, targets, artifacts }], recent(50).map((run) => ({ ...run, targets, artifacts })));
    await pruned();
    for (const table of ['target_runs', 'artifacts']) {
      expect(query(folder.path, `SELECT count(*) AS count, sum(run_id = '${old}') AS old FROM ${table}`)).toEqual([{ count: 50, old: 0 }]);
    }
  });

  test('a run that a row of any other table names is kept; a row without a run names none', async () => {
    const [first = '', second = ''] = await recorded(daily(2, 100));
    execute(folder.path, `CREATE TABLE needs (run_id TEXT); INSERT INTO needs VALUES ('${first}'), (NULL)`);
    expect((await pruned()).runs.map(({ id }) => id)).toEqual([second]);
    execute(folder.path, 'DELETE FROM needs');
    expect((await pruned()).runs.map(({ id }) => id)).toEqual([first]);
  });

  test('a run whose results a kept run used is kept, and goes with the last of its users', async () => {
    const maker = runIdAt(NOW - 300n * DAY);
    const cached = { target: 'shell/a', status: 'cached' as const, logPath: `.bach/runs/${maker}/shell__a.log` };
    const user = { startedAt: NOW - 100n * DAY, targets: [cached] };
    await recorded([{ startedAt: NOW - 300n * DAY }, user], recent(50).map((run, index) => (index === 49 ? { ...run, targets: [cached] } : run)));
    expect((await pruned()).runs.map(({ startedAt }) => startedAt)).toEqual([user.startedAt]);
    execute(folder.path, "UPDATE target_runs SET status = 'success'");
    expect((await pruned()).runs.map(({ id }) => id)).toEqual([maker]);
  });

  test('a maker and its old user go together', async () => {
    const maker = runIdAt(NOW - 300n * DAY);
    const targets = [{ target: 'shell/a', status: 'cached' as const, logPath: `.bach/runs/${maker}/shell__a.log` }];
    const ids = await recorded([{ startedAt: NOW - 300n * DAY }, { startedAt: NOW - 100n * DAY, targets }]);
    expect((await pruned()).runs.map(({ id }) => id)).toEqual(ids.slice(0, 2).toReversed());
  });

  test('a run that a process holds is kept, whatever its row says; so is one whose lock cannot be read', async () => {
    const [held = '', ended = '', damaged = ''] = await recorded([...daily(2, 100).map((run) => ({ ...run, status: 'running' as const, finishedAt: undefined })), { startedAt: NOW - 90n * DAY }]);
    const lock = tryLock(folder.at('.bach/runs', held, 'run.lock'));
    writeFileSync(folder.at('.bach/runs', damaged, 'run.lock'), 'no lock of ours, but as long as one would be '.repeat(100));
    expect((await pruned()).runs.map(({ id }) => id)).toEqual([ended]);
    if (lock !== 'held') lock.release();
    expect((await pruned()).runs.map(({ id }) => id)).toEqual([held]);
  });

  test('what would be removed is told and left alone, also by a reader', async () => {
    const ids = await recorded(daily(2, 100));
    folderOf(folder.path, '20200101T000000.000000000Z');
    const store = await RunStore.openExisting(placeAt(folder.path));
    const found = store === undefined ? undefined : await prunable(placeAt(folder.path), store);
    store?.close();
    expect(found?.runs.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
    expect(found).toMatchObject({ leftovers: ['.bach/runs/20200101T000000.000000000Z'], kept: 50 });
    expect(left().rows).toEqual(ids);
  });

  test('folders without a row go by the same rule; what is no folder of a run is left alone', async () => {
    await recordRuns(placeAt(folder.path), daily(20, 0));
    const orphans = Array.from({ length: 40 }, (_, index) => runIdAt(NOW - DAY * BigInt(200 - index)));
    const young = runIdAt(NOW - 13n * DAY + 1n);
    for (const id of [...orphans, young, 'mine', '20200101T000000Z', '99999999T999999.000000000Z']) folderOf(folder.path, id);
    writeFileSync(folder.at('.bach/runs/20200101T000000.000000000Z'), 'a file');
    const { leftovers, kept } = await pruned();
    // 20 rows, the young one, the one of no time and 28 of the 40 are the newest 50.
    expect(leftovers.toReversed()).toEqual(orphans.slice(0, 12).map((id) => `.bach/runs/${id}`));
    expect(kept).toBe(20);
    expect(left().folders).toEqual(expect.arrayContaining([...orphans.slice(12), young, 'mine', '20200101T000000Z', '20200101T000000.000000000Z']));
  });

  test('no row leads the removal anywhere else', async () => {
    mkdirSync(folder.at('precious'));
    const old = NOW - 100n * DAY;
    const [odd = '', linked = ''] = await recorded([
      { startedAt: old, logFolder: 'precious' },
      { startedAt: old + 1n },
      { id: '0../../../precious', startedAt: old, rowOnly: true },
      { id: '..', startedAt: old, rowOnly: true },
      { id: '', startedAt: old, rowOnly: true },
    ]);
    rmSync(folder.at('.bach/runs', linked), { recursive: true });
    symlinkSync(folder.at('precious'), folder.at('.bach/runs', linked));
    symlinkSync(folder.at('precious'), folder.at('.bach/runs', odd, 'shell__test/link'));
    writeFileSync(folder.at('precious/file'), '');
    expect((await pruned()).faults).toEqual([]);
    expect(left().rows).toHaveLength(50);
    expect(readdirSync(folder.at('precious'))).toEqual(['file']);
    expect([odd, linked].map((id) => existsSync(folder.at('.bach/runs', id)))).toEqual([false, false]);
  });

  test('a folder of all runs that is a link is refused before anything goes', async () => {
    const ids = await recorded(daily(1, 100));
    renameSync(folder.at('.bach/runs'), folder.at('elsewhere'));
    symlinkSync(folder.at('elsewhere'), folder.at('.bach/runs'));
    await expect(pruned()).rejects.toMatchObject({ code: 'symlink-refused' });
    expect(left()).toEqual({ rows: ids, folders: ids });
  });

  test('two at once remove each run once', async () => {
    const ids = await recorded(daily(30, 100));
    const both = await Promise.all([pruned(), pruned()]);
    expect(both.flatMap(({ runs }) => runs.map(({ id }) => id)).toSorted()).toEqual(ids.slice(0, 30));
    expect(both.flatMap(({ faults }) => faults)).toEqual([]);
    expect(left()).toEqual({ rows: ids.slice(30), folders: ids.slice(30) });
  });

  test('one at a time: the oldest that no other one needs', async () => {
    const maker = runIdAt(NOW - 300n * DAY);
    const targets = [{ target: 'shell/a', status: 'cached' as const, logPath: `.bach/runs/${maker}/shell__a.log` }];
    const [, second, third] = await recorded([{ startedAt: NOW - 300n * DAY }, { startedAt: NOW - 200n * DAY }, { startedAt: NOW - 100n * DAY, targets }]);
    const steps: (readonly string[])[] = [];
    for (let step = 0; step < 4; step++) {
      expect(await one()).toBeUndefined();
      steps.push(left().rows.slice(0, -50));
    }
    expect(steps).toEqual([[maker, third], [maker], [], []]);
    expect(left().folders).toHaveLength(50);
    expect(second).toBeDefined();
  });

  test('after a run nobody waits for others that write', async () => {
    const ids = await recorded(daily(1, 100));
    const other = await openDatabase(folder.at('.bach/state.db'), { clock: placeAt(folder.path).clock, busyTimeoutMs: 0 });
    await withStore(async (store) => {
      const { busy } = other.tx(() => ({ busy: pruneOne(placeAt(folder.path), store) }));
      expect(await busy).toBeUndefined();
      expect(left().rows).toEqual(ids);
      expect(await pruneOne(placeAt(folder.path), store)).toBeUndefined();
    });
    other.close();
    expect(left().rows).toEqual(ids.slice(1));
  });

  test('a state that is gone fails nobody: whoever recorded the run was told', async () => {
    await recorded(daily(1, 100));
    await withStore(async (store) => {
      rmSync(folder.at('.bach'), { recursive: true });
      expect(await pruneOne(placeAt(folder.path), store)).toBeUndefined();
    });
  });

  test('a folder that cannot be removed is said, and tried again', async () => {
    const [old = ''] = await recorded(daily(1, 100));
    const deep = folder.at('.bach/runs', old, 'shell__test/deep');
    chmodSync(deep, 0o555);
    giveAway(folder.path);
    await asOrdinaryUser(async () => {
      const { runs, faults } = await pruned();
      expect(runs.map(({ id }) => id)).toEqual([old]);
      expect(faults).toEqual([expect.stringMatching(new RegExp(`^cannot remove \\.bach/runs/${old}: .*; .+`))]);
    });
    expect(left().rows).not.toContain(old);
    expect((await pruned()).leftovers).toEqual([`.bach/runs/${old}`]);
    expect(left().folders).not.toContain(old);
  });
});
