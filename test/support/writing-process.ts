import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** What one process said that appends to a journal: see `test/kernel/journal/programs/write-records.ts`. */
export interface WritingProcess {
  /** Lines so far, in order. */
  readonly said: readonly string[];
  /** Kills it as soon as it has said so many lines. */
  killAfter(lines: number): void;
  /** Settles when it has ended, however that was. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface WritingTask {
  readonly path: string;
  readonly writer: string;
  readonly count: number;
  readonly bytes: number;
  readonly reopenAfter?: number;
}

/** Starts the bundled program with more environment. */
export function startWriting(program: string, task: WritingTask, env: Readonly<Record<string, string>> = {}): WritingProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const said: string[] = [];
  let limit = Number.POSITIVE_INFINITY;
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(line);
    if (said.length >= limit) child.kill('SIGKILL');
  });
  return {
    said,
    killAfter(lines) {
      limit = lines;
    },
    ended: endOf(child),
  };
}

/** The numbers of the records that were acknowledged. */
export function acknowledged(said: readonly string[]): readonly number[] {
  return said.filter((line) => line.startsWith('ack ')).map((line) => Number(line.split(' ')[1]));
}

function endOf(child: ChildProcess): WritingProcess['ended'] {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}
