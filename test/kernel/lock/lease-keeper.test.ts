import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashTree, readBytes } from '../../../src/kernel/files/index.ts';
import { readJournal } from '../../../src/kernel/journal/index.ts';
import { keepLease, takeLease, type KeepOptions, type Lease, type LeaseKeeper } from '../../../src/kernel/lock/index.ts';
import { leaseWorkerFile } from '../../../src/kernel/lock/worker-file.ts';
import { copyDatabase, openStore, type Sql } from '../../../src/kernel/sql/index.ts';
import { bootId, systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { testUnless } from '../../support/needs.ts';
import { postgresServer, withoutPostgres } from '../../support/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rowsOfSuperuser } from '../sql/superuser.ts';
import { LEASE_SCHEMA, leaseOf, writeUnder } from './lease-contract.ts';

const folder = tempFolder();
const worker = bundledProgram(join(import.meta.dirname, '../../../src/kernel/lock/lease-worker.ts'));
const clock = systemClock();
const machine = { clock, bootId: bootId() };
const keepers: LeaseKeeper[] = [];
/** As short as a thread on a busy machine is certain to begin within; what runs out is waited for that long. */
const SHORT_TTL_MS = 3000;
let sql: Sql;

beforeEach(async () => {
  sql = await openStore({ path: folder.at('a.db'), clock, busyTimeoutMs: 5000, schema: LEASE_SCHEMA });
});

afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
  await sql.close();
});

async function take(ttlMs: number, holder = 'ann'): Promise<Lease> {
  return leaseOf(await takeLease(sql, { name: 'engine', holder, token: holder, ttlMs, machine }));
}

async function keep(lease: Lease, options: Partial<KeepOptions> = {}): Promise<LeaseKeeper> {
  const keeper = await keepLease(lease, { address: { path: folder.at('a.db') }, schema: LEASE_SCHEMA, bootId: bootId(), journalPath: folder.at('journal.jsonl'), workerFile: worker.file, ...options });
  keepers.push(keeper);
  return keeper;
}

/** Keeps this thread from everything else until it is so. */
function blockUntil(isSo: () => boolean): void {
  const nap = new Int32Array(new SharedArrayBuffer(4));
  while (!isSo()) Atomics.wait(nap, 0, 0, 5);
}

const ended = (keeper: LeaseKeeper): Promise<unknown> =>
  new Promise((resolve) => {
    if (keeper.signal.aborted) resolve(keeper.signal.reason);
    keeper.signal.addEventListener('abort', () => resolve(keeper.signal.reason));
  });

describe('a lease that is kept', () => {
  test('is renewed while this thread does nothing else, and its holder’s row with it', async () => {
    const lease = await take(3000);
    await sql.run("INSERT INTO notes VALUES ('alive', 0)");
    const keeper = await keep(lease, { beats: [{ sql: 'UPDATE notes SET epoch = epoch + 1 WHERE text = ?', params: ['alive'] }] });
    blockUntil(() => keeper.renewals >= 3);
    expect(keeper.isOver).toBe(false);
    expect(await takeLease(sql, { name: 'engine', holder: 'bob', token: 'bob', ttlMs: 600, machine })).toMatchObject({ outcome: 'held' });
    const [row] = await sql.query('SELECT epoch FROM notes');
    expect(Number(row?.['epoch'])).toBeGreaterThanOrEqual(3);
  });

  test('is left alone after the end of the keeping, and stays taken until it runs out', async () => {
    const keeper = await keep(await take(60_000));
    await keeper.stop();
    await keeper.stop();
    expect([keeper.signal.aborted, keeper.isOver]).toEqual([false, false]);
    expect(await takeLease(sql, { name: 'engine', holder: 'bob', token: 'bob', ttlMs: 600, machine })).toMatchObject({ outcome: 'held' });
  });

  test('ends when another took it over, and the keeper names that one', async () => {
    const lease = await take(SHORT_TTL_MS);
    const keeper = await keep(lease);
    await sql.run("UPDATE leases SET token = 'bob', holder = 'bob', epoch = 2");
    expect(await ended(keeper)).toMatchObject({ code: 'lease-lost', message: expect.stringContaining('bob (epoch 2)') });
    expect(keeper.isOver).toBe(true);
    await expect(writeUnder(sql, lease, 'no')).rejects.toThrow(expect.objectContaining({ code: 'lease-lost' }));
  });

  test('that is another’s already is not kept', async () => {
    const lease = await take(SHORT_TTL_MS);
    await sql.run("UPDATE leases SET token = 'bob', holder = 'bob', epoch = 2");
    await expect(keep(lease)).rejects.toThrow(expect.objectContaining({ code: 'lease-lost' }));
  });

  test('is lost at once when its database is removed, although it would last long', async () => {
    const keeper = await keep(await take(3000));
    rmSync(folder.at('a.db'));
    const reason = `${folder.at('a.db')} was removed or replaced`;
    expect(await ended(keeper)).toMatchObject({ code: 'lease-lost', message: expect.stringContaining(reason) });
    expect(keeper.isOver).toBe(true);
  });

  test('is not kept for a time that is none', async () => {
    const lease = await take(60_000);
    for (const ttlMs of [0, Number.NaN, 1, 2 ** 31]) await expect(keep({ ...lease, ttlMs })).rejects.toMatchObject({ code: 'lease-request-invalid' });
    for (const hungAfterMs of [0, Number.NaN, -1]) await expect(keep(lease, { hungAfterMs })).rejects.toMatchObject({ code: 'lease-request-invalid' });
    await expect(keep({ ...lease, epoch: 0 })).rejects.toMatchObject({ code: 'lease-request-invalid' });
  });

  test('is over when it cannot be renewed until it ran out', async () => {
    const keeper = await keep(await take(SHORT_TTL_MS));
    await sql.run('ALTER TABLE leases RENAME TO gone');
    expect(await ended(keeper)).toMatchObject({ code: 'lease-lapsed', message: expect.stringContaining('leases') });
  });
});

