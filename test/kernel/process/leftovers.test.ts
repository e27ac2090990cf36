import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { adopt, endLeftovers, isSame, processIdentity, signalIfSame, type SessionRecord } from '../../../src/kernel/process/index.ts';
import { goneWith, killAll, layersHere, ownSeconds, runningWith, seenWith } from '../../support/process/layers.ts';
import { isRunning, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
const { works } = await layersHere();
const recordPath = (): string => join(bench().folder, 'session.json');

/** A process that somebody else might have started. */
function stranger(script = 'exec sleep 300', env: NodeJS.ProcessEnv = {}) {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  const identity = processIdentity(pid);
  if (identity === undefined) throw new Error('the stranger did not start');
  return { pid, identity, ended: new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code))) };
}

function recordOf(identity: Pick<SessionRecord, 'pid' | 'startTime' | 'bootId'>, more: Partial<SessionRecord> = {}): string {
  const record = { marker: bench().marker, origin: 'user', layer: 'group', containment: 'partial', engine: { pid: 1, startTime: 0, bootId: '' }, ...identity, ...more };
  writeFileSync(recordPath(), JSON.stringify(record));
  return recordPath();
}

describe('an identity', () => {
  test('is number, start time and boot, and fits no other process', () => {
    const { pid, identity } = stranger();
    expect(identity).toEqual({ pid, startTime: Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19]), bootId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(isSame(identity)).toBe(true);
    expect(isSame({ ...identity, startTime: identity.startTime - 1 })).toBe(false);
    expect(isSame({ ...identity, bootId: 'another' })).toBe(false);
    expect(processIdentity(4_194_304)).toBeUndefined();
  });

  test('is signalled, and a stranger with its number is not', async () => {
    const { identity, ended, pid } = stranger();
    expect(signalIfSame({ ...identity, startTime: identity.startTime + 1 }, 'SIGKILL')).toBe('gone');
    expect(signalIfSame({ ...identity, bootId: 'another' }, 'SIGKILL')).toBe('gone');
    expect(isRunning(pid)).toBe(true);
    expect(signalIfSame(identity, 'SIGTERM')).toBe('sent');
    expect(await ended).toBe('SIGTERM');
    expect(signalIfSame(identity, 'SIGTERM')).toBe('gone');
  });

  test('is never everybody, nor ourselves', () => {
    const own = processIdentity(process.pid);
    const first = processIdentity(1);
    expect(own && signalIfSame(own, 'SIGTERM')).toBe('gone');
    expect(first && signalIfSame(first, 'SIGCONT')).toBe('gone');
  });
});

describe('the record of a child', () => {
  test.each(['none', ...works] as const)('with %s stands while it runs, private, and is removed at its end', async (containment) => {
    const child = bench().run(['sleep', '300'], { containment, record: recordPath() });
    while (!existsSync(recordPath())) await sleep(5);
    expect(statSync(recordPath()).mode & 0o777).toBe(0o600);
    const { state, record } = await adopt(recordPath());
    expect(state).toBe('running');
    expect(record).toMatchObject({ ...processIdentity(child.pid ?? 0), layer: containment, marker: bench().marker, origin: 'user', containment: child.containment, engine: processIdentity(process.pid) });
    child.kill();
    await child.exit;
    expect(existsSync(recordPath())).toBe(false);
    expect(await adopt(recordPath())).toEqual({ state: 'ended', record: undefined });
  });

  test('of one that ended at once is removed too', async () => {
    for (let round = 0; round < 5; round += 1) await bench().run(['true'], { record: recordPath() }).exit;
    expect(existsSync(recordPath())).toBe(false);
  });

  test('that cannot be written costs no output', async () => {
    const record = join(bench().folder, 'no', 'such', 'folder.json');
    let seen = 0;
    const onOutput = async (chunk: Buffer): Promise<void> => {
      seen += chunk.length;
      await sleep(20);
    };
    await expect(bench().run(['sh', '-c', 'head -c 300000 /dev/zero'], { record, onOutput }).exit).rejects.toThrow(record);
    const atTheEnd = seen;
    await sleep(200);
    expect(seen).toBe(atTheEnd);
    expect(seen).toBe(statSync(bench().logPath).size);
  });

  test('that cannot be written ends the child, and the exit tells why', async () => {
    const record = join(bench().folder, 'no', 'such', 'folder.json');
    const child = bench().run(['sleep', '300'], { record });
    await expect(child.exit).rejects.toThrow(record);
    expect(isRunning(child.pid ?? 0)).toBe(false);
  });
});

