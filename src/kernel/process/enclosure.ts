import type { ChildProcess } from 'node:child_process';
import type { Containment, ContainmentLayer, LeaderEnd } from './contract.ts';
import { processGroup, type Group } from './group.ts';
import type { Leader, Wrapper } from './launch.ts';

/** A started program with what stands around it. */
export interface Started {
  readonly leader: StartedLeader;
  /** The last bytes of the log, as text. */
  readonly logTail: () => string;
}

export interface StartedLeader extends Leader {
  readonly pid: number;
  readonly child: ChildProcess;
}

/** How its end is known, and what belongs to it is reached. */
export interface Hold {
  readonly group: Group;
  /** How the program itself ended, also where it is not our own child. */
  readonly ended: Promise<LeaderEnd>;
}

/** What holds one child together. Made for it before the start; nothing of it exists when the start fails. */
export interface Enclosure {
  readonly layer: ContainmentLayer | 'none';
  readonly containment: Containment;
  /** What it cannot promise. */
  readonly caveat: string | undefined;
  /** What is executed instead of the program, which it executes in turn. */
  readonly wrapper: Wrapper | undefined;
  readonly hasChannel: boolean;
  /** Put into the environment as `DROVER_CHILD`: unlike the marker of a run, it is borne by nothing else. */
  readonly token: string | undefined;
  /** The folder of its cgroup. */
  readonly cgroup?: string;
  readonly hold: (started: Started) => Hold;
  /** Takes back what was made for a program that was not started. */
  readonly discard: () => void;
}

interface Promised {
  readonly containment: Containment;
  readonly caveat: string | undefined;
}

const FULL: Promised = { containment: 'full', caveat: undefined };
const partial = (caveat: string): Promised => ({ containment: 'partial', caveat });

/** `full` is what nothing that the program itself can do leaves. */
export const PROMISES: Readonly<Record<Enclosure['layer'], Promised>> = {
  'pid-namespace': FULL,
  'user-namespace': FULL,
  bubblewrap: FULL,
  // Who may move the program into its group may write to the parent's list, and the program is the same user.
  cgroup: partial('a process that moved itself to another cgroup may have escaped'),
  subreaper: partial('a process with a session of its own and a cleared environment may have escaped if the program ended the one that watches it'),
  group: partial('a process that forked twice with a session of its own and a cleared environment may have escaped'),
  none: partial('a process that made a session of its own has left the group and is not seen'),
};

/** The process group alone. */
export const BARE: Enclosure = {
  layer: 'none',
  ...PROMISES.none,
  wrapper: undefined,
  hasChannel: false,
  token: undefined,
  hold: ({ leader }) => ({ group: processGroup(leader.pid), ended: leader.ended }),
  discard: () => undefined,
};
