import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collector, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
const LARGEST_CHUNK = 65_536;

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

describe('what a child prints', () => {
  test('arrives in order, both streams in one log', async () => {
    const out = collector();
    const { exit } = bench().run(['sh', '-c', 'for i in 1 2 3; do echo out $i; echo err $i >&2; done'], out);
    const end = await exit;
    const printed = 'out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n';
    expect(out.text()).toBe(printed);
    expect(readFileSync(bench().logPath, 'utf8')).toBe(printed);
    expect(end).toMatchObject({ kind: 'exited', code: 0, logEnd: printed.length, stopped: undefined, survivors: undefined });
  });

  test('arrives while the child still runs', async () => {
    const out = collector();
    const child = bench().run(['sh', '-c', 'echo early; exec sleep 300'], out);
    await out.seen('early');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', stopped: 'graceful' });
  });

  test('arrives over many polls without a gap or a repetition', async () => {
    const out = collector();
    await bench().run(['sh', '-c', 'i=0; while [ $i -lt 30 ]; do echo line $i; sleep 0.02; i=$((i+1)); done'], out).exit;
    expect(out.text()).toBe(Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join(''));
  });

  test('is complete when the child ends right after the last byte', async () => {
    for (let round = 0; round < 20; round += 1) {
      const out = collector();
      const log = { path: join(bench().folder, `${round}.log`) };
      await bench().run(['printf', `last ${round}`], { ...out, log }).exit;
      expect(out.text()).toBe(`last ${round}`);
    }
  });

  test('needs no consumer', async () => {
    const end = await bench().run(['echo', 'alone']).exit;
    expect(end.logEnd).toBe(6);
    expect(readFileSync(bench().logPath, 'utf8')).toBe('alone\n');
  });

  test('is whole binary data', async () => {
    const hash = createHash('sha256');
    const onOutput = (chunk: Buffer): void => void hash.update(chunk);
    await bench().run(['head', '-c', '3000000', '/dev/urandom'], { onOutput }).exit;
    expect(hash.digest('hex')).toBe(digest(readFileSync(bench().logPath)));
  });

  test('is followed further when the child cuts its own log', async () => {
    const out = collector();
    const child = bench().run(['sh', '-c', 'echo before; until [ -e go ]; do sleep 0.01; done; echo after'], out);
    await out.seen('before');
    truncateSync(bench().logPath, 0);
    writeFileSync(join(bench().folder, 'go'), '');
    const end = await child.exit;
    expect(end).toMatchObject({ kind: 'exited', code: 0, logEnd: 6, truncated: 1 });
    expect(readFileSync(bench().logPath, 'utf8')).toBe('after\n');
    expect(out.text()).toBe('before\nafter\n');
  });
});

describe('a slow consumer', () => {
  test('gets one chunk at a time, and exit waits for it', async () => {
    const sizes: number[] = [];
    const hash = createHash('sha256');
    let open = 0;
    let widest = 0;
    const onOutput = async (chunk: Buffer): Promise<void> => {
      open += 1;
      widest = Math.max(widest, open);
      const copy = Buffer.from(chunk);
      await sleep(2);
      await setImmediate();
      expect(digest(chunk)).toBe(digest(copy));
      hash.update(chunk);
      sizes.push(chunk.length);
      open -= 1;
    };
    const end = await bench().run(['head', '-c', '2000000', '/dev/urandom'], { onOutput }).exit;
    expect(widest).toBe(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LARGEST_CHUNK);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(end.logEnd);
    expect(hash.digest('hex')).toBe(digest(readFileSync(bench().logPath)));
  });

  test('that is far behind when a stop is asked for gets the end of the log, and the count of what it missed', async () => {
    let delivered = 0;
    let tail = Buffer.alloc(0);
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    const onOutput = async (chunk: Buffer): Promise<void> => {
      delivered += chunk.length;
      tail = Buffer.concat([tail, chunk]).subarray(-LARGEST_CHUNK);
      await stopped;
    };
    const child = bench().run(['sh', '-c', 'trap "exit 0" TERM; seq 1 2000000; while :; do sleep 0.05; done'], { onOutput });
    while (statSync(bench().logPath).size < 10_000_000) await sleep(20);
    child.stop();
    goOn();
    const end = await child.exit;
    expect(end.skipped).toBeGreaterThan(1_000_000);
    expect(delivered + end.skipped).toBe(end.logEnd);
    const log = readFileSync(bench().logPath);
    expect(tail.equals(log.subarray(log.length - tail.length))).toBe(true);
  });

  test('that fails is told by exit, and the child goes on to its end', async () => {
    const calls: string[] = [];
    const onOutput = (chunk: Buffer): void => {
      calls.push(chunk.toString());
      throw new TypeError('consumer is broken');
    };
    const { exit } = bench().run(['sh', '-c', 'echo one; sleep 0.2; echo two'], { onOutput });
    await expect(exit).rejects.toThrow('consumer is broken');
    expect(calls).toEqual(['one\n']);
    expect(readFileSync(bench().logPath, 'utf8')).toBe('one\ntwo\n');
  });

  test('that rejects is told by exit', async () => {
    const onOutput = (): Promise<void> => Promise.reject(new TypeError('reader went away'));
    await expect(bench().run(['echo', 'x'], { onOutput }).exit).rejects.toThrow('reader went away');
  });
});

