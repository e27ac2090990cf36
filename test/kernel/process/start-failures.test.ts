import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SpawnRequest } from '../../../src/kernel/process/index.ts';
import { useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

async function failure(argv: SpawnRequest['argv'], options?: Partial<SpawnRequest>) {
  const child = bench().run(argv, options);
  const end = await child.exit;
  expect(child.pid).toBeUndefined();
  if (end.kind !== 'not-started') return expect.unreachable(`it ran: ${JSON.stringify(end)}`);
  expect(end.error.code).toBe(end.reason);
  expect(end.error.remedy).not.toBe('');
  return { reason: end.reason, message: end.error.message };
}

function file(name: string, content: string | Buffer, mode: number): string {
  const path = join(bench().folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe('a program that is not there', () => {
  test('is named, with the PATH', async () => {
    const { reason, message } = await failure(['no-such-program'], { env: { PATH: '/nowhere:/neither' } });
    expect(reason).toBe('command-not-found');
    expect(message).toBe('command not found: no-such-program (looked in PATH=/nowhere:/neither)');
  });

  test('is named when it was given as a path', async () => {
    const { reason, message } = await failure(['./build/tool']);
    expect(reason).toBe('command-not-found');
    expect(message).toBe(`command not found: ./build/tool (looked in ${bench().folder})`);
  });

  test('below a file is not there', async () => {
    expect((await failure([`${file('plain', '', 0o755)}/tool`])).reason).toBe('command-not-found');
  });
});

describe('a working directory', () => {
  test('that is missing is told apart from a missing program', async () => {
    const cwd = join(bench().folder, 'gone');
    const { reason, message } = await failure(['true'], { cwd });
    expect(reason).toBe('missing-workdir');
    expect(message).toBe(`working directory ${cwd}: no such directory`);
  });

  test('that is missing is the cause also when the program stands in it', async () => {
    expect((await failure(['./tool'], { cwd: join(bench().folder, 'gone') })).reason).toBe('missing-workdir');
  });

  test('that is a file is told', async () => {
    const cwd = file('plain', '', 0o644);
    expect(await failure(['true'], { cwd })).toEqual({ reason: 'missing-workdir', message: `working directory ${cwd}: not a directory` });
  });

  test('with a NUL byte is told', async () => {
    expect((await failure(['true'], { cwd: '/tmp/a\0b' })).reason).toBe('missing-workdir');
  });
});

describe('a file that cannot be executed', () => {
  test('for want of the mode is named', async () => {
    const path = file('script', '#!/bin/sh\n', 0o644);
    const { reason, message } = await failure([path]);
    expect(reason).toBe('not-executable');
    expect(message).toBe(`cannot execute ${path}: permission denied`);
  });

  test('is named with its folder when it was found by PATH', async () => {
    const path = file('script', '#!/bin/sh\n', 0o644);
    const { message } = await failure(['script'], { env: { PATH: bench().folder } });
    expect(message).toContain(path);
  });

  test('as it is a folder is told', async () => {
    const path = join(bench().folder, 'folder');
    mkdirSync(path);
    expect(await failure([path])).toEqual({ reason: 'not-executable', message: `cannot execute ${path}: not a regular file` });
  });

  test.each([
    ['text without a #! line', 'touch was-run-by-a-shell\n'],
    ['nothing', ''],
    ['a damaged program', Buffer.from([0x7f, 0x45, 0, 1, 2, 3])],
  ])('as it holds %s is refused, never handed to a shell', async (_, content) => {
    const path = file('odd', content, 0o755);
    const { reason, message } = await failure([path]);
    expect(reason).toBe('exec-format');
    expect(message).toContain(path);
  });

  test('is looked at again once it was mended', async () => {
    const path = file('tool', 'echo hi\n', 0o755);
    expect((await failure([path])).reason).toBe('exec-format');
    writeFileSync(path, '#!/bin/sh\necho hi\n');
    expect(await bench().run([path]).exit).toMatchObject({ kind: 'exited', code: 0 });
  });

  test('for want of its interpreter is told apart from a missing program', async () => {
    const path = file('script', '#!/no/such/interpreter\n', 0o755);
    const { reason, message } = await failure([path]);
    expect(reason).toBe('missing-interpreter');
    expect(message).toContain(path);
  });
});

describe('an argument', () => {
  test('of the longest length passes, one byte more does not', async () => {
    expect(await bench().run(['true', 'x'.repeat(131_071)]).exit).toMatchObject({ kind: 'exited', code: 0 });
    const { reason, message } = await failure(['true', 'short', 'x'.repeat(131_072)]);
    expect(reason).toBe('argument-too-long');
    expect(message).toBe('argument 2 of true has 131072 bytes; at most 131071 can be passed');
  });

  test('is measured in bytes', async () => {
    expect((await failure(['true', 'ü'.repeat(65_536)])).message).toContain('131072 bytes');
  });

  test('with a NUL byte is told by its place', async () => {
    const { reason, message } = await failure(['true', 'a\0b']);
    expect(reason).toBe('invalid-argument');
    expect(message).toBe('argument 1 of true contains a NUL byte');
  });

  test('zero may not be empty or hold a NUL byte', async () => {
    expect((await failure([''])).reason).toBe('invalid-argument');
    expect((await failure(['a\0b'])).reason).toBe('invalid-argument');
  });

  test('list that is too long as a whole is told', async () => {
    const many = Array.from({ length: 80 }, () => 'x'.repeat(100_000));
    const { reason, message } = await failure(['true', ...many]);
    expect(reason).toBe('argument-too-long');
    expect(message).toContain('true');
  });
});

describe('an environment variable', () => {
  test('that is too long is named without its value', async () => {
    const env = { ...bench().env, BIG: 'secret'.repeat(30_000) };
    const { reason, message } = await failure(['true'], { env });
    expect(reason).toBe('argument-too-long');
    expect(message).toBe('environment variable "BIG" has 180004 bytes; at most 131071 can be passed');
  });

  test('with a NUL byte is named without its value', async () => {
    const { reason, message } = await failure(['true'], { env: { ...bench().env, ODD: 'secret\0' } });
    expect(reason).toBe('invalid-argument');
    expect(message).toBe('environment variable "ODD" contains a NUL byte');
  });
});
