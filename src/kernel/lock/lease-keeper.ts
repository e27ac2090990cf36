import type { Worker } from 'node:worker_threads';
import type { DroverError } from '../errors/index.ts';
import { dropHoldsOfThread, shareHolds } from '../files/index.ts';
import { sqliteLibraryName, type Schema, type StoreAddress } from '../sql/index.ts';
import { engineHung, leaseKeeperFailed, leaseLapsed, leaseLost } from './errors.ts';
import { KeeperWords, STOP, type Beat, type Ending, type KeeperMessage, type KeepingOrder } from './keeper-contract.ts';
import type { Lease } from './lease-contract.ts';
import { requireLease, requireMilliseconds } from './lease-terms.ts';
import { leaseWorkerFile } from './worker-file.ts';

export interface KeepOptions {
  /** Where the lease stands, and the schema of that store. */
  readonly address: StoreAddress;
  readonly schema: Schema;
  readonly bootId: string | undefined;
  /** How long this thread may do nothing before its lease is left to run out, in milliseconds. Default 120,000. */
  readonly hungAfterMs?: number;
  /** The journal that is told when that happens; its folder must exist. */
  readonly journalPath: string;
  /** Statements that run with every renewal, to show that the holder lives. */
  readonly beats?: readonly Beat[];
  /** Where the file of the thread is, when it is not beside the program. */
  readonly workerFile?: string;
}

/** Keeps a lease by renewing it. */
export interface LeaseKeeper {
  readonly lease: Lease;
  /** Aborted when the lease is no longer kept, with `lease-lost`, `lease-lapsed`, `engine-hung` or `lease-keeper-failed`. */
  readonly signal: AbortSignal;
  /** The same, known at once also in the middle of long work. */
  readonly isOver: boolean;
  readonly renewals: number;
  /** Ends the renewing, without giving the lease free. */
  stop(): Promise<void>;
}

const HUNG_AFTER_MS = 120_000;
const TICKS_WITHIN = 20;
const LONGEST_TICK_MS = 1000;
const STOPPING_MS = 5000;

/**
 * Renews a lease from a thread with a connection of its own, however busy this thread is, as long as it is not silent
 * for `hungAfterMs`. Resolves when the lease was renewed for the first time.
 * Rejects with what keeps that from happening, as the keeper's signal tells later, and with `lease-request-invalid`.
 *
 * @example
 * const keeper = await keepLease(taking.lease, { address: { path }, schema, bootId: bootId(), journalPath });
 * await work(keeper.signal);
 * await keeper.stop();
 */
export async function keepLease(lease: Lease, options: KeepOptions): Promise<LeaseKeeper> {
  requireLease(lease);
  if (options.hungAfterMs !== undefined) requireMilliseconds('hungAfterMs', options.hungAfterMs, 1);
  const keeper = new ThreadKeeper(lease, options);
  try {
    await keeper.kept();
    return keeper;
  } catch (error) {
    await keeper.stop();
    throw error;
  }
}

class ThreadKeeper implements LeaseKeeper {
  readonly lease: Lease;
  readonly #words = new KeeperWords();
  readonly #over = new AbortController();
  readonly #worker: Worker;
  readonly #ticking: NodeJS.Timeout;
  readonly #kept: Promise<void>;
  readonly #exited: Promise<void>;
  #isStopping = false;

  constructor(lease: Lease, options: KeepOptions) {
    this.lease = lease;
    const { hungAfterMs = HUNG_AFTER_MS, workerFile = leaseWorkerFile() } = options;
    this.#worker = startWorker(workerFile, orderOf(lease, { ...options, hungAfterMs }, this.#words.memory));
    this.#ticking = setInterval(() => this.#words.tick(), Math.min(LONGEST_TICK_MS, hungAfterMs / TICKS_WITHIN)).unref();
    this.#exited = this.#watchExit();
    this.#kept = this.#listen();
  }

  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted || this.#words.isOver;
  }

  get renewals(): number {
    return this.#words.renewals;
  }

  async kept(): Promise<void> {
    await this.#kept;
    // It ends with the process, and keeps none alive.
    this.#worker.unref();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#ticking);
    this.#worker.ref();
    this.#worker.postMessage(STOP, []);
    const limit = setTimeout(() => void this.#worker.terminate(), STOPPING_MS);
    await this.#exited;
    clearTimeout(limit);
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#over.signal.addEventListener('abort', () => reject(this.#over.signal.reason), { once: true });
      this.#worker.on('message', (message: KeeperMessage) => (message.kind === 'kept' ? resolve() : this.#end(message)));
      this.#worker.on('error', (error) => this.#end({ kind: 'failed', reason: error.message }));
    });
  }

  async #watchExit(): Promise<void> {
    const { threadId } = this.#worker;
    await new Promise((resolve) => {
      this.#worker.once('exit', resolve);
    });
    clearInterval(this.#ticking);
    dropHoldsOfThread(threadId);
    if (!this.#isStopping) this.#end({ kind: 'failed', reason: 'its thread ended' });
  }

  #end(ending: Ending): void {
    this.#words.end();
    if (!this.#over.signal.aborted) this.#over.abort(errorOf(this.lease, ending));
  }
}

function orderOf(lease: Lease, options: KeepOptions & { readonly hungAfterMs: number }, memory: SharedArrayBuffer): KeepingOrder {
  const { address, schema, bootId, hungAfterMs, beats = [], journalPath } = options;
  return { address, schema, lease, bootId, hungAfterMs, beats, journalPath, memory, library: sqliteLibraryName() };
}

function startWorker(file: string, order: KeepingOrder): Worker {
  shareHolds();
  // Its commits come by the clock: a test that counts durable points to end the process means those of the main thread.
  const { DROVER_CRASH_AT: _, DROVER_CRASH_TRACE: __, ...env } = process.env;
  // Loaded here, since most programs that take a lock keep no lease.
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  return new Thread(file, { workerData: order, env, trackUnmanagedFds: false });
}

function errorOf({ name }: Lease, ending: Ending): DroverError {
  switch (ending.kind) {
    case 'lost':
      return leaseLost(ending.loss);
    case 'lapsed':
      return leaseLapsed({ name, reason: ending.reason });
    case 'hung':
      return engineHung({ name, silentMs: ending.silentMs });
    case 'failed':
      return leaseKeeperFailed({ name, reason: ending.reason });
  }
}
