import { setImmediate } from 'node:timers/promises';
import type { NamedProcess } from './contract.ts';
import { isLive, listProcesses, readStat } from './proc.ts';

const BATCH = 64;

type Found = number | 'none' | 'hidden' | 'unknown';

/**
 * Id of a member of the process group that still runs, as `/proc` tells; `none` when all that is left of the group
 * are ended processes that nobody collected, which no signal removes (the first process of a container often
 * collects none); `hidden` when nothing was seen that would explain why the group is there; `unknown` without `/proc`.
 *
 * What forks and ends between the listing and its reading is missed together with its child, and that may happen again
 * and again. It leaves other ended processes behind each time, or none: only the same ones twice prove that all ended.
 */
export async function findLiveMember(group: number): Promise<Found> {
  const first = await scan(group);
  if (typeof first !== 'object') return first;
  const second = await scan(group);
  if (typeof second !== 'object') return second;
  return first.length > 0 && first.join() === second.join() ? 'none' : 'hidden';
}

/** False also for a process that ended while it was looked at. */
export function isLiveMember(pid: number, group: number): boolean {
  const stat = readStat(pid);
  return stat?.group === group && isLive(stat);
}

/** The members that still run, for a person to look for. */
export function liveMembers(group: number): readonly NamedProcess[] {
  return listProcesses()
    .filter((pid) => isLiveMember(pid, group))
    .map(named);
}

export function named(pid: number): NamedProcess {
  return { pid, name: readStat(pid)?.name ?? 'unknown' };
}

/** A live member, or else all that ended. */
async function scan(group: number): Promise<number | 'unknown' | readonly number[]> {
  const pids = listProcesses();
  if (pids.length === 0) return 'unknown';
  const ended: number[] = [];
  for (const [index, pid] of pids.entries()) {
    const stat = readStat(pid);
    if (stat?.group === group && isLive(stat)) return pid;
    if (stat?.group === group) ended.push(pid);
    if (index % BATCH === BATCH - 1) await setImmediate();
  }
  return ended;
}
