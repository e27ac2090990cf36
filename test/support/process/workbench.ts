import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { start, type Child, type SpawnRequest } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';

export const PROGRAMS = join(import.meta.dirname, 'programs');

export interface Workbench {
  readonly folder: string;
  readonly marker: string;
  readonly logPath: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a program of the test with defaults that a test may replace. */
  readonly run: (argv: SpawnRequest['argv'], options?: Partial<SpawnRequest>) => Child;
}

/** A folder and a marker per test; afterwards no process may bear the marker. */
export function useWorkbench(): () => Workbench {
  let bench: Workbench | undefined;
  beforeEach(() => {
    bench = createWorkbench();
  });
  afterEach(() => {
    const { folder, marker } = current(bench);
    const left = processesMarked(marker);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    expect(left).toEqual([]);
  });
  return () => current(bench);
}

function current(bench: Workbench | undefined): Workbench {
  if (bench === undefined) throw new Error('the workbench exists only inside a test');
  return bench;
}

function createWorkbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'drover-process-'));
  const marker = `test-${randomUUID()}`;
  const logPath = join(folder, 'child.log');
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' };
  const run: Workbench['run'] = (argv, options) =>
    start(
      { argv, origin: 'user', cwd: folder, env, marker, log: { path: logPath }, graceMs: 60_000, ...options },
      { clock: systemClock() },
    );
  return { folder, marker, logPath, env, run };
}

/** Ids of running processes whose first environment holds the marker. */
export function processesMarked(marker: string): readonly number[] {
  return listProcesses().filter((pid) => isRunning(pid) && readOrEmpty(`/proc/${pid}/environ`).includes(`DROVER_RUN=${marker}\0`));
}

/** False for a process that ended, also when nobody has collected it yet. */
export function isRunning(pid: number): boolean {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat !== '' && !/\) [ZX] /.test(stat);
}

function listProcesses(): readonly number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Collects what a child prints; `seen` resolves when the text appeared. */
export function collector(): { onOutput: (chunk: Buffer) => void; text: () => string; seen: (text: string) => Promise<void> } {
  let text = '';
  const waiting = new Set<() => void>();
  return {
    onOutput: (chunk) => {
      text += chunk.toString('latin1');
      for (const look of waiting) look();
    },
    text: () => text,
    seen: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
