import { spawn, type ChildProcess } from 'node:child_process';
import { onTestFinished } from 'vitest';
import type { Workbench } from './workbench.ts';

export interface Engine {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
}

export interface EngineOptions {
  readonly bench: Workbench;
  readonly containment: string;
  readonly script: string;
  /** `none`: the child is not watched. */
  readonly reaper?: 'none';
}

/** Starts `programs/engine.ts`, bundled, in a process of its own and waits until its child printed `ready`. */
export async function startEngine(file: string, { bench, containment, script, reaper }: EngineOptions): Promise<Engine> {
  const { folder, marker } = bench;
  const engine = spawn(process.execPath, [file, containment, folder, marker], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_SCRIPT: script, TEST_REAPER: reaper },
  });
  onTestFinished(() => void engine.kill('SIGKILL'));
  const ended = new Promise((resolve) => engine.once('exit', resolve));
  let text = '';
  await new Promise<void>((resolve) => {
    engine.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('ready')) resolve();
    });
  });
  return { process: engine, ended };
}
