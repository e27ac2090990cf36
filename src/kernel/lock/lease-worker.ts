import { parentPort, threadId, workerData } from 'node:worker_threads';
import { openJournal } from '../journal/index.ts';
import { openStore, useSqliteLibrary, type Sql } from '../sql/index.ts';
import { formatRfc3339, systemClock } from '../time/index.ts';
import { KeeperWords, STOP, type Ending, type KeeperMessage, type KeepingOrder } from './keeper-contract.ts';
import { keepRenewing } from './keeper-loop.ts';

/** The thread that keeps a lease, so that it is renewed also while the main thread is busy. Its own bundle. */
const order = workerData as KeepingOrder;
const clock = systemClock();
const words = new KeeperWords(order.memory);
const stop = new AbortController();

parentPort?.on('message', (message: unknown) => {
  if (message === STOP) stop.abort();
});

void run();

async function run(): Promise<void> {
  try {
    const ending = await keep().catch((error: unknown): Ending => ({ kind: 'failed', reason: String(error) }));
    if (ending !== undefined && !stop.signal.aborted) await tell(ending);
  } finally {
    parentPort?.close();
  }
}

async function keep(): Promise<Ending | undefined> {
  useSqliteLibrary(order.library);
  const sql = await openOwn();
  const machine = { clock, bootId: order.bootId };
  try {
    return await keepRenewing({ ...order, sql, machine, clock, words, signal: stop.signal, onRenewed: () => say({ kind: 'kept' }) });
  } finally {
    await sql.close();
  }
}

/** A connection of its own, which gives up in time for another try. */
function openOwn(): Promise<Sql> {
  const { address, schema, lease } = order;
  const limitMs = Math.max(1, Math.round(lease.ttlMs / 3));
  const limits = 'url' in address ? { poolSize: 1, connectTimeoutMs: limitMs, statementTimeoutMs: limitMs } : {};
  return openStore({ ...address, ...limits, schema, clock, busyTimeoutMs: limitMs, signal: stop.signal });
}

async function tell(ending: Ending): Promise<void> {
  // First, since a main thread that hangs reads no messages.
  words.end();
  say(ending);
  if (ending.kind === 'hung') await journalHung(ending.silentMs);
}

async function journalHung(silentMs: number): Promise<void> {
  const { journalPath, lease } = order;
  const journal = await openJournal(journalPath, { clock, writer: `lease-keeper.${process.pid}.${threadId}` });
  const { name, holder, epoch } = lease;
  await journal.append({ kind: 'engine-hung', at: formatRfc3339(clock.wall()), lease: name, holder, epoch, silent_ms: Math.round(silentMs) });
  await journal.close();
}

function say(message: KeeperMessage): void {
  parentPort?.postMessage(message, []);
}
