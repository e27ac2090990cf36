import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDroverError } from '../../../../src/kernel/errors/index.ts';
import { holderNote, keepLease, leasedStore, takeLease, takeLock, type Lease, type Lock } from '../../../../src/kernel/lock/index.ts';
import { openStore, type Sql } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';
import type { DaemonOrder, DaemonWord } from '../daemons.ts';

/**
 * One of several that want to be the engine: takes the lease (under a lock where it is given one), keeps it, and writes
 * under it again and again; when it lost the lease it wants it anew. Tells each step as a line of JSON. It stops itself
 * (SIGSTOP) the first time that it comes to the border that it was told.
 */
const order = JSON.parse(process.argv[2] ?? '') as DaemonOrder;
const { holder, ttlMs, schema, workerFile, journalPath } = order;
const clock = systemClock();
const machine = { clock, bootId: order.bootId };
let { stopAt } = order;
const PASSING: readonly string[] = ['database-unreachable', 'outcome-unknown', 'statement-timeout', 'database-busy'];

const limits = 'url' in order.address ? { statementTimeoutMs: ttlMs * 2, connectTimeoutMs: 30_000 } : {};
const sql = await patiently(() => openStore({ ...order.address, ...limits, clock, schema, busyTimeoutMs: 60_000 }));
say('ready');
const lock = order.lockPath === undefined ? undefined : await waitForLock(order.lockPath);
for (;;) await beEngine(sql, lock);

async function waitForLock(path: string): Promise<Lock> {
  const note = holderNote(clock, `daemon ${holder}`);
  const taken = await takeLock(path, { clock, waitMs: Number.POSITIVE_INFINITY, note });
  if (taken === 'held') throw new RangeError('it waits for ever');
  say('locked');
  return taken;
}

async function beEngine(store: Sql, held: Lock | undefined): Promise<void> {
  const lease = await waitForLease(store, held);
  border('taken');
  say('held', lease.epoch);
  // Not waited for: on a busy machine a thread starts more slowly than such a short lease lasts.
  const keeping = keepLease(lease, { address: order.address, schema, bootId: order.bootId, workerFile, journalPath }).catch(() => undefined);
  if (stopAt === 'kept') await keeping;
  border('kept');
  try {
    for (;;) {
      border('before-write');
      await write(store, lease);
      border('after-write');
      await sleep(10);
    }
  } catch (error) {
    say('refused', lease.epoch, isDroverError(error) ? error.code : String(error));
  } finally {
    await (await keeping)?.stop();
  }
}

async function waitForLease(store: Sql, held: Lock | undefined): Promise<Lease> {
  const token = randomUUID();
  for (;;) {
    const taking = await patiently(() => takeLease(store, { name: 'engine', holder, token, ttlMs, machine, lock: held }));
    if (taking.outcome === 'taken') return taking.lease;
    await sleep(20);
  }
}

/** A server ends a transaction that a busy machine let stand for too long; who only waits for the lease asks again. */
async function patiently<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDroverError(error) || !PASSING.includes(error.code)) throw error;
      await sleep(20);
    }
  }
}

async function write(store: Sql, lease: Lease): Promise<void> {
  await leasedStore(store, lease).tx(function* (t) {
    if (t.dialect === 'postgres') border('in-transaction');
    yield* t.run('INSERT INTO notes (text, epoch) VALUES (?, ?)', [holder, lease.epoch]);
  });
  say('wrote', lease.epoch);
}

function border(name: string): void {
  if (stopAt !== name) return;
  stopAt = undefined;
  say('stopping');
  process.kill(process.pid, 'SIGSTOP');
}

function say(word: DaemonWord['word'], epoch = 0, code = ''): void {
  process.stdout.write(`${JSON.stringify({ word, holder, epoch, code } satisfies DaemonWord)}\n`);
}
