import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReaper, processIdentity } from '../../../src/kernel/process/index.ts';
import { REAPER_SCRIPT } from '../../../src/kernel/process/reaper-script.ts';
import { goneWith, ownSeconds, runningWith, seenWith } from '../../support/process/layers.ts';
import { isRunning, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

/** A group leader that the shell is told of. */
function leader(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  return { pid, start: processIdentity(pid)?.startTime ?? 0, ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))) };
}

/** The shell alone, which a test feeds as we do. */
function shell(...list: readonly string[]): ChildProcess & { readonly ended: Promise<unknown> } {
  const child = spawn('sh', ['-c', REAPER_SCRIPT, 'drover-reaper', '2', ...list], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  return Object.assign(child, { ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))) });
}

describe('the shell that outlives us', () => {
  test('ends at the end of its pipe what was listed, and nothing that was taken off', async () => {
    const [first, second, third] = [leader('exec sleep 300'), leader('exec sleep 300'), leader('exec sleep 300')];
    const reaper = shell(`${first.pid} ${first.start} group DROVER_RUN=x`);
    reaper.stdin?.write(`+ ${second.pid} ${second.start} group DROVER_RUN=x\n+ ${third.pid} ${third.start} group DROVER_RUN=x\n- ${first.pid}\n`);
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
    await sleep(100);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const) reaper.kill(signal);
    reaper.stdin?.end();
    expect(await ended).toBe('SIGTERM');
    expect(await reaper.ended).toBe(0);
  });
});

describe('a reaper', () => {
  const env = { PATH: process.env['PATH'] };
  const shellsHere = (): readonly number[] => runningWith(`drover-reaper\0${'17'}`);
  const options = { env, graceMs: 1_700, afterMs: 100 };

  test('starts no shell for what ends before its time, and one for all that live longer', async () => {
    const reaper = createReaper(options);
    await bench().run(['true']).exit;
    const unwatch = reaper.watch({ pid: process.pid, mark: 'DROVER_RUN=x', endsMarked: false });
    unwatch();
    await sleep(200);
    expect(shellsHere()).toEqual([]);
    const undo = [1, 2, 3].map(() => leader('exec sleep 300')).map(({ pid }) => reaper.watch({ pid, mark: 'DROVER_RUN=x', endsMarked: false }));
    while (shellsHere().length === 0) await sleep(20);
    expect(shellsHere().length).toBe(1);
    for (const one of undo) one();
    reaper.close();
    while (shellsHere().length > 0) await sleep(20);
  });

  test('whose shell was ended starts another one with the next child', async () => {
    const reaper = createReaper({ ...options, afterMs: 0 });
    const first = leader('exec sleep 300');
    const unwatch = reaper.watch({ pid: first.pid, mark: 'DROVER_RUN=x', endsMarked: false });
    const [shellPid = 0] = shellsHere();
    process.kill(shellPid, 'SIGKILL');
    while (isRunning(shellPid)) await sleep(10);
    await sleep(50);
    const second = leader('exec sleep 300');
    reaper.watch({ pid: second.pid, mark: 'DROVER_RUN=x', endsMarked: false });
    expect(shellsHere().length).toBe(1);
    unwatch();
    reaper.close();
    expect(await second.ended).toBe('SIGTERM');
    expect(isRunning(first.pid)).toBe(true);
  });
});
