import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { detectContainment, type ContainmentLayer, type LayerReport } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { isRunning } from './workbench.ts';

interface LayersHere {
  readonly layers: readonly LayerReport[];
  readonly works: readonly ContainmentLayer[];
  /** Those that work and hold what hides on purpose. */
  readonly full: readonly ContainmentLayer[];
  readonly missing: readonly LayerReport[];
}

/** What works on this machine; after it, `start` takes the names of layers. */
export async function layersHere(): Promise<LayersHere> {
  const { layers } = await detectContainment({ env: { PATH: process.env['PATH'] ?? '' }, clock: systemClock() });
  const here = layers.filter(({ available }) => available);
  const names = (some: readonly LayerReport[]): readonly ContainmentLayer[] => some.map(({ layer }) => layer);
  return { layers, works: names(here), full: names(here.filter(({ containment }) => containment === 'full')), missing: layers.filter(({ available }) => !available) };
}

/** Running processes that have `text` among their arguments: a behaviour is looked for by what is its own, not by our mark. */
export function runningWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && argumentsOf(pid).includes(text) && isRunning(pid));
}

export async function goneWith(text: string): Promise<void> {
  while (runningWith(text).length > 0) await sleep(20);
}

export async function seenWith(text: string): Promise<readonly number[]> {
  for (;;) {
    const found = runningWith(text);
    if (found.length > 0) return found;
    await sleep(20);
  }
}

/** Ends what a test found by its own argument. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended since it was found.
    }
  }
}

let last = 0;

/** A number of seconds that no other process sleeps. */
export function ownSeconds(): string {
  last += 1;
  return `300.${process.pid}${String(last).padStart(4, '0')}1`;
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    // It ended since it was listed.
    return '';
  }
}
