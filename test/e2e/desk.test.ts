import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { tryLock } from '../../src/kernel/lock/index.ts';
import { temporaryFolder, writeFiles } from '../support/temp.ts';
import { testUnless, withoutProc } from '../support/needs.ts';
import { reasonAgainstMounts, readOnly } from '../support/read-only.ts';

const DROVER = join(import.meta.dirname, '../../bin/drover');

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function drover(argv: readonly string[], env: Readonly<Record<string, string>>, words: readonly string[] = []): Ended {
  const [program = DROVER, ...rest] = [...words, DROVER, ...argv];
  const { status, stdout, stderr } = spawnSync(program, rest, { cwd: '/', env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function checksOf({ stdout }: Ended) {
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { readonly name: string; readonly status: string; readonly detail: string }[] };
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

// Slower than 5 s on a busy machine: each doctor tries every way of containment.
describe('doctor', () => {
  test('sees a lock from a process of its own, started by whatever name, and leaves nothing', () => {
    const home = join(temporaryFolder(), 'a folder ö');
    mkdirSync(home);
    symlinkSync(DROVER, join(home, '..', 'dr'));
    const { status, stdout, stderr } = spawnSync(join(home, '..', 'dr'), ['doctor', '--json'], { cwd: '/', env: { PATH: process.env['PATH'], HOME: home }, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(checksOf({ status, stdout, stderr })['locks']).toMatchObject({ status: 'ok', detail: `another process sees them at ${home}` });
    expect(readdirSync(home)).toEqual([]);
  });

  test('the question that it asks that process', () => {
    const path = join(temporaryFolder(), 'lock');
    const look = (): unknown => JSON.parse(drover(['doctor', '--json', '--look-at-lock', path], {}).stdout);
    const lock = tryLock(path);
    expect(look()).toEqual({ held: true });
    if (lock !== 'held') lock.release();
    expect(look()).toEqual({ held: false });
  });

  test('a place for temporary files that cannot be used', () => {
    const checks = checksOf(drover(['doctor', '--json'], { HOME: temporaryFolder(), TMPDIR: '/nowhere' }));
    expect(checks['containment']).toEqual({
      name: 'containment',
      status: 'fail',
      detail: 'cannot make a folder in /nowhere: no such file or directory',
      remedy: 'set TMPDIR to a folder that exists and that you can write',
    });
  });

  testUnless(withoutProc, 'that is killed leaves no program that hangs', async () => {
    const home = temporaryFolder();
    const bin = join(home, 'bin');
    writeFiles(bin, { git: `#!/bin/sh\necho $$ > '${home}/git.pid'\nexec sleep 1000\n` });
    chmodSync(join(bin, 'git'), 0o755);
    const doctor = spawn(DROVER, ['doctor'], { cwd: '/', env: { PATH: `${bin}:${process.env['PATH']}`, HOME: home }, stdio: 'ignore' });
    const ended = once(doctor, 'exit');
    const git = await pidIn(join(home, 'git.pid'));
    await untilReaped(doctor.pid);
    doctor.kill('SIGKILL');
    await ended;
    while (existsSync(`/proc/${git}`)) await sleep(20);
  });

  testUnless(reasonAgainstMounts(), 'a state folder that takes no writes', () => {
    const home = temporaryFolder();
    const state = join(home, 'state');
    mkdirSync(state);
    const ended = drover(['doctor', '--json'], { HOME: home, DROVER_STATE_FOLDER: state }, readOnly(state));
    expect(ended).toMatchObject({ status: 1, stderr: '' });
    const checks = checksOf(ended);
    expect(checks['state']).toMatchObject({ status: 'fail', detail: `${state}: ${state} cannot be written` });
    expect(checks['locks']).toMatchObject({ status: 'warn', detail: `not tried: ${state} cannot be written` });
    expect(readdirSync(home)).toEqual(['state']);
  });
});

async function pidIn(path: string): Promise<number> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text.endsWith('\n')) return Number(text);
    await sleep(20);
  }
}

/** Until the shell is there that ends what `parent` leaves. */
async function untilReaped(parent: number | undefined): Promise<void> {
  for (;;) {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter((word) => word !== '');
    if (children.some((pid) => isReaper(`/proc/${pid}/cmdline`))) return;
    await sleep(20);
  }
}

function isReaper(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('drover-reaper');
  } catch {
    // It ended meanwhile.
    return false;
  }
}

describe('every command', () => {
  test.each([['explain'], ['config show --json'], ['journal check']])(
    '%s with a reader that has gone',
    (line) => {
      const script = `set -o pipefail; "$0" ${line} | head -c 1 > /dev/null; echo "\${PIPESTATUS[0]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', script, DROVER], { env: { PATH: process.env['PATH'], HOME: temporaryFolder() }, encoding: 'utf8' });
      expect(stderr).toBe('');
      expect(stdout).toMatch(/^[01]\n$/);
    },
  );

  test('never shows a stack, whatever the home is', () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.config/drover/config.toml'), { recursive: true });
    chmodSync(join(home, '.config'), 0o500);
    for (const line of ['config show', 'journal check', 'explain no-such-code']) {
      const { stdout, stderr } = drover(line.split(' '), { HOME: home });
      expect(`${stdout}${stderr}`).not.toMatch(/^ {4}at |node:internal|internal error/m);
    }
  });
});
