import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

const BATCH = 64;

type Found = number | 'none' | 'unknown';

/**
 * Id of a member of the process group that still runs, as `/proc` tells; `none` when all that is left of the group
 * are ended processes that nobody collected, which no signal removes (the first process of a container often
 * collects none); `unknown` without `/proc`.
 */
export async function findLiveMember(group: number): Promise<Found> {
  const found = await scan(group);
  // Again, because a member that forks and ends between the listing and its reading is missed together with its child.
  return found === 'none' ? scan(group) : found;
}

/** False also for a process that ended while it was looked at. */
export function isLiveMember(pid: number, group: number): boolean {
  const stat = readStat(pid);
  if (stat === undefined || stat.group !== group || stat.state === 'X') return false;
  // With further threads, the first one of a running process has ended.
  return stat.state !== 'Z' || stat.threads > 1;
}

async function scan(group: number): Promise<Found> {
  const pids = listProcesses();
  if (pids.length === 0) return 'unknown';
  for (const [index, pid] of pids.entries()) {
    if (isLiveMember(pid, group)) return pid;
    if (index % BATCH === BATCH - 1) await setImmediate();
  }
  return 'none';
}

function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The command name stands in parentheses and may hold any character, so fields are counted after the last one. */
function readStat(pid: number): { readonly state: string; readonly group: number; readonly threads: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? 'X', group: Number(fields[2]), threads: Number(fields[17]) };
  } catch {
    return undefined;
  }
}
