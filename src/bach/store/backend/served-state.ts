import { join, resolve } from 'node:path';
import { refuseUnlessRegular } from '../../../kernel/files/index.ts';
import { isHeld } from '../../../kernel/lock/index.ts';
import { containedPath } from '../../../kernel/paths/index.ts';
import type { Database, Statements } from '../../../kernel/sql/index.ts';
import type { Clock } from '../../../kernel/time/index.ts';
import {
  ProtocolFault,
  type Evidence,
  type EvidenceQuery,
  type RunFinish,
  type RunQuery,
  type ServedRun,
  type ServedTargetState,
  type TargetChange,
} from '../../model/index.ts';
import { writeCache } from '../cache-rows.ts';
import { openState, type ServedPlace } from './open-state.ts';
import { isSameRun, putEvidence, putRun, putTargetRun, selectEvidence, selectRun, selectRuns } from './served-rows.ts';

const LOCK_FILE = 'run.lock';

/**
 * The state of a project as others use it through the protocol: the same file that `bach run` writes. What writes is
 * one transaction; an aborted signal ends only the waiting for other processes. Refusals are `ProtocolFault`s.
 */
export class ServedState {
  readonly #database: Database;
  readonly #root: string;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;

  private constructor(database: Database, { root, clock }: ServedPlace, signal: AbortSignal) {
    this.#database = database;
    this.#root = root;
    this.#clock = clock;
    this.#signal = signal;
  }

  static async open(place: ServedPlace, signal: AbortSignal): Promise<ServedState> {
    return new ServedState(await openState(place, signal), place, signal);
  }

  /** The same run a second time changes nothing, so that a caller who lost the answer may ask again. */
  async createRun(run: ServedRun): Promise<void> {
    await this.#write((tx) => {
      const known = selectRun(tx, run.id);
      if (known === undefined) return putRun(tx, run);
      if (!isSameRun(known, run)) throw new ProtocolFault('conflict', 'run already exists with different payload', { id: run.id });
    });
  }

  async putTarget({ runId, target }: TargetChange): Promise<void> {
    await this.#write((tx) => {
      requireRun(tx, runId);
      putTargetRun(tx, runId, target);
    });
  }

  async finishRun({ run, states, targets, evidence }: RunFinish): Promise<void> {
    await this.#write((tx) => {
      putRun(tx, run);
      for (const target of targets) putTargetRun(tx, run.id, target);
      for (const each of evidence) putEvidence(tx, this.#stamped(each));
      putStates(tx, run.id, states);
    });
  }

  async recordEvidence(evidence: Evidence): Promise<void> {
    await this.#write((tx) => {
      requireRun(tx, evidence.runId);
      putEvidence(tx, this.#stamped(evidence));
    });
  }

  run(id: string): ServedRun {
    const run = selectRun(this.#database, id);
    if (run === undefined) throw runNotFound(id);
    return this.#withTruth(run);
  }

  /** Newest first, read as far as they are asked for. */
  *runs({ status, ...query }: Omit<RunQuery, 'limit'>): Iterable<ServedRun> {
    for (const run of selectRuns(this.#database, query)) {
      const current = this.#withTruth(run);
      if (status === '' || current.status === status) yield current;
    }
  }

  /** Newest first, read as far as it is asked for. */
  evidence(query: Omit<EvidenceQuery, 'limit'>): Iterable<Evidence> {
    return selectEvidence(this.#database, query);
  }

  close(): void {
    this.#database.close();
  }

  async #write(work: (tx: Statements) => void): Promise<void> {
    await this.#database.txRetry(work, { signal: this.#signal });
  }

  #stamped(evidence: Evidence): Evidence {
    return { ...evidence, createdAt: evidence.createdAt ?? this.#clock.wall() };
  }

  /**
   * A run of ours whose lock lies there without a holder was killed. One that others record has no lock, and is what
   * they say of it.
   */
  #withTruth(run: ServedRun): ServedRun {
    if (run.status !== 'running' || run.logFolder === '' || !this.#isAbandoned(run.logFolder)) return run;
    // Its process may have ended between the two looks.
    const again = selectRun(this.#database, run.id) ?? run;
    return again.status === 'running' ? { ...again, status: 'interrupted' } : again;
  }

  #isAbandoned(logFolder: string): boolean {
    const folder = containedPath(resolve(this.#root), logFolder);
    if (!folder.inside) return false;
    const lock = join(folder.path, LOCK_FILE);
    try {
      return refuseUnlessRegular(lock) === 'present' && !isHeld(lock);
    } catch {
      // What cannot be looked at says nothing: the run is what its row says.
      return false;
    }
  }
}

/** What others know of the outputs of a target is not ours: without our own records of them nothing counts as fresh. */
function putStates(tx: Statements, runId: string, states: readonly ServedTargetState[]): void {
  if (states.length === 0) return;
  const outputs = new Map(states.map(({ target }) => [target, []]));
  writeCache(tx, { states: states.map((state) => ({ ...state, runId })), outputs, hashes: { put: new Map(), drop: [] } });
}

function requireRun(tx: Statements, id: string): void {
  if (selectRun(tx, id) === undefined) throw runNotFound(id);
}

function runNotFound(id: string): ProtocolFault {
  return new ProtocolFault('not_found', 'run not found', { id });
}
