import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReaper, processIdentity, start as startChild, type Reaper } from '../../../src/kernel/process/index.ts';
import { REAPER_SCRIPT } from '../../../src/kernel/process/reaper-script.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { goneWith, killAll, ownSeconds, runningWith, seenWith } from '../../support/process/layers.ts';
import { isRunning, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
/** HUP, INT, QUIT and TERM, as the system's masks have them. */
const ENDING_SIGNALS = [1, 2, 3, 15].reduce((mask, signal) => mask | (1n << BigInt(signal - 1)), 0n);

/** A group leader that the shell is told of. */
function leader(script: string, env: NodeJS.ProcessEnv = {}, input: 'ignore' | 'pipe' = 'ignore') {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: [input, 'ignore', 'ignore'], env: { PATH: process.env['PATH'], ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { pid, start: processIdentity(pid)?.startTime ?? 0, end: () => child.stdin?.end(), ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))) };
}

/** The shell alone, which a test feeds as we do. */
function shell(...list: readonly string[]): ChildProcess & { readonly ended: Promise<unknown> } {
  const child = spawn('sh', ['-c', REAPER_SCRIPT, 'drover-reaper', '2', ...list], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return Object.assign(child, { ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))) });
}

/** Before it does, they would end it like any other shell. */
function ignoresSignals(pid: number | undefined): boolean {
  const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0';
  return (BigInt(`0x${mask}`) & ENDING_SIGNALS) === ENDING_SIGNALS;
}

describe('the shell that outlives us', () => {
  test('ends at the end of its pipe what was listed, and nothing that was taken off', async () => {
    const [first, second, third] = [leader('exec sleep 300'), leader('exec sleep 300'), leader('exec sleep 300')];
    const reaper = shell(`${first.pid} ${first.start} group DROVER_RUN=x`);
    reaper.stdin?.write(`+ ${second.pid} ${second.start} group DROVER_RUN=x\n+ ${third.pid} ${third.start} group DROVER_RUN=x\n- ${third.pid} ${third.start + 1}\n- ${first.pid} ${first.start}\n`);
    await sleep(100);
    expect([first, second, third].map(({ pid }) => isRunning(pid))).toEqual([true, true, true]);
    reaper.stdin?.end();
    expect(await Promise.all([second.ended, third.ended, reaper.ended])).toEqual(['SIGTERM', 'SIGTERM', 0]);
    expect(isRunning(first.pid)).toBe(true);
  });

  test('asks first, and kills after the grace', async () => {
    const seconds = ownSeconds();
    const { pid, start, ended } = leader(`trap '' TERM; sleep ${seconds} & wait; wait; sleep ${seconds}`);
    await seenWith(`sleep\0${seconds}`);
    shell(`${pid} ${start} group DROVER_RUN=x`).stdin?.end();
    expect(await ended).toBe('SIGKILL');
    await goneWith(seconds);
  });

  test('never signals a stranger that got the number: its start time is another', async () => {
    const { pid, start } = leader('exec sleep 300');
    const reaper = shell(`${pid} ${start + 1} group DROVER_RUN=x`, `${pid} ${start - 1} all DROVER_CHILD=nobody`);
    reaper.stdin?.end();
    expect(await reaper.ended).toBe(0);
    expect(isRunning(pid)).toBe(true);
  });

  test('ends of a group without its leader only what bears the mark', async () => {
    const [marked, other] = [ownSeconds(), ownSeconds()];
    const script = `sleep ${marked} & env -u DROVER_RUN sleep ${other} & exit 0`;
    const { pid, start, ended } = leader(script, { DROVER_RUN: 'the run' });
    await ended;
    const [stays] = await seenWith(`sleep\0${other}`);
    const reaper = shell(`${pid} ${start} group DROVER_RUN=the run`);
    reaper.stdin?.end();
    await reaper.ended;
    expect(runningWith(marked)).toEqual([]);
    expect(runningWith(other)).toEqual([stays]);
    process.kill(stays ?? 0, 'SIGKILL');
  });

  test('looks beyond the group for what bears the mark of one child', async () => {
    const seconds = ownSeconds();
    const { pid, start, ended } = leader(`setsid sleep ${seconds} & exit 0`, { DROVER_CHILD: `child-${seconds}` });
    await ended;
    await seenWith(seconds);
    const reaper = shell(`${pid} ${start} all DROVER_CHILD=child-${seconds}`);
    reaper.stdin?.end();
    await reaper.ended;
    expect(runningWith(seconds)).toEqual([]);
  });

  test('is not ended by the signals that end a terminal', async () => {
    const { pid, start, ended } = leader('exec sleep 300');
    const reaper = shell(`${pid} ${start} group DROVER_RUN=x`);
    while (!ignoresSignals(reaper.pid)) await sleep(5);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const) reaper.kill(signal);
    reaper.stdin?.end();
    expect(await ended).toBe('SIGTERM');
    expect(await reaper.ended).toBe(0);
  });
});

