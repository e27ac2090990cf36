import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { WorkOrder } from '../workspace/backends/programs/work.ts';
import type { Stage } from './git-repository.ts';

export interface WorkRun {
  readonly status: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Does it in a process of its own. */
export function runWork(program: string, { folder, repository }: Stage, order: WorkOrder, env: Record<string, string> = {}): WorkRun {
  const { git } = repository;
  const args = [program, folder, git.receiptsFolder ?? '', JSON.stringify(order)];
  return spawnSync(process.execPath, args, { env: { ...git.env, ...env }, encoding: 'utf8' });
}

/** The durable points that an order passes when nothing stops it. */
export function pointsOfWork(program: string, stage: Stage, order: WorkOrder): readonly string[] {
  const trace = join(stage.home, 'trace');
  rmSync(trace, { force: true });
  expect(runWork(program, stage, order, { DROVER_CRASH_TRACE: trace })).toMatchObject({ status: 0, stderr: '' });
  return readFileSync(trace, 'utf8').trim().split('\n');
}