describe('a main thread that hangs', () => {
  test('loses its lease, which is journaled, and knows it at once when it goes on', async () => {
    const keeper = await keep(await take(60_000), { hungAfterMs: 400 });
    blockUntil(() => keeper.isOver);
    blockUntil(() => readdirSync(folder.path).includes('journal.jsonl') && readFileSync(folder.at('journal.jsonl'), 'utf8').endsWith('\n'));
    expect(await ended(keeper)).toMatchObject({ code: 'engine-hung', message: expect.stringContaining('engine') });
    const { records } = await readJournal(folder.at('journal.jsonl'), { purpose: 'decide' });
    expect(records.map(({ record }) => record)).toMatchObject([{ kind: 'engine-hung', lease: 'engine', holder: 'ann', epoch: 1, silent_ms: expect.any(Number) }]);
  });

  test('is none as long as it has its turns', async () => {
    const keeper = await keep(await take(1500), { hungAfterMs: 60_000 });
    await expect.poll(() => keeper.renewals, { timeout: 60_000 }).toBeGreaterThan(3);
    expect(keeper.isOver).toBe(false);
  });
});

describe('the thread', () => {
  test('that cannot begin says why', async () => {
    const lease = await take(SHORT_TTL_MS);
    await expect(keep(lease, { address: { path: folder.at('none', 'a.db') } })).rejects.toThrow(
      expect.objectContaining({ code: 'lease-keeper-failed', message: expect.stringContaining('none') }),
    );
    writeFileSync(folder.at('broken.mjs'), 'throw new RangeError("broken");');
    await expect(keep(lease, { workerFile: folder.at('broken.mjs') })).rejects.toThrow(
      expect.objectContaining({ code: 'lease-keeper-failed', message: expect.stringContaining('broken') }),
    );
    writeFileSync(folder.at('short.mjs'), '');
    await expect(keep(lease, { workerFile: folder.at('short.mjs') })).rejects.toThrow(expect.objectContaining({ code: 'lease-keeper-failed' }));
  });

  test('keeps its database from being read by this one, which has it not open itself', async () => {
    const lease = await take(3000);
    await copyDatabase(folder.at('a.db'), folder.at('other.db'));
    const keeper = await keep(lease, { address: { path: folder.at('other.db') } });
    const held = expect.objectContaining({ code: 'file-held' });
    expect(() => readBytes(folder.at('other.db'))).toThrow(held);
    expect(() => readBytes(folder.at('other.db-wal'))).toThrow(held);
    const renewals = keeper.renewals;
    blockUntil(() => keeper.renewals > renewals);
    expect(keeper.isOver).toBe(false);
    await keeper.stop();
    expect(readBytes(folder.at('other.db')).length).toBeGreaterThan(0);
  });

  test('is found beside the program, beside its shared parts, or among the sources', () => {
    mkdirSync(folder.at('dist', 'chunks'), { recursive: true });
    writeFileSync(folder.at('dist', 'lease-worker.cjs'), '');
    expect(leaseWorkerFile(folder.at('dist', 'bach.cjs'))).toBe(folder.at('dist', 'lease-worker.cjs'));
    expect(leaseWorkerFile(folder.at('dist', 'chunks', 'a.cjs'))).toBe(folder.at('dist', 'lease-worker.cjs'));
    expect(leaseWorkerFile()).toMatch(/src\/kernel\/lock\/lease-worker\.ts$/);
    expect(() => leaseWorkerFile(folder.at('none', 'a.cjs'))).toThrow(expect.objectContaining({ code: 'lease-worker-missing' }));
  });
});

describe('the state tree', () => {
  test('can be hashed while transactions run here and in a thread, and nothing that was acknowledged is lost', async () => {
    const keeper = await keep(await take(60_000));
    writeFileSync(folder.at('plan.txt'), 'x');
    for (let round = 0; round < 20; round += 1) {
      const hashing = hashed(folder.path);
      await writeUnder(sql, keeper.lease, `round ${round}`);
      expect(await hashing).toEqual(['plan.txt']);
    }
    expect(await sql.query('SELECT count(*) AS n FROM notes')).toEqual([{ n: 20 }]);
    expect(await sql.query('SELECT integrity_check FROM pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(keeper.isOver).toBe(false);
  });
});

const server = postgresServer();
// A lease that a busy machine does not lose by accident takes seconds to run out.
testUnless(withoutPostgres, 'a lease on PostgreSQL is kept by a connection of its own, and over soon after the server is gone', async () => {
  const address = { url: server.url };
  const remote = await openStore({ ...address, clock, busyTimeoutMs: 5000, schema: LEASE_SCHEMA });
  const taking = await takeLease(remote, { name: 'engine', holder: 'ann', token: 'ann', ttlMs: 3000, machine });
  const keeper = await keep(leaseOf(taking), { address });
  const connections = await rowsOfSuperuser(server, "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'drover'");
  expect(connections).toEqual([{ n: 2 }]);
  blockUntil(() => keeper.renewals >= 2);
  expect(keeper.isOver).toBe(false);
  await server.stop('SIGQUIT');
  expect(await ended(keeper)).toMatchObject({ code: 'lease-lapsed' });
  await remote.close();
});

async function hashed(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const entry of hashTree(root, { clock })) {
    if (entry.kind === 'file') paths.push(entry.path);
  }
  return paths;
}