describe('a reaper', () => {
  const env = { PATH: process.env['PATH'] };
  const SHELL = `drover-reaper\0${'17'}`;
  const shellsHere = (): readonly number[] => runningWith(SHELL);
  const options = { env, graceMs: 1_700, afterMs: 100 };
  const watched = (pid: number) => ({ pid, mark: 'DROVER_RUN=x', endsMarked: false });
  const argumentsOf = (pid = 0): readonly string[] => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(5, -1);

  test.each([
    ['once it has lived a little', 60],
    ['at the latest when we let the shell go', 0],
  ])('tells a shell that runs of a further child %s', async (_name, afterMs) => {
    const reaper = createReaper(options);
    const [first, second, brief] = [leader('exec sleep 300'), leader('exec sleep 300'), leader('exec sleep 300')];
    reaper.watch(watched(first.pid));
    while (shellsHere().length === 0) await sleep(20);
    reaper.watch(watched(second.pid));
    reaper.watch(watched(brief.pid)).end();
    await sleep(afterMs);
    reaper.close();
    expect(await Promise.all([first.ended, second.ended])).toEqual(['SIGTERM', 'SIGTERM']);
    while (shellsHere().length > 0) await sleep(20);
    expect(isRunning(brief.pid)).toBe(true);
  });

  test('starts no shell for what ends before its time, and one for all that live longer', async () => {
    const reaper = createReaper(options);
    await bench().run(['true']).exit;
    reaper.watch(watched(leader('exec sleep 300').pid)).end();
    await sleep(200);
    expect(shellsHere()).toEqual([]);
    const undo = [1, 2, 3].map(() => leader('exec sleep 300')).map(({ pid }) => reaper.watch(watched(pid)));
    while (shellsHere().length === 0) await sleep(20);
    expect(shellsHere().length).toBe(1);
    for (const one of undo) one.end();
    reaper.close();
    while (shellsHere().length > 0) await sleep(20);
  });

  /** Ends the one shell that runs, from outside; resolves when it is gone. */
  async function endShell(): Promise<void> {
    const pids = await seenWith(SHELL);
    killAll(pids);
    while (pids.some(isRunning)) await sleep(5);
  }

  test('whose shell was ended starts another one that knows what runs, and nothing that ended', async () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    const [first, second] = [leader('exec sleep 300'), leader('exec sleep 300')];
    const [ofFirst] = [first, second].map(({ pid }) => reaper.watch(watched(pid)));
    ofFirst?.end();
    await endShell();
    while (shellsHere().length === 0) await sleep(5);
    expect(shellsHere().length).toBe(1);
    expect(argumentsOf(shellsHere()[0])).toEqual([`${second.pid} ${second.start} group DROVER_RUN=x`]);
    reaper.close();
    expect(await second.ended).toBe('SIGTERM');
    expect(isRunning(first.pid)).toBe(true);
  });

  test('tells the new shell also of a group whose leader has ended', async () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    const seconds = ownSeconds();
    const parent = leader(`sleep ${seconds} & read -r line`, { DROVER_RUN: 'x' }, 'pipe');
    reaper.watch(watched(parent.pid));
    await seenWith(seconds);
    parent.end();
    await parent.ended;
    await endShell();
    while (shellsHere().length === 0) await sleep(5);
    reaper.close();
    await goneWith(seconds);
  });

  test('whose shell is ended again and again gives up, says so, and tries once more with the next child', async () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    const [before, after] = [leader('exec sleep 300'), leader('exec sleep 300')];
    const watch = reaper.watch(watched(before.pid));
    for (let times = 0; times < 4; times += 1) {
      expect(watch.wasLost).toBe(false);
      await endShell();
    }
    while (!watch.wasLost) await sleep(5);
    await sleep(50);
    expect(shellsHere()).toEqual([]);
    const next = reaper.watch(watched(after.pid));
    expect(shellsHere().length).toBe(1);
    expect([watch.wasLost, next.wasLost]).toEqual([true, false]);
    reaper.close();
    expect(await Promise.all([before.ended, after.ended])).toEqual(['SIGTERM', 'SIGTERM']);
  });

  test('starts nothing when its shell is ended after it was closed', async () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    const child = leader("trap '' TERM; exec sleep 300");
    reaper.watch(watched(child.pid));
    while (shellsHere().length === 0) await sleep(5);
    reaper.close();
    await endShell();
    await sleep(100);
    expect(shellsHere()).toEqual([]);
  });

  test('that lost its shell stands in the exit of the child', async () => {
    const reaper: Reaper = { watch: () => ({ wasLost: true, end: () => undefined }), close: () => undefined };
    const { folder, env: childEnv, marker, logPath } = bench();
    const request = { argv: ['true'], origin: 'user', cwd: folder, env: childEnv, marker, log: { path: logPath }, graceMs: 60_000 } as const;
    const { caveat } = await startChild(request, { clock: systemClock(), reaper }).exit;
    expect(caveat).toMatch(/has left the group and is not seen; .*our own death/);
  });

  test('never names a stranger that got the number of what ended', () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    reaper.watch(watched(process.ppid));
    expect(shellsHere()).toEqual([]);
    reaper.close();
  });
});
