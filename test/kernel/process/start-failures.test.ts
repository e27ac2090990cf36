import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd, type SpawnRequest } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { layersHere } from '../../support/process/layers.ts';
import { useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
const { works } = await layersHere();

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

describe('what no program can be given', () => {
  const HALF = '\ud83d';
  const cases: readonly (readonly [string, () => Partial<SpawnRequest>, string])[] = [
    ['no argument at all', () => ({ argv: [] as unknown as SpawnRequest['argv'] }), 'the command is empty'],
    ['a program without a name', () => ({ argv: [''] }), 'the name of the program is empty'],
    ['a NUL byte in the name of the program', () => ({ argv: ['a\0b'] }), 'the name of the program contains a NUL byte'],
    ['half a character in an argument', () => ({ argv: ['true', `a${HALF}`] }), 'argument 1 of true contains half a character, which has no bytes'],
    ['a variable without a name', () => ({ env: { ...bench().env, '': 'x' } }), 'the name of an environment variable is empty'],
    ['an equals sign in a name', () => ({ env: { ...bench().env, 'A=B': 'x' } }), 'environment variable "A=B" has an equals sign in its name'],
    ['a NUL byte in a name', () => ({ env: { ...bench().env, 'A\0': 'x' } }), 'environment variable "A\\u0000" contains a NUL byte'],
    ['a NUL byte in the PATH', () => ({ env: { PATH: '/bin\0:/usr/bin' } }), 'environment variable "PATH" contains a NUL byte'],
    ['half a character in a name', () => ({ env: { ...bench().env, [HALF]: 'x' } }), 'environment variable "\\ud83d" contains half a character, which has no bytes'],
    ['half a character in a value', () => ({ env: { ...bench().env, ODD: `secret${HALF}` } }), 'environment variable "ODD" contains half a character, which has no bytes'],
    ['a NUL byte in the marker', () => ({ marker: 'a\0' }), 'the marker contains a NUL byte'],
    ['two lines in the marker', () => ({ marker: 'a\n+ 4711 1 all x' }), 'the marker contains a line break'],
    ['a relative working directory', () => ({ cwd: 'folder' }), 'working directory folder: not an absolute path'],
    ['no working directory', () => ({ cwd: '' }), 'working directory : not an absolute path'],
    ['half a character in the working directory', () => ({ cwd: `/${HALF}` }), `working directory /${HALF}: the path contains half a character, which has no bytes`],
  ];

  test.each(cases)('%s is refused, whichever way it is started', async (_, odd, message) => {
    const request = { argv: ['true'], ...odd() } as const;
    const expected = { reason: message.startsWith('working') ? 'missing-workdir' : 'invalid-argument', message };
    expect(await failure(request.argv, request)).toEqual(expected);
    for (const layer of works) expect(await failure(request.argv, { ...request, containment: layer })).toEqual(expected);
    const { folder: cwd, env, marker } = bench();
    const { end } = await runToEnd({ origin: 'user', cwd, env, marker, graceMs: 1_000, timeoutMs: 60_000, maxOutputBytes: 10, ...request }, { clock: systemClock() });
    expect(end.kind === 'not-started' && { reason: end.reason, message: end.error.message }).toEqual(expected);
  });

  test('a whole pair of halves is one character', async () => {
    expect(await bench().run(['true', '😀'], { env: { ...bench().env, OK: '😀' } }).exit).toMatchObject({ kind: 'exited', code: 0 });
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
