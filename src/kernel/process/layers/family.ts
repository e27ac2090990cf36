import type { NamedProcess } from '../contract.ts';
import { PROMISES, type Enclosure } from '../enclosure.ts';
import { processGroup, type Group } from '../group.ts';
import { bootId, signalIfSame, type ProcessIdentity } from '../identity.ts';
import { TOKEN_NAME } from '../marks.ts';
import { environmentHas, isLive, readStat, type Stat } from '../proc.ts';
import { lookAtProcesses, onEverySample, type ProcessTable } from '../samples.ts';

/** Process group, mark in the environment, and descent: what can be done where nothing better works. */
export function familyEnclosure(token: string): Enclosure {
  return {
    layer: 'group',
    ...PROMISES.group,
    wrapper: undefined,
    hasChannel: false,
    token,
    hold: ({ leader }) => ({ group: familyGroup(leader.pid, [`${TOKEN_NAME}=${token}`]), ended: leader.ended }),
    discard: () => undefined,
  };
}

/**
 * The group of a leader, its descendants as they were seen, and what bears one of the marks. A process that was seen
 * once is remembered by number and start time, so that it stays known when its parents are gone.
 */
export function familyGroup(leader: number, marks: readonly string[]): Group {
  const group = processGroup(leader);
  const family = new Family({ leader, marks });
  const endSampling = onEverySample((table) => family.learn(table));
  let level: 'SIGTERM' | 'SIGKILL' | undefined;
  let leaderEnded = false;

  const find = async (): Promise<boolean> => {
    const isNew = family.learn(await lookAtProcesses());
    // What was hidden while everything else was asked to end is asked now.
    if (level !== undefined && leaderEnded) for (const member of isNew) family.signal(member, level);
    return family.members().length > 0;
  };

  return {
    id: leader,
    leaderEnded: () => {
      leaderEnded = true;
      family.leaderEnded();
      group.leaderEnded();
    },
    signal: (name) => {
      level = name;
      const answer = group.signal(name);
      const others = leaderEnded || name === 'SIGKILL' ? family.members() : [];
      for (const member of others) family.signal(member, name);
      return others.length > 0 ? 'sent' : answer;
    },
    // Twice, because what forks and ends while it is looked at is missed together with its child.
    alive: async () => (await group.alive()) || (await find()) || find(),
    left: () => [...group.left(), ...family.left()].filter(isFirstOfItsNumber),
    release: () => {
      endSampling();
      return Promise.resolve();
    },
  };
}

/**
 * What somebody else started and left: known members with all that descends from them, what bears a mark, and what of
 * a group bears the mark of its run.
 */
export function strangersFamily(of: StrangersMarks): Group {
  const family = new Family(of);
  let level: 'SIGTERM' | 'SIGKILL' | undefined;
  const find = async (): Promise<boolean> => {
    const isNew = family.learn(await lookAtProcesses());
    if (level !== undefined) for (const member of isNew) family.signal(member, level);
    return family.members().length > 0;
  };
  return {
    id: 0,
    leaderEnded: () => undefined,
    signal: (name) => {
      level = name;
      const members = family.members();
      for (const member of members) family.signal(member, name);
      return members.length > 0 ? 'sent' : 'gone';
    },
    alive: async () => (await find()) || find(),
    left: () => family.left(),
    release: () => Promise.resolve(),
  };
}

export interface StrangersMarks extends Pick<FamilyOptions, 'marks' | 'group'> {
  readonly known: readonly ProcessIdentity[];
}

interface FamilyOptions {
  /** One that may have outlived its leader; its number may be another's by now, the mark is not. */
  readonly group?: { readonly id: number; readonly mark: string };
  /** Our own child; whether it runs is known without looking. */
  readonly leader?: number;
  readonly known?: readonly ProcessIdentity[];
  readonly marks: readonly string[];
}

class Family {
  readonly #leader: number | undefined;
  readonly #marks: readonly string[];
  readonly #group: FamilyOptions['group'];
  readonly #known = new Map<number, number>();
  readonly #unmarked = new Map<number, number>();
  /** We, and what started us: a mark there was not meant for what we started. */
  readonly #ours = new Set(ownAncestors());
  #leaderStart: number | undefined;

  constructor({ leader, known = [], marks, group }: FamilyOptions) {
    this.#group = group;
    this.#leader = leader;
    this.#marks = marks;
    this.#leaderStart = leader === undefined ? undefined : readStat(leader)?.startTime;
    for (const { pid, startTime } of known) this.#known.set(pid, startTime);
  }

  /** From now on somebody else may get its number. */
  leaderEnded(): void {
    this.#leaderStart = undefined;
  }

  /** Remembers what belongs to it in this table; returns what is new. */
  learn(table: ProcessTable): readonly number[] {
    const found: number[] = [];
    for (const [pid, stat] of table) {
      if (pid === this.#leader || this.#known.get(pid) === stat.startTime) continue;
      if (isLive(stat) && this.#belongs(pid, table)) found.push(pid);
    }
    for (const pid of found) this.#known.set(pid, table.get(pid)?.startTime ?? 0);
    for (const pid of this.#unmarked.keys()) if (!table.has(pid)) this.#unmarked.delete(pid);
    return found;
  }

  members(): readonly number[] {
    return [...this.#known].filter(([pid, startTime]) => isStill(readStat(pid), startTime)).map(([pid]) => pid);
  }

  signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
    const startTime = this.#known.get(pid);
    if (startTime !== undefined) signalIfSame({ pid, startTime, bootId: bootId() }, name);
  }

  left(): readonly NamedProcess[] {
    return this.members().map((pid) => ({ pid, name: readStat(pid)?.name ?? 'unknown' }));
  }

  #belongs(pid: number, table: ProcessTable): boolean {
    for (let id = pid; id > 1; id = table.get(id)?.parent ?? 0) {
      const stat = table.get(id);
      if (stat === undefined || this.#ours.has(id)) return false;
      const { startTime } = stat;
      if (id === this.#leader && startTime === this.#leaderStart) return true;
      if (this.#known.get(id) === startTime) return true;
      if (this.#isMarked(id, startTime) || this.#isOfGroup(id, stat)) return true;
    }
    return false;
  }

  #isOfGroup(pid: number, { group }: Stat): boolean {
    return this.#group !== undefined && group === this.#group.id && environmentHas(pid, this.#group.mark);
  }

  /** An environment is read once per process: a program cannot get the mark later, but by being executed anew. */
  #isMarked(pid: number, startTime: number): boolean {
    if (this.#unmarked.get(pid) === startTime) return false;
    if (this.#marks.some((mark) => environmentHas(pid, mark))) return true;
    this.#unmarked.set(pid, startTime);
    return false;
  }
}

function ownAncestors(): readonly number[] {
  const ancestors: number[] = [];
  for (let id = process.pid; id > 0; id = readStat(id)?.parent ?? 0) ancestors.push(id);
  return ancestors;
}

function isStill(stat: Stat | undefined, startTime: number): boolean {
  return stat?.startTime === startTime && isLive(stat);
}

function isFirstOfItsNumber({ pid }: NamedProcess, index: number, all: readonly NamedProcess[]): boolean {
  return all.findIndex((other) => other.pid === pid) === index;
}
