import { closeSync, mkdtempSync, openSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLease, leaseMigration, takeLease, tryLock } from '../../src/kernel/lock/index.ts';
import { connectSqlite, openStore, type Sql } from '../../src/kernel/sql/index.ts';
import { bootId, systemClock } from '../../src/kernel/time/index.ts';
import type { Budget, Measure } from './budget.ts';
import { median } from './median.ts';

const LOCKS = 500;
const WARM_UP = 50;

/** The real figures of the budget; `DROVER_BENCH_SCALED=1` shows the same in a tenth of the time. */
const SCALE = process.env['DROVER_BENCH_SCALED'] === '1' ? 10 : 1;
const TTL_MS = 30_000 / SCALE;
const BUSY_MS = 60_000 / SCALE;

const NOW_IN_SECONDS = "(julianday('now') - 2440587.5) * 86400.0";
const SCHEMA = { table: 'migrations', migrations: [leaseMigration, { id: '001-beats', sql: 'CREATE TABLE beats (seconds REAL NOT NULL)' }] };

export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-lock-'));
  try {
    return [measureLocks(folder), ...(await measureLease(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** In turn, so that a machine that drifts drifts for all. */
function measureLocks(folder: string): Budget {
  const kinds: readonly [string, (path: string) => void][] = [
    ['create + remove a file', makeFile],
    ['open SQLite + BEGIN EXCLUSIVE + close', beginExclusive],
    ['take + release a lock', takeAndRelease],
  ];
  const times = kinds.map((): number[] => []);
  for (let round = -WARM_UP; round < LOCKS; round += 1) {
    for (const [at, [, work]] of kinds.entries()) {
      const taken = millisecondsOf(() => work(join(folder, `file ${at}`)));
      if (round >= 0) times[at]?.push(taken);
    }
  }
  const medians = times.map(median);
  console.log(kinds.map(([name], at) => `${name}: ${(medians[at] ?? 0).toFixed(3)} ms`).join(', '));
  return { name: 'lock: take + release', met: medians.at(-1) ?? 0, limit: 1, unit: 'ms', good: 'at-most' };
}

function makeFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
  unlinkSync(path);
}

function beginExclusive(path: string): void {
  const connection = connectSqlite(path);
  connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  connection.close();
}

function takeAndRelease(path: string): void {
  const lock = tryLock(path);
  if (lock !== 'held') lock.release();
}

async function measureLease(folder: string): Promise<readonly Budget[]> {
  const address = { path: join(folder, 'leases.db') };
  const clock = systemClock();
  const machine = { clock, bootId: bootId() };
  const sql = await openStore({ ...address, clock, busyTimeoutMs: 10_000, schema: SCHEMA });
  const taking = await takeLease(sql, { name: 'engine', holder: 'bench', token: 'bench', ttlMs: TTL_MS, machine });
  if (taking.outcome === 'held') throw new RangeError('a new lease was held');
  const beats = [{ sql: `INSERT INTO beats VALUES (${NOW_IN_SECONDS})` }];
  const keeper = await keepLease(taking.lease, { address, schema: SCHEMA, bootId: bootId(), journalPath: join(folder, 'journal.jsonl'), beats });
  stayBusy();
  const other = await takeLease(sql, { name: 'engine', holder: 'other', token: 'other', ttlMs: TTL_MS, machine });
  const gap = await longestGap(sql);
  await keeper.stop();
  await sql.close();
  const title = `lease of ${TTL_MS / 1000} s, main thread busy for ${BUSY_MS / 1000} s`;
  console.log(`${title}: ${keeper.renewals} renewals, longest gap ${gap.toFixed(1)} s`);
  return [
    { name: `${title}: lost`, met: other.outcome === 'taken' || keeper.isOver ? 1 : 0, limit: 0, unit: '', good: 'at-most' },
    { name: `${title}: longest gap`, met: gap, limit: TTL_MS / 1000, unit: 's', good: 'at-most' },
  ];
}

/** Nothing else has a turn meanwhile. */
function stayBusy(): void {
  const until = performance.now() + BUSY_MS;
  let turns = 0;
  while (performance.now() < until) turns += 1;
  console.log(`busy loop: ${turns} turns`);
}

async function longestGap(sql: Sql): Promise<number> {
  const rows = await sql.query(`SELECT seconds FROM beats UNION ALL SELECT ${NOW_IN_SECONDS} ORDER BY seconds`);
  const times = rows.map(({ seconds }) => Number(seconds));
  return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time)));
}

function millisecondsOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
