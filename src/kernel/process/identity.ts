import { bootId as bootIdOfMachine } from '../time/index.ts';
import { readStat } from './proc.ts';

/** One process of one boot of the machine. A number alone is given to another program sooner or later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of `/proc/<pid>/stat`: clock ticks since the machine started. */
  readonly startTime: number;
  readonly bootId: string;
}

let boot: string | undefined;

/** Who bears this number now; `undefined` when nobody does, or where there is no `/proc` to tell. */
export function processIdentity(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  return stat === undefined ? undefined : { pid, startTime: stat.startTime, bootId: bootId() };
}

/** Whether the number is still borne by that process. One that ended and was not collected still bears it. */
export function isSame({ pid, startTime, bootId: then }: ProcessIdentity): boolean {
  return then === bootId() && readStat(pid)?.startTime === startTime;
}

/**
 * Signals a process that is not our own child, and never a stranger who got its number since. Between the look and
 * the signal the kernel would have to go through all numbers.
 *
 * @example
 * const holder = processIdentity(4711);
 * if (holder !== undefined) signalIfSame(holder, 'SIGTERM');
 */
export function signalIfSame(identity: ProcessIdentity, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  if (identity.pid <= 1 || identity.pid === process.pid || !isSame(identity)) return 'gone';
  try {
    process.kill(identity.pid, signal);
    return 'sent';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'gone' : 'refused';
  }
}

/** Empty where the system does not tell: then start times are compared with those of the same run of the system only. */
export function bootId(): string {
  boot ??= bootIdOfMachine() ?? '';
  return boot;
}
