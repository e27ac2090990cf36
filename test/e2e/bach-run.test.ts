// Slow: each test starts the built program, and some let a target write 100 MB.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { connectSqlite } from '../../src/kernel/sql/index.ts';
import { bachProject, runIdIn, type BachProject } from '../support/bach-project.ts';

const BACH = join(import.meta.dirname, '../../bin/bach');
const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

/** Starts the program as a user does, in a process of its own. */
function start(project: BachProject, argv: readonly string[]) {
  const child = spawn(BACH, argv, { cwd: project.folder, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const exit = new Promise<number | string | null>((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  return { child, exit, stdout: text(child.stdout), stderr: text(child.stderr) };
}

/** A target that runs a script file: `$` in a Bachfile's own texts is bach's. */
function scripted(name: string, script: string): BachProject {
  const project = bachProject(`shell "${name}" { command = ["sh", "${name}.sh"] }\nshell "y" { command = ["true"] }\n`);
  project.write(`${name}.sh`, script);
  return project;
}

/** The process id that a script wrote; anything else must never reach `kill`. */
async function pidIn(path: string): Promise<number> {
  for (;;) {
    const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    if (pid > 1) return pid;
    await sleep(10);
  }
}

async function newestStatus(project: BachProject): Promise<string | undefined> {
  const { stdout } = await project.bach(['runs', 'list', '--json', '--runs-limit', '1']);
  return (JSON.parse(stdout) as { runs: { status: string }[] }).runs[0]?.status;
}

function isGone(pid: number): boolean {
  try {
    // A zombie is gone: it only waits for its parent.
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** The shell that ends the targets of a run that is killed; it is there once the first target has lived a moment. */
async function reaperOf({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number);
    const found = children.find((child) => child > 1 && commandOf(child).includes('drover-reaper'));
    if (found !== undefined) return found;
    await sleep(10);
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It ended since it was listed.
    return '';
  }
}

describe('a killed run', () => {
  test('reads as interrupted, never as running, and the next run is whole', async () => {
    const project = scripted('x', 'echo $$ > pid; exec sleep 30');
    const run = start(project, ['run', 'shell/x']);
    const pid = await pidIn(project.at('pid'));
    while ((await newestStatus(project)) === undefined) await sleep(10);
    expect(await newestStatus(project)).toBe('running');
    await reaperOf(run.child);
    run.child.kill('SIGKILL');
    await run.exit;
    expect(await newestStatus(project)).toBe('interrupted');
    while (!isGone(pid)) await sleep(10);
    expect((await project.bach(['runs', 'list', '--status', 'interrupted'])).stdout.split('\n').length).toBe(2);
    expect((await project.bach(['run', 'shell/y'])).exit).toBe(0);
    expect(await newestStatus(project)).toBe('success');
  });

  test('leaves no target running, nor what a target started in its group, nor the shell that ended them', async () => {
    const target = (name: string): string => `shell "${name}" { command = ["sh", "${name}.sh"] }\n`;
    const project = bachProject(`${target('mild')}${target('deaf')}group "all" { targets = [shell.mild, shell.deaf] }\n`);
    project.write('mild.sh', 'sleep 600 & echo $! > child; echo $$ > mild; wait');
    project.write('deaf.sh', "trap '' TERM; echo $$ > deaf; while :; do sleep 0.1; done");
    const run = start(project, ['run', '-j', '2', 'group/all']);
    const pids = await Promise.all(['child', 'mild', 'deaf'].map((name) => pidIn(project.at(name))));
    const reaper = await reaperOf(run.child);
    run.child.kill('SIGKILL');
    await run.exit;
    // The deaf one gets KILL five seconds later.
    while (![...pids, reaper].every(isGone)) await sleep(20);
  });

  test('at whatever moment it is killed, the state can be read and written', async () => {
    const steps = Array.from({ length: 20 }, (_, index) => `shell "t${index}" { command = ["true"] }\n`);
    const all = `group "all" { targets = [${steps.map((_, index) => `shell.t${index}`).join(', ')}] }\n`;
    const project = bachProject(`${steps.join('')}${all}`);
    for (let moment = 0; moment < 12; moment++) {
      const run = start(project, ['run', 'group/all']);
      await sleep(40 + moment * 12);
      run.child.kill('SIGKILL');
      await run.exit;
      const status = await newestStatus(project);
      if (existsSync(project.at('.bach/state.db'))) expect(status ?? 'interrupted').toMatch(/^(interrupted|success)$/);
    }
    const { exit, stdout } = await project.bach(['run', 'group/all']);
    expect(exit).toBe(0);
    expect(stdout).toContain('success=21');
  });
});

describe('a real signal', () => {
  test('SIGINT ends the group of the target, and the exit code says so', async () => {
    const project = scripted('x', 'sleep 600 & echo $! > child; echo $$ > pid; wait');
    const run = start(project, ['run', 'shell/x']);
    const pids = [await pidIn(project.at('child')), await pidIn(project.at('pid'))];
    run.child.kill('SIGINT');
    expect(await run.exit).toBe(130);
    expect(await run.stderr).toBe('stopped by SIGINT\n');
    expect(pids.map(isGone)).toEqual([true, true]);
    expect(await newestStatus(project)).toBe('failed');
  });

  test('SIGQUIT kills the group at once, even what ignores TERM', async () => {
    const project = scripted('x', "trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done");
    const run = start(project, ['run', 'shell/x']);
    const pid = await pidIn(project.at('pid'));
    run.child.kill('SIGQUIT');
    expect(await run.exit).toBe(131);
    expect(await run.stderr).toBe('stopped by SIGQUIT\n');
    expect(isGone(pid)).toBe(true);
    expect(await newestStatus(project)).toBe('failed');
  });

  test('what ignores TERM is killed after the grace of five seconds', { timeout: 20_000 }, async () => {
    const project = scripted('x', "trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done");
    const run = start(project, ['run', 'shell/x']);
    const pid = await pidIn(project.at('pid'));
    run.child.kill('SIGTERM');
    expect(await run.exit).toBe(143);
    expect(isGone(pid)).toBe(true);
  });
});

describe('a target that never stops printing', () => {
  const chatty = () => scripted('x', 'echo $$ > pid; exec yes');

  test('is ended by the first SIGINT, whatever is still to be shown', { timeout: 30_000 }, async () => {
    const project = chatty();
    const run = spawn(BACH, ['run', 'shell/x'], { cwd: project.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    started.push(run);
    const stderr = text(run.stderr);
    const exit = new Promise((resolve) => run.on('close', resolve));
    const pid = await pidIn(project.at('pid'));
    await sleep(1_000);
    run.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(await stderr).toBe('stopped by SIGINT\n');
    expect(isGone(pid)).toBe(true);
  });

  test('is ended by two signals also when nobody reads what it prints', { timeout: 30_000 }, async () => {
    const project = chatty();
    const run = spawn(BACH, ['run', 'shell/x'], { cwd: project.folder, stdio: ['ignore', 'pipe', 'ignore'] });
    started.push(run);
    const exit = new Promise((resolve) => run.on('exit', resolve));
    const pid = await pidIn(project.at('pid'));
    await sleep(500);
    run.kill('SIGINT');
    while (!isGone(pid)) await sleep(20);
    run.kill('SIGINT');
    expect(await exit).toBe(130);
    expect(await newestStatus(project)).toBe('failed');
  });
});

test('a stop during the wait for a busy state is a stop', { timeout: 30_000 }, async () => {
  const project = scripted('x', 'true');
  expect((await project.bach(['run', 'shell/x'])).exit).toBe(0);
  const holder = connectSqlite(project.at('.bach/state.db'));
  holder.exec('BEGIN IMMEDIATE');
  const run = start(project, ['run', 'shell/x']);
  // Its first word says that it waits.
  await new Promise((resolve) => run.child.stderr?.once('data', resolve));
  run.child.kill('SIGINT');
  expect(await run.exit).toBe(130);
  expect(await run.stderr).toBe('waiting for .bach/state.db, which another process is writing\nstopped by SIGINT\n');
  holder.exec('ROLLBACK');
  holder.close();
});

describe('FC-19 much output', () => {
  test.each([
    ['100 MB in lines', 'yes 0123456789abcdef | head -c 104857600'],
    ['one line of 50 MB', "head -c 52428800 /dev/zero | tr '\\\\\\\\0' x"],
  ])('%s pass in little memory', { timeout: 60_000 }, async (_, script) => {
    const project = bachProject(`shell "x" { shell = "${script}" }\n`);
    const run = spawn(BACH, ['run', 'shell/x'], { cwd: project.folder, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(run);
    let peak = 0;
    let tail = '';
    run.stdout.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('latin1')).slice(-2_000)));
    const watch = setInterval(() => (peak = Math.max(peak, residentBytes(run.pid))), 20);
    const code = await new Promise((resolve) => run.on('close', resolve));
    clearInterval(watch);
    expect(code).toBe(0);
    const log = project.at('.bach/runs', runIdIn(tail.slice(tail.lastIndexOf('\nrun ') + 1)), 'shell__x.log');
    expect(statSync(log).size).toBeGreaterThan(50_000_000);
    expect(peak).toBeGreaterThan(0);
    expect(peak).toBeLessThan(200 * 2 ** 20);
  });
});

function residentBytes(pid: number | undefined): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(found ?? 0) * 1024;
  } catch {
    // It ended between two looks.
    return 0;
  }
}

test('twenty runs at once in one project all succeed, each under its own id', { timeout: 60_000 }, async () => {
  const project = bachProject('shell "x" { command = ["true"] }\n');
  const runs = Array.from({ length: 20 }, () => start(project, ['run', 'shell/x']));
  const results = await Promise.all(runs.map(async ({ exit, stdout, stderr }) => ({ exit: await exit, stdout: await stdout, stderr: await stderr })));
  expect(results.filter(({ exit }) => exit !== 0)).toEqual([]);
  expect(new Set(results.map(({ stdout }) => runIdIn(stdout))).size).toBe(20);
  expect((await project.bach(['runs', 'list', '--runs-limit', '0'])).stdout.trim().split('\n').length).toBe(20);
});

test('a target that empties its log by writing to /dev/stderr is told so, and nothing after it is unshown or unmasked', async () => {
  const secret = 'hunter2hunter2zz';
  const project = scripted('x', 'echo one; echo two; sleep .5; echo "secret $MY_PASSWORD" > /dev/stderr; echo four');
  project.write('.env', `MY_PASSWORD=${secret}\n`);
  const run = start(project, ['run', 'shell/x']);
  expect(await run.exit).toBe(0);
  const stdout = await run.stdout;
  const masked = `secret ${'*'.repeat(secret.length)}`;
  for (const line of ['one', 'two', masked, 'four']) expect(stdout).toContain(`[shell/x] ${line}\n`);
  expect(stdout).toContain('[shell/x] it emptied its log');
  expect(stdout).not.toContain(secret);
  const log = project.read(`.bach/runs/${runIdIn(stdout.slice(stdout.lastIndexOf('\nrun ') + 1))}/shell__x.log`);
  expect(log.startsWith(`${masked}\nfour\nit emptied its log`)).toBe(true);
});

test('a reader that closes the pipe loses no run', async () => {
  const project = bachProject('shell "x" { shell = "seq 1 100000; touch done" }\n');
  const child = spawn('sh', ['-c', '"$0" run shell/x | head -n 1', BACH], { cwd: project.folder });
  started.push(child);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stdout.split('\n').length).toBe(2);
  expect(stderr).toBe('');
  while ((await newestStatus(project)) === 'running') await sleep(20);
  expect(await newestStatus(project)).toBe('success');
  expect(existsSync(project.at('done'))).toBe(true);
});
