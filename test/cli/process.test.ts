import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { chunkedProgram } from '../support/chunked-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'drover-cli-'));
const program = chunkedProgram(join(import.meta.dirname, 'fixtures/program.ts'));

afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
}

const startProgram = (argv: readonly string[]) =>
  spawn(process.execPath, [program.file, ...argv], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });

const ended = (child: ChildProcess): Promise<Ended> =>
  new Promise((resolve) => child.once('exit', (exit, signal) => resolve({ exit, signal })));

async function run(...argv: readonly string[]) {
  const child = startProgram(argv);
  const [end, stdout, stderr] = await Promise.all([ended(child), text(child.stdout), text(child.stderr)]);
  return { ...end, stdout, stderr };
}

/** A command line of a shell with `bach` for the program. */
async function shell(script: string) {
  const line = `bach() { ${JSON.stringify(process.execPath)} ${JSON.stringify(program.file)} "$@"; }\n${script}`;
  const child = spawn('bash', ['-c', line], { stdio: ['ignore', 'pipe', 'pipe'], cwd: folder });
  const [end, stdout, stderr] = await Promise.all([ended(child), text(child.stdout), text(child.stderr)]);
  return { ...end, stdout, stderr };
}

/** A running program whose output can be waited for. */
function conversation(...argv: readonly string[]) {
  const child = startProgram(argv);
  const end = ended(child);
  let heard = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  const hears = async (word: string): Promise<void> => {
    while (!heard.includes(word)) {
      await new Promise((resolve) => {
        child.stdout.once('data', resolve);
        child.stderr.once('data', resolve);
      });
    }
  };
  return { child, end, hears, heard: () => heard };
}

describe('everything is written before the process ends', () => {
  test('a long text through a pipe', async () => {
    const { exit, stdout } = await run('run', 'text', '8');
    expect([exit, stdout.length]).toEqual([0, 8 * 1024 * 1024 + 1]);
  });

  test('many lines through a pipe, with the exit code of the verb', async () => {
    const { exit, stdout } = await run('run', 'lines', '100000');
    expect([exit, stdout.length]).toEqual([3, 100 * 100_000]);
  });

  test('a long text into a file', async () => {
    const { stderr } = await shell('bach run text 8 > long.txt');
    expect([stderr, readFileSync(join(folder, 'long.txt')).length]).toEqual(['', 8 * 1024 * 1024 + 1]);
  });

  test('help and version', async () => {
    expect(await run('--version')).toMatchObject({ exit: 0, stdout: 'bach dev\n', stderr: '' });
    expect((await run()).stdout).toMatch(/^Usage: bach/);
  });
});

describe('a reader that goes away', () => {
  test.each([
    ['bach run lines 100000 | head -n 1', 3],
    ['bach run lines 100000 2>&1 | true', 3],
    ['bach run text 8 | head -c 10', 0],
    ['bach list | true', 0],
    ['bach --help | true', 0],
    ['bach --version | true', 0],
    ['bach nonsense 2>&1 | true', 2],
  ])('%s: no stack trace, and the exit code of the verb', async (line, exit) => {
    const { stdout, stderr } = await shell(`${line}; echo ":\${PIPESTATUS[0]}"`);
    expect(stdout.endsWith(`:${exit}\n`)).toBe(true);
    expect(stderr).toMatch(/^(peak \d+ MiB\n)?$/);
  });
});

describe('a full disk', () => {
  const reason = 'cannot write standard output: no space left on the device';
  const told = `${reason}\nfree some space, then run the command again\n`;

  test.each([
    ['bach list', 1],
    ['bach --version', 1],
    ['bach --help', 1],
    ['bach run text 1', 1],
  ])('%s > /dev/full', async (line, exit) => {
    expect(await shell(`${line} > /dev/full`)).toMatchObject({ exit, stderr: told });
  });

  test('does not stop the verb, and its own exit code stays', async () => {
    const { exit, stderr } = await shell('bach run lines 1000 > /dev/full');
    expect(exit).toBe(3);
    expect(stderr).toMatch(/^peak \d+ MiB\ncannot write standard output/);
  });

  test('for errors leaves the exit code alone', async () => {
    expect(await shell('bach nonsense 2> /dev/full')).toMatchObject({ exit: 2, stdout: '' });
  });

  test('closed descriptors are survived', async () => {
    expect(await shell('bach list >&- 2>&-')).toMatchObject({ exit: 0, stdout: '', stderr: '' });
  });
});

test('100 MB through a slow pipe stay out of memory', async () => {
  const child = startProgram(['run', 'lines', '1000000']);
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    // Slower than the writer: every chunk is followed by a pause of one turn of this loop.
    child.stdout.pause();
    setImmediate(() => child.stdout.resume());
  });
  const [{ exit }, stderr] = await Promise.all([ended(child), text(child.stderr)]);
  expect([exit, size]).toEqual([3, 100_000_000]);
  const peak = Number(/peak (\d+) MiB/.exec(stderr)?.[1]);
  expect(peak).toBeLessThan(160);
}, 30_000);

describe('signals', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s asks the verb to stop', async (signal) => {
    const { child, end, hears, heard } = conversation('run', 'wait');
    await hears('ready');
    child.kill(signal);
    expect(await end).toEqual({ exit: 130, signal: null });
    expect(heard()).toBe(`ready\nasked by ${signal}\n`);
  });

  test('the second one presses', async () => {
    const { child, end, hears } = conversation('run', 'stubborn');
    await hears('ready');
    child.kill('SIGINT');
    await hears('asked');
    child.kill('SIGTERM');
    await hears('pressed');
    expect(await end).toEqual({ exit: 130, signal: null });
  });

  test('SIGQUIT asks and presses at once', async () => {
    const { child, end, hears, heard } = conversation('run', 'stubborn');
    await hears('ready');
    child.kill('SIGQUIT');
    expect(await end).toEqual({ exit: 130, signal: null });
    expect(heard()).toBe('ready\nasked\npressed\n');
  });

  test('the third one ends the process', async () => {
    const { child, end, hears } = conversation('run', 'deaf');
    await hears('ready');
    child.kill('SIGINT');
    await hears('asked');
    child.kill('SIGINT');
    await hears('pressed');
    child.kill('SIGTERM');
    expect(await end).toEqual({ exit: null, signal: 'SIGTERM' });
  });

  test('after the second one a reader that takes nothing holds nothing up', async () => {
    const child = startProgram(['run', 'flood']);
    const end = ended(child);
    const words = child.stderr[Symbol.asyncIterator]();
    expect(String((await words.next()).value)).toBe('ready\n');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await end).toEqual({ exit: 130, signal: null });
  });
});

describe('an error that nothing caught', () => {
  test.each(['throw', 'later', 'unhandled'])('%s: one line, no stack trace, exit 1', async (deed) => {
    const { exit, stdout, stderr } = await run('run', deed);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual(['internal error: odd', expect.stringContaining('DROVER_DEBUG=1'), '']);
  });

  test('is masked like all the rest', async () => {
    expect((await run('run', 'leak')).stderr.split('\n')[0]).toBe(`internal error: odd ${'*'.repeat(40)}`);
  });
});

test('a verb that waits for what never comes is no success', async () => {
  const { exit, stderr } = await run('run', 'lost');
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^internal error: the command ended without an answer\n.+\n$/);
});

test('in a folder that was removed, help still comes', async () => {
  mkdirSync(join(folder, 'gone'));
  expect(await shell('cd gone && rmdir ../gone && bach --help')).toMatchObject({ exit: 0, stderr: '' });
});
