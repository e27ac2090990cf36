import type { CacheVerdict } from '../decide/index.ts';
import type { Target } from '../model/index.ts';
import type { CacheChanges, Sights } from '../store/index.ts';

/** Of the targets that succeeded since it was last asked for. */
export type KeptResults = Pick<CacheChanges, 'states' | 'outputs'>;

/** What a run rested on in which nothing had to run, and that taught the cache nothing. */
export interface Standing {
  readonly cacheStamp: string;
  readonly sights: Sights;
}

/** Says which targets have to run, and learns what became of them. */
export interface Freshness {
  /**
   * Looks at all that these targets rest on, each after what it depends on, before the first of them has its turn.
   * `nothing-runs`: the earlier results of all of them stand. Rejects with the reason of the signal.
   */
  prepare(targets: readonly Target[], signal: AbortSignal): Promise<'nothing-runs' | 'something-runs'>;
  /** Nothing when files have to be looked at first: thousands of cached targets take no promise each. */
  judge(target: Target): CacheVerdict | undefined;
  /** For a target that cannot be judged at once. Rejects with the reason of the signal. */
  judgeAnew(target: Target, signal: AbortSignal): Promise<CacheVerdict>;
  /** Where the run that made a fresh result wrote the log of it, relative to the root; empty when that is no more. */
  logOf(target: string): string;
  /**
   * Before its command: of a folder only the entries themselves are compared, so that after an attempt that fails or is
   * killed nobody could tell what it left deeper inside. The next run then takes the folder for changed.
   */
  starts(target: Target): Promise<void>;
  /** The command of a target has ended: what was seen before need not be so any more. */
  ran(target: Target): void;
  /** After a success; a sentence when the result is not kept, such as for an input that changed meanwhile. */
  succeeded(target: Target, signal: AbortSignal): Promise<string | undefined>;
  /** What was kept, to be written with the rows of its targets. */
  takeKept(): KeptResults;
  /** To be called once, at the end of a run: all that is still to be written. A signal only shortens it. */
  changes(signal: AbortSignal): Promise<CacheChanges>;
  /** After `changes`: nothing where another run could come out differently although all of this stands. */
  standing(): Standing | undefined;
  /** Sentences about what could not be looked at. */
  readonly told: readonly string[];
}

/** Every target runs, every time. */
export const NOTHING_CACHED: Freshness = {
  prepare: async () => 'something-runs',
  judge: () => ({ kind: 'not-cacheable' }),
  judgeAnew: async () => ({ kind: 'not-cacheable' }),
  logOf: () => '',
  starts: async () => undefined,
  ran: () => undefined,
  succeeded: async () => undefined,
  takeKept: () => ({ states: [], outputs: new Map() }),
  changes: async () => ({ states: [], outputs: new Map(), hashes: { put: new Map(), drop: [] } }),
  standing: () => undefined,
  told: [],
};
