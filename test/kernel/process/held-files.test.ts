import { execFileSync } from 'node:child_process';
import { chmodSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { runToEnd, type SpawnRequest } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
const taker = bundledProgram(join(import.meta.dirname, '../lock/programs/hold-lock.ts'));

/** A lock that this process has, as long as the test lasts. */
function locked(): string {
  const lock = tryLock(join(bench().folder, 'lock'));
  if (lock === 'held') throw new Error('somebody else has the lock');
  onTestFinished(() => lock.release());
  return lock.path;
}

/** What another process is told that wants the lock. */
const seenElsewhere = (path: string): string => execFileSync(process.execPath, [taker.file, path], { input: '', encoding: 'utf8' }).trim();

async function failure(options: Partial<SpawnRequest>, argv: SpawnRequest['argv'] = ['cat']) {
  const end = await bench().run(argv, options).exit;
  return end.kind === 'not-started' ? { reason: end.reason, code: end.error.code, message: end.error.message } : end;
}

describe('a lock file of ours stays held for another process when it is named as', () => {
  test('input', async () => {
    const path = locked();
    expect(await failure({ input: { path } })).toMatchObject({ reason: 'input-unavailable', code: 'file-held', message: expect.stringContaining(path) as string });
    expect(seenElsewhere(path)).toBe('held');
  });

  test('input of a short program', async () => {
    const path = locked();
    const { folder, marker, env } = bench();
    const { end } = await runToEnd({ argv: ['cat'], origin: 'user', cwd: folder, env, marker, graceMs: 100, timeoutMs: 10_000, maxOutputBytes: 10, input: { path } }, { clock: systemClock() });
    expect(end).toMatchObject({ kind: 'not-started', error: { code: 'file-held' } });
    expect(seenElsewhere(path)).toBe('held');
  });

  test('log', async () => {
    const path = locked();
    expect(await failure({ log: { path } })).toMatchObject({ reason: 'log-unavailable', code: 'file-held', message: expect.stringContaining(path) as string });
    expect(seenElsewhere(path)).toBe('held');
  });

  test('log by its descriptor, which is opened once more to mask secrets', async () => {
    const path = locked();
    // Never closed: that would end the lock, and is what is tested of the others.
    const log = openSync(path, 'a+');
    const scrub = { scrub: () => Promise.resolve() };
    await expect(bench().run(['echo', 'x'], { log, scrub, onOutput: () => undefined }).exit).rejects.toMatchObject({ code: 'file-held' });
    expect(seenElsewhere(path)).toBe('held');
  });

  test('program', async () => {
    const path = locked();
    chmodSync(path, 0o755);
    await bench().run([path]).exit;
    expect(seenElsewhere(path)).toBe('held');
  });
});

describe('what is no regular file is refused at once, by its path, as', () => {
  const fifo = (): string => {
    const path = join(bench().folder, 'fifo');
    execFileSync('mkfifo', [path]);
    return path;
  };

  test('input that nobody writes', async () => {
    const path = fifo();
    expect(await failure({ input: { path } })).toEqual({ reason: 'input-unavailable', code: 'input-unavailable', message: `${path} is a pipe, a socket or a device` });
  });

  test('log', async () => {
    const path = fifo();
    expect(await failure({ log: { path } })).toEqual({ reason: 'log-unavailable', code: 'log-unavailable', message: `${path} is a pipe, a socket or a device` });
  });

  test('folder', async () => {
    const path = bench().folder;
    expect(await failure({ input: { path } })).toMatchObject({ reason: 'input-unavailable', message: expect.stringContaining('it is a directory') as string });
  });
});
