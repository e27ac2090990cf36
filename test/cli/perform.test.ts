import { describe, expect, test } from 'vitest';
import { textCall, verbCall, type Call } from '../../src/cli/call.ts';
import { perform } from '../../src/cli/perform.ts';
import { defineError } from '../../src/kernel/errors/index.ts';
import type { Verb, VerbContext, VerbResult } from '../../src/kernel/terminal/index.ts';
import { FakeSignals, runCli, type CliOptions } from '../support/cli.ts';
import { MemorySink } from '../support/memory-sink.ts';

interface Way extends CliOptions {
  readonly json?: boolean;
  readonly stoppable?: boolean;
}

type Deed = (context: VerbContext) => VerbResult | Promise<VerbResult>;

function answer(deed: Deed, { json = false, stoppable = false, ...options }: Way = {}) {
  const load = (): Promise<Verb<undefined>> => Promise.resolve(async (_input, context) => deed(context));
  const call = verbCall({ load, input: undefined, json, stoppable });
  return runCli((_argv, host) => perform(() => call, host), [], options);
}

const brokenLock = defineError<{ path: string }>({
  code: 'broken-lock',
  message: ({ path }) => `${path}: the lock is broken`,
  remedy: 'wait for the other run',
  exit: 2,
});

describe('the answer of a verb', () => {
  test.each([
    [{ exit: 0, text: 'one\ntwo' }, false, 'one\ntwo\n'],
    [{ exit: 0, text: 'one\n' }, false, 'one\n'],
    [{ exit: 0, text: '' }, false, ''],
    [{ exit: 0 }, false, ''],
    [{ exit: 0, text: 'x', json: { a: [1] } }, true, '{\n  "a": [\n    1\n  ]\n}\n'],
    [{ exit: 0, text: 'x', json: null }, true, 'null\n'],
    [{ exit: 0, text: 'x' }, true, ''],
    [{ exit: 0, text: 'x', json: { a: 1 } }, false, 'x\n'],
  ])('%j with json %j', async (result, json, stdout) => {
    expect(await answer(() => result, { json })).toEqual({ exit: 0, stdout, stderr: '' });
  });

  test('its errors go to standard error, one a line, its exit code is ours', async () => {
    const result = { exit: 7, text: 'x', errors: ['first', 'second'] };
    expect(await answer(() => result)).toEqual({ exit: 7, stdout: 'x\n', stderr: 'first\nsecond\n' });
    const json = { ...result, json: { valid: false } };
    const document = '{\n  "valid": false\n}\n';
    expect(await answer(() => json, { json: true })).toEqual({ exit: 7, stdout: document, stderr: 'first\nsecond\n' });
  });

  test('comes after what it printed while it ran', async () => {
    const result = await answer(({ out }) => {
      out.line('[a]', 'one');
      return { exit: 0, text: 'two' };
    });
    expect(result.stdout).toBe('[a] one\ntwo\n');
  });

  test('it is told where it was started, and with what environment', async () => {
    const deed: Deed = ({ cwd, env }) => ({ exit: 0, text: `${cwd} ${env['X']}` });
    const { stdout } = await answer(deed, { cwd: '/x', env: { X: 'y' } });
    expect(stdout).toBe('/x y\n');
  });
});

describe('what a terminal is shown', () => {
  const shown = async (result: VerbResult, json: boolean): Promise<string> => {
    const stdout = new MemorySink({ terminal: true, columns: 80 });
    await answer(() => result, { json, stdout });
    return stdout.text;
  };
  const odd = '\x1b]0;title\x07one\n\n\x1b[2J\x1b[31mtwo\n\x9b2Jthree';

  test('a text keeps its lines and colours, and no other sequence', async () => {
    const safe = 'one\n\n\x1b[31mtwo\x1b[0m\n2Jthree\n';
    expect(await shown({ exit: 0, text: odd }, false)).toBe(safe);
    expect(await shown({ exit: 0, text: `${odd}\n` }, false)).toBe(safe);
  });

  test('a document has no control characters either', async () => {
    const text = await shown({ exit: 0, json: { a: '\x9b2Jx', b: '\x1b]0;t\x07' } }, true);
    expect(text).toBe('{\n  "a": "2Jx",\n  "b": "\\u001b]0;t\\u0007"\n}\n');
  });

  test('a pipe or a file gets every byte', async () => {
    expect((await answer(() => ({ exit: 0, text: `${odd}\n\n` }))).stdout).toBe(`${odd}\n\n`);
    const document = { a: '\x9b2Jx' };
    const { stdout } = await answer(() => ({ exit: 0, json: document }), { json: true });
    expect(stdout).toBe(`${JSON.stringify(document, null, 2)}\n`);
  });
});