describe('the log', () => {
  test('is made with mode 0600 whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await bench().run(['true']).exit;
    } finally {
      process.umask(before);
    }
    expect(statSync(bench().logPath).mode & 0o7777).toBe(0o600);
  });

  test('is appended to, and only the new bytes are delivered', async () => {
    writeFileSync(bench().logPath, 'header\n');
    const out = collector();
    const end = await bench().run(['echo', 'body'], out).exit;
    expect(out.text()).toBe('body\n');
    expect(readFileSync(bench().logPath, 'utf8')).toBe('header\nbody\n');
    expect(end.logEnd).toBe(12);
  });

  test('may be a descriptor, which stays open for the next child', async () => {
    const descriptor = openSync(bench().logPath, 'a+', 0o600);
    try {
      writeSync(descriptor, 'header\n');
      const [first, second] = [collector(), collector()];
      await bench().run(['echo', 'first'], { ...first, log: descriptor }).exit;
      await bench().run(['sh', '-c', 'sleep 0.15; echo second'], { ...second, log: descriptor }).exit;
      writeSync(descriptor, 'footer\n');
      expect([first.text(), second.text()]).toEqual(['first\n', 'second\n']);
    } finally {
      closeSync(descriptor);
    }
    expect(readFileSync(bench().logPath, 'utf8')).toBe('header\nfirst\nsecond\nfooter\n');
  });

  test('is never reached through a link', async () => {
    const victim = join(bench().folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, bench().logPath);
    const end = await bench().run(['echo', 'overwritten']).exit;
    expect(end).toMatchObject({ kind: 'not-started', reason: 'log-unavailable' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  test('that cannot be opened is named', async () => {
    const path = join(bench().folder, 'no', 'such', 'folder.log');
    const end = await bench().run(['true'], { log: { path } }).exit;
    expect(end).toMatchObject({ kind: 'not-started', reason: 'log-unavailable', logEnd: 0 });
    expect(end.kind === 'not-started' && end.error.message).toContain(path);
  });

  test('that is a closed descriptor is a result, not a throw', async () => {
    const end = await bench().run(['true'], { log: 987_654 }).exit;
    expect(end).toMatchObject({ kind: 'not-started', reason: 'log-unavailable' });
  });
});

test('two children at once never see the output of each other', async () => {
  const runs = ['left', 'right'].map((name) => {
    const out = collector();
    const log = { path: join(bench().folder, `${name}.log`) };
    const script = `for i in 1 2 3 4 5 6; do echo ${name} $i; sleep 0.04; done`;
    return { name, out, exit: bench().run(['sh', '-c', script], { ...out, log }).exit };
  });
  for (const { name, out, exit } of runs) {
    await exit;
    expect(out.text()).toBe([1, 2, 3, 4, 5, 6].map((index) => `${name} ${index}\n`).join(''));
  }
});
