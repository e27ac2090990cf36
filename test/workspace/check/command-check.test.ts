import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { testUnless } from '../../support/needs.ts';
import { smallDisk, whyNoSmallDisk } from '../../support/small-disk.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';
import { checkBench, SECRET } from '../../support/workspace/checks.ts';

const MIB = 2 ** 20;

describe('the verdict', () => {
  test('is passed at exit 0, with a log and without a detail', async () => {
    const bench = checkBench();
    const verdict = await bench.run('echo fine; echo also >&2');
    expect(verdict).toMatchObject({ check: 'test', outcome: 'passed', summary: 'test passed', detail: '' });
    expect(verdict.command).toMatchObject({ how: { kind: 'exited', code: 0 }, bytes: 10 });
    expect(readFileSync(verdict.log ?? '', 'utf8')).toBe('fine\nalso\n');
    expect(statSync(verdict.log ?? '').mode & 0o777).toBe(0o600);
  });

  test.each([
    ['exit 1', {}, 'failed', 'test failed: exit 1'],
    ['exit 255', {}, 'failed', 'test failed: exit 255'],
    ['exit 126', {}, 'environment', 'could not be executed'],
    ['no-such-program-here', {}, 'environment', 'was not found'],
    ['exit 127', { envFaultExits: [] }, 'failed', 'exit 127'],
    ['exit 75', {}, 'failed', 'exit 75'],
    ['exit 75', { envFaultRc: 75 }, 'environment', 'declared as a fault'],
    ['exit 127', { envFaultRc: 127 }, 'environment', 'declared as a fault'],
    ['exit 0', { envFaultRc: 0 }, 'passed', 'passed'],
    ['kill -SEGV $$', {}, 'failed', 'ended by SIGSEGV'],
    ['echo no route to host; exit 3', { envFaultPatterns: [/x{9}/, /no ROUTE\b.*/iu] }, 'environment', 'no route to host'],
    ['echo no route to host', { envFaultPatterns: [/no route/] }, 'passed', 'passed'],
    ['echo other; exit 3', { envFaultPatterns: [/no route/] }, 'failed', 'exit 3'],
  ] as const)('of %j with %j is %s', async (command, changes, outcome, words) => {
    const verdict = await checkBench().run(command, changes);
    expect(verdict).toMatchObject({ outcome });
    expect(verdict.summary).toContain(words);
  });

  test('waits for no pattern that takes for ever', async () => {
    const verdict = await checkBench().run(`printf '${'a'.repeat(60)}!'; exit 1`, { envFaultPatterns: [/^(a+)+$/] });
    expect(verdict).toMatchObject({ outcome: 'failed', summary: expect.stringContaining('took too long') });
  });

  test('is failed when the time is over, also for one that will not go', async () => {
    const bench = checkBench();
    const verdict = await bench.run(`trap '' TERM; echo begun; while :; do sleep 0.05; done`, { timeoutMs: 700, graceMs: 100, envFaultPatterns: [/begun/] });
    expect(verdict).toMatchObject({ outcome: 'failed', detail: 'begun\n', command: { how: { kind: 'timed-out' } } });
    expect(verdict.summary).toBe('test was not done within 700ms and was ended');
  });

  test('is failed when it ended well after its time was over', async () => {
    const verdict = await checkBench().run(`trap 'exit 0' TERM; while :; do sleep 0.05; done`, { timeoutMs: 300 });
    expect(verdict).toMatchObject({ outcome: 'failed', command: { how: { kind: 'timed-out' } } });
  });

  test('has a summary of one line and without secrets', async () => {
    const { summary } = await checkBench().run([`no\n${SECRET}\u001b[31m`]);
    expect(summary).toMatch(/^test could not be started: command not found: no\\n\*+\\u001b\[31m/);
  });
});

describe('what it prints', () => {
  test('is shown by its end, after a mark where it was cut', async () => {
    const bench = checkBench();
    const whole = await bench.run(`printf '%02000d' 7; exit 1`, { truncationMark: '[...]' });
    expect(whole.detail).toBe(`${'0'.repeat(1999)}7`);
    const cut = await bench.run(`printf 'x%02000d' 7; exit 1`, { truncationMark: '[...]' });
    expect(cut.detail).toBe(`[...]${'0'.repeat(1999)}7`);
    expect((await bench.run(`printf 'x%02000d' 7; exit 1`)).detail).toBe(`${'0'.repeat(1999)}7`);
  });

  test('is never half a character, bytes that are none are replaced, escapes go', async () => {
    const bench = checkBench();
    expect((await bench.run(String.raw`printf '\377\033[31mred\033[0m\a\000\342\202'; exit 1`)).detail).toBe('\uFFFDred\uFFFD');
    const emoji = await bench.run(['node', '-e', `process.stdout.write('\u{1F600}'.repeat(40000) + '.'); process.exitCode = 1`]);
    expect(emoji.detail).toBe(`${'\u{1F600}'.repeat(999)}.`);
  });

  test('loses known secrets in the log and in the detail', async () => {
    const verdict = await checkBench().run(`echo "a ${SECRET} b"; exit 1`);
    expect(verdict.detail).toBe(`a ${'*'.repeat(SECRET.length)} b\n`);
    expect(readFileSync(verdict.log ?? '', 'utf8')).toBe(verdict.detail);
  });

  // 100 MB are written, followed and searched for secrets: about three seconds.
  test('may be 100 MB', async () => {
    const before = process.memoryUsage().rss;
    const verdict = await checkBench().run('head -c 100000000 /dev/zero | tr "\\0" x; echo end; exit 1');
    expect(verdict).toMatchObject({ outcome: 'failed', command: { bytes: 100_000_004 } });
    expect(verdict.detail).toBe(`${'x'.repeat(1996)}end\n`);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
  });

  test('ends it where it is more than it may', async () => {
    const verdict = await checkBench().run(`while :; do printf '%01000d' 0; done`, { maxOutputBytes: 20_000 });
    expect(verdict).toMatchObject({ outcome: 'failed', command: { how: { kind: 'too-much-output' } } });
    expect(verdict.summary).toBe('test printed more than 20000 bytes and was ended');
  });

  test('goes to one log for each run, whatever the check is called', async () => {
    const bench = checkBench();
    for (const name of ['../../evil name', '.', 'a'.repeat(300), 'ä/\n']) {
      const { log } = await bench.run('exit 0', { name });
      expect(statSync(log ?? '').size).toBe(0);
    }
    expect(readdirSync(bench.logFolder).sort()).toEqual([`${'a'.repeat(60)}-log3.log`, 'check-log2.log', 'check-log4.log', 'evil-name-log1.log'].sort());
  });

  test('reads nothing: its input is empty', async () => {
    const { log } = await checkBench().run('cat; readlink /proc/self/fd/0 || echo /dev/null');
    expect(readFileSync(log ?? '', 'utf8')).toBe('/dev/null\n');
  });
});

describe('what cannot be started', () => {
  test('is of the environment: no program, none that may be executed, no interpreter, too large an environment', async () => {
    const bench = checkBench();
    writeFiles(bench.place.path, { 'plain.sh': '#!/bin/sh\n', 'lost.sh': '#!/no/such/interpreter\n', 'odd': 'text' });
    for (const name of ['lost.sh', 'odd']) chmodSync(join(bench.place.path, name), 0o755);
    const reasons = async (command: readonly [string, ...string[]], env = { PATH: '/usr/bin:/bin' }) => {
      const { outcome, command: end, log } = await bench.run(command, { env });
      return [outcome, end?.how.kind === 'not-started' ? end.how.reason : end?.how.kind, log];
    };
    expect(await reasons(['no-such-program'])).toEqual(['environment', 'command-not-found', expect.any(String)]);
    expect(await reasons(['./plain.sh'])).toEqual(['environment', 'not-executable', expect.any(String)]);
    expect(await reasons(['./lost.sh'])).toEqual(['environment', 'missing-interpreter', expect.any(String)]);
    expect(await reasons(['./odd'])).toEqual(['environment', 'exec-format', expect.any(String)]);
    expect(await reasons(['true'], { PATH: 'x'.repeat(140_000) })).toEqual(['environment', 'argument-too-long', expect.anything()]);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`V${at}`, 'x'.repeat(130_000)]));
    expect(await reasons(['true'], { PATH: '/usr/bin:/bin', ...many })).toEqual(['environment', 'argument-too-long', expect.anything()]);
  });

  test('for want of a log is of the environment, and leaves none', async () => {
    const bench = checkBench();
    for (const folder of [join(bench.logFolder, '..'), bench.logFolder]) chmodSync(folder, 0o555);
    const denied = await asOrdinaryUser(() => bench.run('true'));
    expect(denied).toMatchObject({ outcome: 'environment', log: undefined, command: { how: { kind: 'not-started', reason: 'log-unavailable' } } });
    expect(denied.summary).toContain('permission denied');
    chmodSync(join(bench.logFolder, '..'), 0o755);
    rmSync(bench.logFolder, { recursive: true });
    expect(await bench.run('true')).toMatchObject({ outcome: 'environment', log: undefined, command: { how: { reason: 'log-unavailable' } } });
  });

  test('in a folder that the files do not have, or that leads out of them, is of the files', async () => {
    const bench = checkBench();
    const outside = temporaryFolder();
    writeFiles(bench.place.path, { 'file': '', 'in/x': '' });
    symlinkSync(outside, join(bench.place.path, 'out'));
    symlinkSync('in', join(bench.place.path, 'alias'));
    symlinkSync('loop', join(bench.place.path, 'loop'));
    for (const [cwd, words] of [['gone', 'no folder gone'], ['file', 'no folder file'], ['out', 'out'], ['out/deep', 'out/deep'], ['loop', 'loop']] as const) {
      const verdict = await bench.run('touch was-here', { cwd });
      expect(verdict).toMatchObject({ outcome: 'failed', log: undefined, command: { how: { kind: 'not-started', reason: 'missing-workdir' } } });
      expect(verdict.summary).toContain(words);
    }
    expect(readdirSync(outside)).toEqual([]);
    const alias = await bench.run('pwd -P', { cwd: 'alias' });
    expect(readFileSync(alias.log ?? '', 'utf8')).toBe(`${join(bench.place.path, 'in')}\n`);
  });

  test('without files is of the environment', async () => {
    const bench = checkBench();
    rmSync(bench.place.path, { recursive: true });
    expect(await bench.run('true')).toMatchObject({ outcome: 'environment', summary: expect.stringContaining(bench.place.path) });
  });

  test('is refused when it is declared so that it cannot be', () => {
    const { check } = checkBench();
    for (const changes of [{ name: '' }, { command: { shell: ' \n' } }, { timeoutMs: 0 }, { timeoutMs: Number.NaN }, { graceMs: -1 }, { envFaultRc: 256 }, { envFaultRc: 1.5 }]) {
      expect(() => check('true', changes)).toThrow(expect.objectContaining({ code: 'check-invalid' }));
    }
    for (const cwd of ['..', '/tmp', 'a/../../b', 'nul\0']) {
      expect(() => check('true', { cwd })).toThrow(expect.objectContaining({ code: 'check-folder-outside' }));
    }
  });
});

describe('on a full disk', () => {
  const why = whyNoSmallDisk();

  testUnless(why, 'a failure does not count against the work', async () => {
    const disk = smallDisk(4);
    const logFolder = join(disk.folder, 'logs');
    mkdirSync(logFolder);
    const bench = checkBench({ reserveBytes: 64 * 1024 });
    const verdict = await bench.run(`head -c 10000000 /dev/zero`, { logFolder });
    expect(verdict).toMatchObject({ outcome: 'environment', command: { how: { kind: 'exited' } } });
    expect(verdict.summary).toContain('with a full disk (disk-reserve');
  });

  testUnless(why, 'nothing is begun', async () => {
    const disk = smallDisk(4);
    disk.fill();
    const bench = checkBench({ reserveBytes: MIB });
    writeFileSync(join(bench.place.path, 'there'), '');
    const verdict = await bench.run('rm there', { logFolder: disk.folder });
    expect(verdict).toMatchObject({ outcome: 'environment', command: { how: { kind: 'not-started', reason: 'disk-reserve' } } });
    expect(readdirSync(bench.place.path)).toEqual(['there']);
  });
});
