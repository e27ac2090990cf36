import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createRedaction } from '../../../src/kernel/redact/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { commandCheck, type Check, type CheckCommand, type CheckHost, type Verdict } from '../../../src/workspace/index.ts';
import { processesMarked } from '../process/workbench.ts';
import { sequentialIds } from '../sequential-ids.ts';
import { temporaryFolder } from '../temp.ts';

export const SECRET = 'correct-horse-battery-staple';
const TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Files to look at, a folder of logs, and commands that run on them; at its end nothing of it may run. */
export interface CheckBench {
  readonly place: { readonly path: string; readonly tree: string };
  readonly logFolder: string;
  readonly host: CheckHost;
  readonly check: (command: string | readonly [string, ...string[]], changes?: Partial<CheckCommand>) => Check;
  readonly run: (command: string | readonly [string, ...string[]], changes?: Partial<CheckCommand>) => Promise<Verdict>;
}

export function checkBench(hostChanges: Partial<CheckHost> = {}): CheckBench {
  const home = temporaryFolder();
  const [path, logFolder] = [join(home, 'files'), join(home, 'logs')];
  for (const folder of [path, logFolder]) mkdirSync(folder);
  const marker = `check-${randomUUID()}`;
  onTestFinished(() => expect(processesMarked(marker)).toEqual([]));
  const host = { clock: systemClock(), marker, redaction: createRedaction([SECRET]), ids: sequentialIds('log'), ...hostChanges };
  const place = { path, tree: TREE };
  const check: CheckBench['check'] = (command, changes) =>
    commandCheck({
      name: 'test',
      command: typeof command === 'string' ? { shell: command } : command,
      origin: 'user',
      env: { PATH: process.env['PATH'] ?? '' },
      timeoutMs: 60_000,
      graceMs: 2_000,
      logFolder,
      host,
      ...changes,
    });
  return { place, logFolder, host, check, run: (command, changes) => check(command, changes).run(place, new AbortController().signal) };
}

export function verdict(check: string, outcome: Verdict['outcome'], how?: 'not-started'): Verdict {
  const plain = { check, outcome, summary: `${check} ${outcome}`, detail: '', log: undefined };
  return how === undefined ? plain : { ...plain, command: { how: { kind: how, reason: 'command-not-found' }, durationMs: 0, bytes: 0 } };
}
