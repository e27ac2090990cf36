import type { NamedProcess } from './contract.ts';
import { findLiveMember, isLiveMember, liveMembers } from './group-members.ts';

/** What ending and waiting need of the processes that belong together; a tighter containment can stand in its place. */
export interface Group {
  readonly id: number;
  /** Called when the program that leads the group was collected by us. */
  readonly leaderEnded: () => void;
  readonly signal: (name: 'SIGTERM' | 'SIGKILL') => 'sent' | 'gone' | 'refused';
  /** Whether any member still runs. */
  readonly alive: () => Promise<boolean>;
  /** What is seen of it when it could not be ended. */
  readonly left: () => readonly NamedProcess[];
  /** Called last: ends and removes what we had put around the program. */
  readonly release: () => Promise<void>;
}

/**
 * The process group of a child that was started as its leader.
 *
 * A signal never reaches a stranger: the kernel gives a number to nobody else while a process or a group bears it.
 * Until we collect the leader, the number is therefore ours. Afterwards it stays ours as long as members are left; a
 * process that bears it as its own id then proves that the group had vanished and the number was given away. Once
 * seen gone, the group is never asked again.
 */
export function processGroup(id: number): Group {
  let leaderEnded = false;
  let gone = id <= 1;
  let lastSeen: number | undefined;

  const exists = (): boolean => {
    gone ||= !answers(-id) || (leaderEnded && answers(id));
    return !gone;
  };

  const alive = async (): Promise<boolean> => {
    if (!exists()) return false;
    if (lastSeen !== undefined && isLiveMember(lastSeen, id)) return true;
    const found = await findLiveMember(id);
    lastSeen = typeof found === 'number' ? found : undefined;
    gone ||= found === 'none';
    return exists();
  };

  return {
    id,
    leaderEnded: () => {
      leaderEnded = true;
    },
    signal: (name) => (exists() ? send(id, name) : 'gone'),
    alive,
    left: () => (gone ? [] : liveMembers(id)),
    release: () => Promise.resolve(),
  };
}

function answers(target: number): boolean {
  // Asked after every child, and mostly answered by an exception: its trace would cost more than the question.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return process.kill(target, 0);
  } catch (error) {
    // Anything but "no such process" means that there is one.
    return errorCode(error) !== 'ESRCH';
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function send(group: number, name: 'SIGTERM' | 'SIGKILL'): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(-group, name);
    return 'sent';
  } catch (error) {
    return errorCode(error) === 'ESRCH' ? 'gone' : 'refused';
  }
}

const errorCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
