import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRedaction, type Redaction } from '../../../src/kernel/redact/index.ts';
import { createReporter, type Reporter } from '../../../src/kernel/terminal/index.ts';
import { MemorySink } from '../../support/memory-sink.ts';

interface Setup {
  readonly stdout?: MemorySink;
  readonly stderr?: MemorySink;
  readonly env?: Record<string, string>;
  readonly release?: AbortSignal;
  readonly redaction?: Redaction;
}

function setUp({ stdout = new MemorySink(), stderr = new MemorySink(), env = {}, release, redaction }: Setup = {}) {
  const clock = { now: 0, mono: () => clock.now };
  const out = createReporter({ stdout, stderr, env, clock, ...(release && { release }), ...(redaction && { redaction }) });
  return { out, stdout, stderr, clock };
}

const FAKED = ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'] as const;

const terminal = () => new MemorySink({ terminal: true, columns: 40 });
const running = (name: string) => ({ done: 1, total: 3, running: [{ name, sinceMono: 0 }] });

async function closed(out: Reporter): Promise<void> {
  expect(await out.finish()).toBeUndefined();
}

describe('elsewhere than on a terminal', () => {
  test('a line is its label, a space and its text', async () => {
    const { out, stdout } = setUp();
    out.line('10:00 [shell/a]', 'one');
    out.line('', 'two');
    await closed(out);
    expect(stdout.text).toBe('10:00 [shell/a] one\ntwo\n');
  });

  test('a record is one line of JSON', async () => {
    const { out, stdout } = setUp();
    out.record({ a: 'x\ny' });
    await closed(out);
    expect(stdout.text).toBe('{"a":"x\\ny"}\n');
  });

  test('progress leaves no trace, and foreign escapes pass unchanged', async () => {
    const { out, stdout } = setUp({ env: { TERM: 'xterm' } });
    out.progress(running('shell/a'));
    out.line('[a]', '\x1b[2Jx\ry');
    await closed(out);
    expect(stdout.text).toBe('[a] \x1b[2Jx\ry\n');
  });

  test('the lines of one turn are one write', async () => {
    const { out, stdout } = setUp();
    for (let index = 0; index < 1000; index++) out.line('[a]', `${index}`);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stdout.writes).toHaveLength(1);
    out.line('[a]', 'last');
    await closed(out);
    expect(stdout.writes).toHaveLength(2);
  });

  test('many lines do not pile up before they are written', () => {
    const { out, stdout } = setUp();
    for (let index = 0; index < 100; index++) out.line('', 'x'.repeat(4096));
    expect(stdout.writes.length).toBeGreaterThan(4);
    expect(Math.max(...stdout.writes.map((each) => each.length))).toBeLessThan(80 * 1024);
  });

  test('the two streams keep their order', async () => {
    const order: string[] = [];
    const recorded = (name: string): MemorySink =>
      Object.assign(new MemorySink(), {
        write: (chunk: string | Uint8Array) => void order.push(`${name}: ${Buffer.from(chunk as string).toString()}`),
      });
    const { out } = setUp({ stdout: recorded('out'), stderr: recorded('err') });
    out.line('', '1');
    out.notice('2');
    out.raw('stdout', '3\n');
    out.raw('stderr', '4\n');
    out.raw('stdout', Buffer.from('5\n'));
    await closed(out);
    expect(order).toEqual(['out: 1\n', 'err: 2\n', 'out: 3\n', 'err: 4\n', 'out: 5\n']);
  });

  test('raw text is not changed and gets no newline', async () => {
    const { out, stdout } = setUp();
    out.raw('stdout', 'a');
    out.raw('stdout', new Uint8Array([0x62, 0x63]));
    await closed(out);
    expect(stdout.text).toBe('abc');
  });
});

describe('a failing standard output', () => {
  test('is told at the end with code and remedy', async () => {
    const failure = Object.assign(new Error('write'), { code: 'ENOSPC' });
    const { out } = setUp({ stdout: new MemorySink({ failure }) });
    out.line('', 'lost');
    const told = await out.finish();
    expect(told?.message).toBe('cannot write standard output: no space left on the device');
    expect(told?.code).toBe('disk-full');
  });

  test('of standard error nothing is told, since there is no place left for it', async () => {
    const { out } = setUp({ stderr: new MemorySink({ failure: new Error('full') }) });
    out.notice('lost');
    await closed(out);
  });
});