describe('what a holder left', () => {
  test('is nothing without a record', async () => {
    expect(await endLeftovers({ record: recordPath() }, { graceMs: 100 })).toEqual({ found: 'ended', ended: undefined, left: [] });
  });

  test('is ended by its record with all that descends from it, TERM first', async () => {
    const seconds = ownSeconds();
    const { identity, ended } = stranger(`sleep ${seconds} & (trap '' TERM; exec setsid sleep ${seconds}) & wait`);
    // Both sleeps themselves: a shell that is about to start one does not ignore TERM yet.
    while ((await seenWith(`sleep\0${seconds}`)).length < 2) await sleep(20);
    expect(await endLeftovers({ record: recordOf(identity) }, { graceMs: 200 })).toEqual({ found: 'running', ended: 'killed', left: [] });
    expect(await ended).toBe('SIGTERM');
    expect(runningWith(seconds)).toEqual([]);
    expect(existsSync(recordPath())).toBe(false);
  });

  test('is found by the token when its leader is gone', async () => {
    const seconds = ownSeconds();
    const token = `test-${seconds}`;
    const { identity, ended } = stranger(`setsid sleep ${seconds} & exit 0`, { DROVER_CHILD: token });
    await ended;
    await seenWith(seconds);
    expect(await adopt(recordOf(identity, { token }))).toMatchObject({ state: 'running' });
    expect(await endLeftovers({ record: recordPath() }, { graceMs: 5_000 })).toEqual({ found: 'running', ended: 'graceful', left: [] });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('is found in the group of a leader that is gone, by the marker of its run', async () => {
    const [marked, other, beside] = [ownSeconds(), ownSeconds(), ownSeconds()];
    const { marker } = bench();
    const { identity, ended } = stranger(`sleep ${marked} & env -u DROVER_RUN sleep ${other} & setsid sleep ${beside} & exit 0`, { DROVER_RUN: marker });
    await ended;
    for (const seconds of [marked, other, beside]) await seenWith(`sleep\0${seconds}`);
    expect(await adopt(recordOf(identity, { layer: 'none' }))).toMatchObject({ state: 'running' });
    expect(await endLeftovers({ record: recordPath() }, { graceMs: 5_000 })).toEqual({ found: 'running', ended: 'graceful', left: [] });
    const strangers = [...runningWith(other), ...runningWith(beside)];
    expect([runningWith(marked), strangers.length]).toEqual([[], 2]);
    killAll(strangers);
    await goneWith(beside);
  });

  test('is found by the marker of its run, however it was started, and others are left alone', async () => {
    const seconds = ownSeconds();
    const marker = `run-${seconds}`;
    stranger(`(setsid sleep ${seconds} &); exit`, { DROVER_RUN: marker });
    const other = stranger('exec sleep 300', { DROVER_RUN: `${marker}0`, OTHER: `DROVER_RUN=${marker}` });
    await seenWith(seconds);
    expect(await endLeftovers({ marker }, { graceMs: 5_000 })).toEqual({ found: 'running', ended: 'graceful', left: [] });
    await goneWith(seconds);
    expect(isRunning(other.pid)).toBe(true);
    expect(await endLeftovers({ marker }, { graceMs: 100 })).toEqual({ found: 'ended', ended: undefined, left: [] });
  });

  test('is never a stranger with its number: another start time, another boot', async () => {
    const { identity, pid } = stranger();
    expect(await adopt(recordOf({ ...identity, startTime: identity.startTime - 5 }))).toMatchObject({ state: 'ended' });
    expect(await endLeftovers({ record: recordPath() }, { graceMs: 50 })).toMatchObject({ found: 'ended' });
    recordOf({ ...identity, bootId: '00000000-0000-0000-0000-000000000000' });
    expect(await endLeftovers({ record: recordPath() }, { graceMs: 50 })).toMatchObject({ found: 'ended' });
    expect(isRunning(pid)).toBe(true);
  });

  test('is unknown when the record was made where nothing tells start times', async () => {
    const { identity, pid } = stranger();
    expect(await endLeftovers({ record: recordOf({ ...identity, startTime: 0, bootId: '' }) }, { graceMs: 50 })).toMatchObject({ found: 'unknown' });
    expect(existsSync(recordPath())).toBe(true);
    expect(isRunning(pid)).toBe(true);
  });

  test.each(['', '{', '[]', 'null', '{"pid":1}', '{"pid":2,"startTime":"x","bootId":"","marker":"","layer":""}', '{"pid":2,"startTime":1,"bootId":"","marker":"","origin":1,"layer":"","engine":{"pid":2,"startTime":1,"bootId":""}}'])('is an error when the record is %j', async (text) => {
    writeFileSync(recordPath(), text);
    await expect(endLeftovers({ record: recordPath() }, { graceMs: 50 })).rejects.toThrow(recordPath());
    await expect(adopt(recordPath())).rejects.toMatchObject({ code: 'process-record-damaged' });
    expect(readFileSync(recordPath(), 'utf8')).toBe(text);
  });

  test('is never what a link in the place of the record leads to', async () => {
    const { identity, pid } = stranger();
    const elsewhere = join(bench().folder, 'elsewhere.json');
    writeFileSync(elsewhere, readFileSync(recordOf(identity)));
    const link = join(bench().folder, 'link.json');
    symlinkSync(elsewhere, link);
    await expect(adopt(link)).rejects.toMatchObject({ code: 'symlink-refused' });
    await expect(endLeftovers({ record: link }, { graceMs: 50 })).rejects.toMatchObject({ code: 'symlink-refused' });
    expect(isRunning(pid)).toBe(true);
    const { exit } = bench().run(['true'], { record: link });
    await exit;
    expect([existsSync(link), lstatSync(elsewhere).isFile()]).toEqual([false, true]);
  });

  test('in a folder that is not ours by name is not touched', async () => {
    const { identity } = stranger('exit 0');
    const cgroup = join(bench().folder, 'drover-other');
    expect(await endLeftovers({ record: recordOf({ ...identity, startTime: 1 }, { cgroup, token: 'mine' }) }, { graceMs: 50 })).toMatchObject({ found: 'ended' });
  });
});
