import type { StepShapes } from './contract.ts';
import { runHeld } from './errors.ts';
import { History, type Folding } from './history.ts';
import type { StepLog } from './log.ts';
import { maskEntry } from './mask.ts';
import { nowOf, type EnginePorts, type HeldLock } from './ports.ts';
import { FORMAT, type StepRecord } from './record.ts';

type Unstamped<Kind> = Kind extends StepRecord ? Omit<Kind, 'epoch' | 'by' | 'now'> : never;

/** A record without the stamp that the tenure gives it. */
type Entry = Unstamped<StepRecord>;

/** Tells that another holder took the run over. It never leaves this room. */
export class Fenced extends Error {}

/**
 * Takes the run: its lock, an epoch of its own, its log. Throws `run-held`, and what makes the log unreadable.
 * `path` is the run as messages name it.
 */
export async function takeTenure<State, Shapes extends StepShapes>(
  system: Folding<State, Shapes> & { readonly name: string },
  { ports, path }: { readonly ports: EnginePorts; readonly path: string },
): Promise<Tenure<State, Shapes>> {
  const lock = ports.lock();
  if (lock === 'held') throw runHeld({ path });
  let log: StepLog | undefined;
  try {
    log = await ports.openLog();
    return await open(system, { ports, lock, log });
  } catch (error) {
    await log?.close();
    lock.release();
    throw error;
  }
}

/**
 * The fence first, then our name into the log, then the log is read: what the holder before still wrote is either
 * above our name and is read, or below it and counts for nothing.
 */
async function open<State, Shapes extends StepShapes>(
  system: Folding<State, Shapes> & { readonly name: string },
  held: Omit<Held<State, Shapes>, 'history' | 'epoch'>,
): Promise<Tenure<State, Shapes>> {
  const { ports, log } = held;
  for (let least = 0; ; ) {
    const epoch = await ports.fence.raise(least);
    const history = new History(system, { path: log.path, system: system.name });
    const tenure = new Tenure<State, Shapes>({ ...held, history, epoch });
    await tenure.announce({ type: 'opened', system: system.name, format: FORMAT });
    for (const record of await ports.readLog()) history.apply(record);
    if (history.epoch === epoch && history.holder?.by === ports.by) return tenure;
    // A fence that was lost is behind the log: the next one is above it.
    least = history.epoch;
  }
}

interface Held<State, Shapes extends StepShapes> {
  readonly ports: EnginePorts;
  readonly lock: HeldLock;
  readonly log: StepLog;
  readonly history: History<State, Shapes>;
  readonly epoch: number;
}

/** The time in which this process holds a run, from its lock to the release. All its records carry its epoch. */
export class Tenure<State, Shapes extends StepShapes> {
  readonly history: History<State, Shapes>;
  readonly #held: Held<State, Shapes>;

  constructor(held: Held<State, Shapes>) {
    this.history = held.history;
    this.#held = held;
  }

  /** Durable, and part of the history, when it resolves. Throws `Fenced` when the run is another's by now. */
  async write(entry: Entry): Promise<void> {
    this.history.apply(await this.announce(entry));
  }

  /** As `write`, for the record that the history is then read behind. */
  async announce(entry: Entry): Promise<StepRecord> {
    const { ports, log, epoch } = this.#held;
    // The history gets what the log got: the next holder and a replay have nothing else.
    const record: StepRecord = { ...maskEntry(entry, ports.mask), epoch, by: ports.by, now: nowOf(ports.clock) };
    await log.append(record);
    this.confirm();
    return record;
  }

  /** Throws `Fenced` when the run is another's by now. */
  confirm(): void {
    if (!this.#held.ports.fence.isOurs()) throw new Fenced();
  }

  async end(): Promise<void> {
    try {
      await this.#held.log.close();
    } finally {
      this.#held.lock.release();
    }
  }
}