describe('a slow reader', () => {
  const written = async (promise: Promise<void>): Promise<boolean> => {
    let resolved = false;
    void promise.then(() => (resolved = true));
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return resolved;
  };

  test('holds back whoever awaits drained, until it takes what waits', async () => {
    const stdout = new MemorySink({ slow: true });
    const { out } = setUp({ stdout });
    out.raw('stdout', 'x'.repeat(10));
    expect(await written(out.drained())).toBe(true);
    out.raw('stdout', 'x'.repeat(200_000));
    const drained = out.drained();
    expect(await written(drained)).toBe(false);
    stdout.take();
    expect(await written(drained)).toBe(true);
  });

  test('of standard error holds back as well', async () => {
    const stderr = new MemorySink({ slow: true });
    const { out } = setUp({ stderr });
    out.raw('stderr', 'x'.repeat(200_000));
    expect(await written(out.drained())).toBe(false);
  });

  test('that stopped reading holds nobody up once released, and nothing piles up for it', async () => {
    const stdout = new MemorySink({ slow: true });
    const { signal, abort } = withAbort();
    const { out } = setUp({ stdout, release: signal });
    out.raw('stdout', 'x'.repeat(200_000));
    const drained = out.drained();
    abort();
    await drained;
    for (let index = 0; index < 100; index++) out.raw('stdout', 'y'.repeat(100_000));
    await closed(out);
    expect(stdout.text.length).toBeLessThan(1.5 * 1024 * 1024);
  });

  test('that is released but reads on gets the end', async () => {
    const stdout = new MemorySink({ slow: true });
    const { signal, abort } = withAbort();
    const { out } = setUp({ stdout, release: signal });
    abort();
    out.line('', 'the end');
    const finished = out.finish();
    stdout.take();
    await finished;
    expect(stdout.text).toBe('the end\n');
  });

  function withAbort() {
    const controller = new AbortController();
    return { signal: controller.signal, abort: () => controller.abort() };
  }
});

describe('on a terminal', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: [...FAKED] }));
  afterEach(() => void vi.useRealTimers());

  test('lines stand above one status line, which is gone at the end', async () => {
    const { out, stdout } = setUp({ stdout: terminal(), env: { NO_COLOR: '1' } });
    out.progress(running('shell/a'));
    vi.advanceTimersByTime(1);
    out.line('[a]', 'one');
    vi.advanceTimersByTime(200);
    await closed(out);
    expect(stdout.writes).toEqual(['1/3 shell/a 0s', '\r\x1b[K[a] one\n1/3 shell/a 0s', '\r\x1b[K']);
  });

  test('the status line goes before a notice and comes back after it', async () => {
    const order: string[] = [];
    const both = Object.assign(terminal(), { write: (chunk: string) => void order.push(chunk) });
    const { out } = setUp({ stdout: both, stderr: both });
    out.progress(running('a'));
    vi.advanceTimersByTime(1);
    out.notice('careful');
    vi.advanceTimersByTime(200);
    await closed(out);
    expect(order).toEqual(['1/3 a 0s', '\r\x1b[K', 'careful\n', '1/3 a 0s', '\r\x1b[K']);
  });

  test('it is painted at most ten times a second, however often it changes', async () => {
    const { out, stdout } = setUp({ stdout: terminal() });
    for (let step = 0; step < 1000; step++) {
      out.progress({ done: step, total: 1000, running: [] });
      vi.advanceTimersByTime(1);
    }
    const paints = stdout.writes.filter((each) => each.includes('/1000')).length;
    expect(paints).toBeGreaterThan(8);
    expect(paints).toBeLessThan(12);
    await closed(out);
  });

  test('a flood of lines goes out at once, but does not paint more often', async () => {
    const { out, stdout } = setUp({ stdout: terminal() });
    out.progress(running('a'));
    vi.advanceTimersByTime(1);
    for (let index = 0; index < 100; index++) out.line('', 'x'.repeat(4096));
    expect(stdout.writes.length).toBeGreaterThan(4);
    vi.advanceTimersByTime(100);
    expect(stdout.writes.filter((each) => each.includes('1/3'))).toHaveLength(2);
    expect(stdout.writes.at(-1)).toMatch(/1\/3 a 0s$/);
    await closed(out);
  });

  test('the seconds move on their own, and an unchanged line is not painted again', async () => {
    const { out, stdout, clock } = setUp({ stdout: terminal() });
    out.progress(running('a'));
    vi.advanceTimersByTime(1500);
    expect(stdout.writes).toEqual(['1/3 a 0s']);
    clock.now = 2000;
    vi.advanceTimersByTime(1000);
    expect(stdout.writes.at(-1)).toBe('\r\x1b[K1/3 a 2s');
    await closed(out);
    const before = stdout.writes.length;
    vi.advanceTimersByTime(5000);
    expect(stdout.writes).toHaveLength(before);
  });

  test('lines after the end still come', async () => {
    const { out, stdout } = setUp({ stdout: terminal() });
    out.progress(running('a'));
    vi.advanceTimersByTime(1);
    await closed(out);
    out.line('', 'late');
    vi.advanceTimersByTime(1);
    expect(stdout.writes.at(-1)).toBe('late\n');
  });

  test('it waits while the last row is not finished', async () => {
    const { out, stdout } = setUp({ stdout: terminal() });
    out.progress(running('a'));
    vi.advanceTimersByTime(1);
    out.raw('stdout', Buffer.from('name? '));
    vi.advanceTimersByTime(500);
    expect(stdout.text).toBe('1/3 a 0s\r\x1b[Kname? ');
    out.raw('stdout', 'x\n');
    vi.advanceTimersByTime(500);
    expect(stdout.text).toBe('1/3 a 0s\r\x1b[Kname? x\n1/3 a 0s');
    await closed(out);
  });

  test('TERM=dumb gets plain lines and nothing else', async () => {
    const { out, stdout } = setUp({ stdout: terminal(), env: { TERM: 'dumb' } });
    out.progress(running('a'));
    out.line('[a]', 'one');
    vi.advanceTimersByTime(2000);
    await closed(out);
    expect(stdout.text).toBe('[a] one\n');
  });

  test('labels are dim, unless NO_COLOR', async () => {
    const coloured = setUp({ stdout: terminal() });
    coloured.out.line('[a]', 'one');
    await closed(coloured.out);
    expect(coloured.stdout.text).toBe('\x1b[2m[a]\x1b[22m one\n');
    const plain = setUp({ stdout: terminal(), env: { NO_COLOR: '1' } });
    plain.out.line('[a]', 'one');
    await closed(plain.out);
    expect(plain.stdout.text).toBe('[a] one\n');
  });

  test('nor can a record, whose JSON leaves some control characters as they are', async () => {
    const { out, stdout } = setUp({ stdout: terminal() });
    out.record({ a: '\x9b2Jx', b: '\x1b[2J' });
    await closed(out);
    expect(stdout.text).toBe('{"a":"2Jx","b":"\\u001b[2J"}\n');
  });

  test.each([
    ['keeps its colours', {}, '\x1b[2m[a]\x1b[22m red: \x1b[31mx\x1b[0m\n', 'first\n\x1b[1msecond\x1b[0m\n'],
    ['loses them where none are wanted', { NO_COLOR: '1' }, '[a] red: x\n', 'first\nsecond\n'],
    ['loses them on a dumb terminal', { TERM: 'dumb' }, '[a] red: x\n', 'first\nsecond\n'],
  ])('foreign text cannot move the cursor, and %s', async (_what, env, onStdout, onStderr) => {
    const { out, stdout, stderr } = setUp({ stdout: terminal(), stderr: terminal(), env });
    out.line('[\x1b[Aa]', '\x1b[2Jred: \x1b[31mx');
    out.notice('first\n\x1b]0;title\x07\x1b[1msecond');
    await closed(out);
    expect(stdout.text).toBe(onStdout);
    expect(stderr.text).toBe(onStderr);
  });
});

