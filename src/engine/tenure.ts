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
    // A log that is not ours to go on with is refused before anything is changed, the log itself and the fence included.
    const history = new History(system, { path: ports.logPath, system: system.name });
    const read = await applyNew(history, ports, 0);
    log = await ports.openLog();
    return await open({ ports, lock, log, history }, { system: system.name, read });
  } catch (error) {
    await log?.close();
    lock.release();
    throw error;
  }
}

/**
 * The fence first, above all that was read, then our name into the log, then the rest of the log is read: what the
 * holder before still wrote is either above our name and is read, or below it and counts for nothing.
 */
async function open<State, Shapes extends StepShapes>(
  held: Omit<Held<State, Shapes>, 'epoch'>,
  { system, read }: { readonly system: string; readonly read: number },
): Promise<Tenure<State, Shapes>> {
  const { ports, history } = held;
  for (let known = read; ; ) {
    const epoch = await ports.fence.raise(history.epoch);
    const tenure = new Tenure<State, Shapes>({ ...held, epoch });
    await tenure.announce({ type: 'opened', system, format: FORMAT });
    known = await applyNew(history, ports, known);
    if (history.isHeldBy({ epoch, by: ports.by })) return tenure;
  }
}

/** Takes in what came behind the first `known` records, and tells how many there are. */
async function applyNew<State, Shapes extends StepShapes>(
  history: History<State, Shapes>,
  ports: Pick<EnginePorts, 'readLog'>,
  known: number,
): Promise<number> {
  const records = await ports.readLog();
  for (const record of records.slice(known)) history.apply(record);
  return records.length;
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

  /** Throws `Fenced` when the run is another's by now, and what the lock says when it could become one's. */
  confirm(): void {
    if (!this.#held.ports.fence.isOurs()) throw new Fenced();
    this.#held.lock.confirm();
  }

  async end(): Promise<void> {
    try {
      await this.#held.log.close();
    } finally {
      this.#held.lock.release();
    }
  }
}
