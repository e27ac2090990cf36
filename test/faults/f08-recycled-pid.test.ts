// F8: the number of an ended process is given to another program. Slow: numbers are used up until one comes back.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { adopt, endLeftovers, processIdentity, signalIfSame, type ProcessIdentity, type SessionRecord } from '../../src/kernel/process/index.ts';
import { processGroup } from '../../src/kernel/process/group.ts';
import { REAPER_SCRIPT } from '../../src/kernel/process/reaper-script.ts';
import { faultCount } from '../support/fault-counts.ts';
import { testUnless } from '../support/needs.ts';
import { isRunning, useWorkbench } from '../support/process/workbench.ts';

const bench = useWorkbench();
const LAST_PID = '/proc/sys/kernel/ns_last_pid';
// Start times are told in steps of 10 ms. No system uses all its numbers up within one; a test that sets the next number does.
const OVER_A_STEP_MS = 20;
const rounds = faultCount({ ci: 5, full: 50 });

/** A child that ended and was collected, as it was known while it ran. */
async function ended(): Promise<ProcessIdentity> {
  const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  const identity = processIdentity(child.pid ?? 0);
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
  if (identity === undefined) throw new Error('the child did not start');
  return identity;
}

/** An ended process, and a program that knows nothing of us under its number. */
async function recycled(): Promise<{ readonly before: ProcessIdentity; readonly stranger: Stranger }> {
  for (;;) {
    const before = await ended();
    await wait(OVER_A_STEP_MS);
    const stranger = await strangerWith(before.pid);
    if (stranger !== undefined) return { before, stranger };
  }
}

interface Stranger {
  readonly end: () => void;
}

/** Others use numbers too: it may take several tries, and whoever got this one may keep it for long. */
async function strangerWith(pid: number): Promise<Stranger | undefined> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    writeFileSync(LAST_PID, String(pid - 1));
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    if (child.pid === pid) return { end: () => void child.kill('SIGKILL') };
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  return undefined;
}

function whyNumbersCannotBeGiven(): string | undefined {
  try {
    accessSync(LAST_PID, constants.W_OK);
    return process.geteuid?.() === 0 ? undefined : 'only root gives numbers away';
  } catch {
    // A kernel without it, or not Linux.
    return 'this system does not let a test choose the next process number';
  }
}

describe(`a number that another program has, ${rounds} times`, () => {
  testUnless(whyNumbersCannotBeGiven(), 'is signalled by nobody who knew the old one', async () => {
    const record = join(bench().folder, 'session.json');
    for (let round = 0; round < rounds; round += 1) {
      const { before, stranger } = await recycled();
      try {
        expect(processIdentity(before.pid)?.startTime).not.toBe(before.startTime);
        writeRecord(record, before);
        expect(await adopt(record)).toMatchObject({ state: 'ended' });
        expect(await endLeftovers({ record }, { graceMs: 10 })).toEqual({ found: 'ended', ended: undefined, left: [] });
        expect(existsSync(record)).toBe(false);
        expect(signalIfSame(before, 'SIGKILL')).toBe('gone');
        endByReaper(before);
        const group = processGroup(before.pid);
        group.leaderEnded();
        expect([group.signal('SIGKILL'), await group.alive()]).toEqual(['gone', false]);
        expect(isRunning(before.pid)).toBe(true);
      } finally {
        stranger.end();
      }
    }
  });
});

function writeRecord(path: string, identity: ProcessIdentity): void {
  const record: SessionRecord = { ...identity, marker: bench().marker, origin: 'user', token: `test-${identity.startTime}`, layer: 'group', containment: 'partial', cgroup: undefined, engine: identity };
  writeFileSync(path, JSON.stringify(record));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: identity.pid });
}

function endByReaper({ pid, startTime }: ProcessIdentity): void {
  const list = [`${pid} ${startTime} group DROVER_RUN=${bench().marker}`, `${pid} ${startTime} all DROVER_CHILD=nobody-${pid}`];
  expect(spawnSync('sh', ['-c', REAPER_SCRIPT, 'drover-reaper', '1', ...list], { stdio: ['ignore', 'ignore', 'ignore'] }).status).toBe(0);
}