describe('what is secret is masked', () => {
  const redaction = createRedaction(['hunter2x']);
  beforeEach(() => {
    vi.useFakeTimers({ toFake: [...FAKED] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('in lines, records, notices and names', async () => {
    const { out, stdout, stderr } = setUp({ stdout: terminal(), redaction, env: { NO_COLOR: '1' } });
    out.line('[hunter2x]', 'say hunter2x');
    out.record({ token: 'opensesame1', said: 'hunter2x' });
    out.notice('no hunter2x here');
    out.progress(running('shell/hunter2x'));
    vi.advanceTimersByTime(200);
    await closed(out);
    expect(stdout.text).not.toContain('hunter2x');
    expect(stdout.text).toContain('[********] say ********\n{"token":"***********","said":"********"}\n');
    expect(stdout.text).toContain('1/3 shell/******** 0s');
    expect(stderr.text).toBe('no ******** here\n');
  });

  test('also where a terminal would put its halves together', async () => {
    const { out, stdout } = setUp({ stdout: terminal(), redaction });
    for (const between of ['\b', '\0', '\x1b[2K', '\x1b]0;t\x07', '\x1b[31m', '\u202e']) out.line('', `hunt${between}er2x`);
    await closed(out);
    expect(stdout.text.split('\n').map((line) => line.replace('\x1b[0m', '').replace(/^\*+$/, ''))).toEqual(['', '', '', '', '', '', '']);
  });

  test.each(['stdout', 'stderr'] as const)('in raw output on %s, however it is cut, and in its order', async (stream) => {
    const { out, ...streams } = setUp({ redaction });
    out.raw(stream, Buffer.from('a hunt'));
    out.raw(stream, Buffer.from('er2x b hun'));
    out.raw(stream, 'ter2x c hunt');
    if (stream === 'stdout') out.line('', ' and then');
    else out.notice(' and then');
    out.raw(stream, 'hunter2');
    await closed(out);
    expect(streams[stream].text).toBe('a ******** b ******** c hunt and then\nhunter2');
  });
});