describe('an error', () => {
  test.each([true, false])('of ours is message and remedy, with its exit code (json %j)', async (json) => {
    const failing = () => Promise.reject(brokenLock({ path: 'a.lock' }));
    const told = 'a.lock: the lock is broken\nwait for the other run\n';
    expect(await answer(failing, { json })).toEqual({ exit: 2, stdout: '', stderr: told });
  });

  test('of the operating system names the path', async () => {
    const error = Object.assign(new Error('EACCES: no'), { code: 'EACCES', syscall: 'open', path: '/p/Bachfile' });
    const { exit, stderr } = await answer(() => Promise.reject(error));
    expect({ exit, stderr }).toEqual({
      exit: 1,
      stderr: 'cannot open /p/Bachfile: permission denied\ncheck the owner and the mode of this path\n',
    });
  });

  test('of a part of the program that is gone is not looked for among the files of the user', async () => {
    const error = Object.assign(new Error('no'), { code: 'ENOENT', syscall: 'open', path: '/d/a.cjs', part: '/d/a.cjs' });
    const { exit, stderr } = await answer(() => Promise.reject(error));
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^\/d\/a\.cjs, a part of this program, is not there any more\nrun the command again[^\n]*install[^\n]*\n$/);
    const tooMany = await answer(() => Promise.reject(Object.assign(error, { code: 'EMFILE' })));
    expect(tooMany.stderr).toMatch(/^cannot open \/d\/a\.cjs: too many open files\n[^\n]*ulimit -n/);
  });

  test.each([
    [new TypeError('x is not a function\nmore'), 'x is not a function'],
    [new RangeError(), 'RangeError'],
    ['a thrown text', 'a thrown text'],
    [undefined, 'undefined'],
  ])('that nobody expected (%s) is one line and how to report it', async (error, message) => {
    const { exit, stdout, stderr } = await answer(() => {
      throw error;
    });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([`internal error: ${message}`, expect.stringContaining('DROVER_DEBUG=1'), '']);
  });

  test('shows its stack with DROVER_DEBUG=1 only', async () => {
    const failing = () => Promise.reject(new TypeError('odd'));
    expect((await answer(failing)).stderr).not.toContain('perform.test');
    expect((await answer(failing, { env: { DROVER_DEBUG: '1' } })).stderr).toContain('perform.test');
  });

  test('thrown while the document is written leaves standard output empty', async () => {
    const { exit, stdout, stderr } = await answer(() => ({ exit: 0, json: { n: 1n } }), { json: true });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^internal error: /);
  });

  test('a current folder that is gone is told to who asks for it', async () => {
    const cwd = () => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' });
    };
    const inGone = (call: Call) => runCli((_argv, host) => perform(() => call, { ...host, cwd }), []);
    const asking: Call = { ...textCall(''), run: (context) => Promise.resolve({ exit: 0, text: context.cwd }) };
    const told = expect.stringMatching(/^the current folder does/);
    expect(await inGone(asking)).toEqual({ exit: 1, stdout: '', stderr: told });
    expect(await inGone(textCall('page'))).toMatchObject({ exit: 0, stdout: 'page\n' });
  });
});

describe('a standard output that cannot be written', () => {
  const failure = Object.assign(new Error('full'), { code: 'ENOSPC' });

  test.each([
    [0, 1],
    [1, 1],
    [130, 130],
  ])('exit %i becomes %i, and the reason is told', async (exit, expected) => {
    const result = await answer(() => ({ exit, text: 'x' }), { stdout: new MemorySink({ failure }) });
    expect(result.exit).toBe(expected);
    expect(result.stderr).toMatch(/^cannot write standard output: no space left on the device\n.+\n$/);
  });
});

describe('secrets of the environment', () => {
  const env = { DEPLOY_TOKEN: 'opensesame1' };
  const secret = 'opensesame1';

  test('are masked in everything that is shown', async () => {
    const deed: Deed = ({ out }) => {
      out.line('[x]', secret);
      out.record({ said: secret });
      out.notice(secret);
      out.raw('stdout', Buffer.from('open'));
      out.raw('stdout', Buffer.from('sesame1\n'));
      return { exit: 1, text: `text ${secret}`, errors: [`error ${secret}`] };
    };
    const masks = '***********';
    expect(await answer(deed, { env })).toEqual({
      exit: 1,
      stdout: `[x] ${masks}\n{"said":"${masks}"}\n${masks}\ntext ${masks}\n`,
      stderr: `${masks}\nerror ${masks}\n`,
    });
  });

  test('are masked in documents, with what stands under a secret key', async () => {
    const json = { said: `a "${secret}"`, password: 'another one', list: ['ghp_0123456789abcdefghijABCDEFGHIJ012345'] };
    const { stdout } = await answer(() => ({ exit: 0, json }), { env, json: true });
    expect(JSON.parse(stdout)).toEqual({ said: 'a "***********"', password: '***********', list: ['*'.repeat(40)] });
  });

  test('are masked in errors, known and unknown', async () => {
    const known = await answer(() => Promise.reject(brokenLock({ path: secret })), { env });
    expect(known.stderr).toMatch(/^\*{11}: the lock is broken\n/);
    const unknown = await answer(() => Promise.reject(new TypeError(`no ${secret}`)), { env: { ...env, DROVER_DEBUG: '1' } });
    expect(unknown.stderr).toMatch(/^internal error: no \*{11}\n/);
    expect(unknown.stderr).not.toContain(secret);
  });
});

describe('signals', () => {
  test('are listened to only while a verb runs that asks for it', async () => {
    const signals = new FakeSignals();
    const counts: number[] = [];
    const count = () => {
      counts.push(signals.count('SIGTERM'));
      return { exit: 0 };
    };
    await answer(count, { signals });
    await answer(count, { signals, stoppable: true });
    expect([...counts, signals.count('SIGTERM')]).toEqual([0, 1, 0]);
  });

  test('reach the verb, which gives the exit code', async () => {
    const signals = new FakeSignals();
    const verb = async ({ stop }: VerbContext): Promise<VerbResult> => {
      const asked = new Promise((resolve) => stop.graceful.addEventListener('abort', resolve));
      signals.send('SIGTERM');
      await asked;
      return { exit: 143, text: `${stop.signal()} ${stop.immediate.aborted}` };
    };
    const result = await answer(verb, { signals, stoppable: true });
    expect(result).toEqual({ exit: 143, stdout: 'SIGTERM false\n', stderr: '' });
  });

  test('are given back also when the verb fails', async () => {
    const signals = new FakeSignals();
    await answer(() => Promise.reject(new Error('x')), { signals, stoppable: true });
    expect(signals.count('SIGINT')).toBe(0);
  });
});
