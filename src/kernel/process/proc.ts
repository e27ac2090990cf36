import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** Files of `/proc` have no size to be asked for, and a whole look reads hundreds of them: one buffer serves all. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** What `/proc/<pid>/stat` tells of a process. */
export interface Stat {
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly threads: number;
  /** Clock ticks since the machine started: together with the number, it is one process and no later one. */
  readonly startTime: number;
}

/** `undefined` when there is no such process, or no `/proc`. */
export function readStat(pid: number): Stat | undefined {
  const text = readProc(`/proc/${pid}/stat`)?.toString('latin1');
  if (text === undefined) return undefined;
  // The name stands in parentheses and may hold any character, so fields are counted after the last one.
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  return {
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    state: fields[0] ?? 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    threads: Number(fields[17]),
    startTime: Number(fields[19]),
  };
}

/** False for what has ended and only waits to be collected. */
export function isLive({ state, threads }: Stat): boolean {
  if (state === 'X') return false;
  // With further threads, the first one of a running process has ended.
  return state !== 'Z' || threads > 1;
}

/** Empty where there is no `/proc`. */
export function listProcesses(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Numbers of the live children; `undefined` when the process is gone or the kernel does not tell. */
export function liveChildren(pid: number): readonly number[] | undefined {
  const text = readProc(`/proc/${pid}/task/${pid}/children`)?.toString('latin1');
  return text?.split(' ').map(Number).filter((child) => child > 0 && isLiveProcess(child));
}

/** Whether the environment that a process was started with has exactly this `NAME=value`. */
export function environmentHas(pid: number, entry: string): boolean {
  const environment = readProc(`/proc/${pid}/environ`);
  if (environment === undefined) return false;
  const wanted = Buffer.from(`${entry}\0`);
  const at = environment.indexOf(wanted);
  return at === 0 || environment.includes(Buffer.from(`\0${entry}\0`));
}

export function isLiveProcess(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && isLive(stat);
}

/** `undefined` when it is gone, or another user's: either way it is not one that we could tell apart. */
function readProc(path: string): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const count = readSync(descriptor, scratch);
    if (count < scratch.length) return scratch.subarray(0, count);
    return Buffer.concat([Buffer.from(scratch), ...restOf(descriptor)]);
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function* restOf(descriptor: number): Generator<Buffer> {
  for (let count = readSync(descriptor, scratch); count > 0; count = readSync(descriptor, scratch)) {
    yield Buffer.from(scratch.subarray(0, count));
  }
}
