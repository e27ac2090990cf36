import { isDroverError } from '../errors/index.ts';
import type { Sql, Steps, Transaction } from '../sql/index.ts';
import { markClock, sleep, sleptMs, type Clock, type ClockMark } from '../time/index.ts';
import type { Beat, Ending, KeeperWords } from './keeper-contract.ts';
import type { Loss } from './errors.ts';
import type { Lease, Machine } from './lease-contract.ts';
import { renewal } from './lease.ts';
import { MainWatch } from './main-watch.ts';

export interface Keeping {
  readonly sql: Sql;
  readonly lease: Lease;
  readonly machine: Machine;
  readonly clock: Clock;
  readonly beats: readonly Beat[];
  readonly words: KeeperWords;
  readonly hungAfterMs: number;
  /** Ends the keeping; what becomes of the lease then is the caller's affair. */
  readonly signal: AbortSignal;
  /** Called after each renewal. */
  readonly onRenewed: () => void;
}

/** A renewal has two more chances before the lease runs out; one that failed is tried again sooner. */
const RENEWALS_PER_LEASE = 3;
const RETRIES_PER_LEASE = 10;

/** Renews until it is told to stop, which gives `undefined`, or must not or cannot any more. */
export async function keepRenewing(keeping: Keeping): Promise<Ending | undefined> {
  const { clock, lease, words, signal } = keeping;
  const watch = new MainWatch({ hungAfterMs: keeping.hungAfterMs, ticks: words.ticks, nowMs: clock.mono() });
  const term = new Term(lease.ttlMs, clock);
  for (let nextAt = clock.mono(); !signal.aborted; ) {
    watch.look(words.ticks, clock.mono());
    if (watch.isHung) return { kind: 'hung', silentMs: watch.silentMs };
    if (clock.mono() >= nextAt) {
      const outcome = await renewed(keeping, term);
      if (typeof outcome === 'object') return outcome;
      nextAt = clock.mono() + lease.ttlMs / (outcome === 'done' ? RENEWALS_PER_LEASE : RETRIES_PER_LEASE);
    }
    // An abort is seen by the loop.
    await sleep(Math.max(1, Math.min(nextAt - clock.mono(), watch.stepMs)), { clock, signal }).catch(() => undefined);
  }
  return undefined;
}

async function renewed(keeping: Keeping, term: Term): Promise<'done' | 'failed' | Ending> {
  const { sql, lease, machine, clock, beats, words, onRenewed } = keeping;
  // Counted from before it was asked for: the database counts from later.
  const asked = markClock(clock);
  const limit = term.limit(keeping.signal);
  try {
    const work = function* (t: Transaction): Steps<Loss | undefined> {
      const loss = yield* renewal(t, lease, machine);
      if (loss === undefined) for (const { sql: text, params } of beats) yield* t.run(text, params);
      return loss;
    };
    const loss = await sql.tx(work, { signal: limit.signal });
    if (loss !== undefined) return { kind: 'lost', loss };
  } catch (error) {
    // Who has the one at the path, if anybody, cannot be told; this opening is of no use any more.
    if (isDroverError(error) && error.code === 'database-removed') return { kind: 'lost', loss: lossOfStore(lease, error.message) };
    // Whatever else it was, the next try may succeed, until there is no time for one.
    return term.isOver ? { kind: 'lapsed', reason: error instanceof Error ? error.message : String(error) } : 'failed';
  } finally {
    limit.clear();
  }
  term.begin(asked);
  words.countRenewal();
  onRenewed();
  return 'done';
}

function lossOfStore({ name, epoch }: Lease, reason: string): Loss {
  return { name, epoch, epochNow: epoch, heldBy: undefined, reason };
}

/** The time that the lease certainly lasts, counted on this machine with the time that it slept. */
class Term {
  readonly #ttlMs: number;
  readonly #clock: Clock;
  #since: ClockMark;

  constructor(ttlMs: number, clock: Clock) {
    this.#ttlMs = ttlMs;
    this.#clock = clock;
    this.#since = markClock(clock);
  }

  get isOver(): boolean {
    return this.#remainingMs() <= 0;
  }

  begin(since: ClockMark): void {
    this.#since = since;
  }

  /**
   * Ends a renewal together with the time that is left. One that begins after a sleep of the machine, when none is
   * left, is still worth trying: as long as nobody took the lease over it is ours.
   */
  limit(signal: AbortSignal): { readonly signal: AbortSignal; clear(): void } {
    const over = new AbortController();
    const remaining = this.#remainingMs();
    // A process that was stopped finds its timers expired before it reads the answer that has come long since.
    const late = (): void => void setImmediate(() => over.abort('no answer until it ran out'));
    const timer = setTimeout(late, remaining > 0 ? remaining : this.#ttlMs / RENEWALS_PER_LEASE);
    return { signal: AbortSignal.any([signal, over.signal]), clear: () => clearTimeout(timer) };
  }

  #remainingMs(): number {
    return this.#ttlMs - (this.#clock.mono() - this.#since.mono) - sleptMs(this.#clock, this.#since);
  }
}
