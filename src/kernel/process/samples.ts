import { setImmediate } from 'node:timers/promises';
import { listProcesses, readStat, type Stat } from './proc.ts';

const EVERY_MS = 500;
const BATCH = 64;

/** All processes of one moment, by number. */
export type ProcessTable = ReadonlyMap<number, Stat>;

const viewers = new Set<(table: ProcessTable) => void>();
let timer: NodeJS.Timeout | undefined;
let looking: Promise<void> | undefined;

/** Shows all processes every 500 ms until the returned function is called. All viewers share one look. */
export function onEverySample(view: (table: ProcessTable) => void): () => void {
  viewers.add(view);
  timer ??= setInterval(sample, EVERY_MS).unref();
  return () => {
    viewers.delete(view);
    if (viewers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Looks at all processes now, a few at a time. */
export async function lookAtProcesses(): Promise<ProcessTable> {
  const table = new Map<number, Stat>();
  for (const [index, pid] of listProcesses().entries()) {
    const stat = readStat(pid);
    if (stat !== undefined) table.set(pid, stat);
    if (index % BATCH === BATCH - 1) await setImmediate();
  }
  return table;
}

/** A look that takes longer than the time between two is not overtaken by the next one. */
function sample(): void {
  looking ??= show().finally(() => {
    looking = undefined;
  });
}

async function show(): Promise<void> {
  const table = await lookAtProcesses();
  for (const view of viewers) view(table);
}
