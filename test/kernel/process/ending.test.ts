import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { collector, isRunning, PROGRAMS, useWorkbench } from '../../support/process/workbench.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const bench = useWorkbench();
const program = (name: string): [string, string] => ['sh', join(PROGRAMS, name)];

const numberAfter = (word: string, text: string): number => Number(new RegExp(`${word} (\\d+)`).exec(text)?.[1]);

describe('a program that ends by itself', () => {
  test.each([0, 1, 77, 255])('tells its exit code %i', async (code) => {
    const end = await bench().run(['sh', '-c', `exit ${code}`]).exit;
    expect(end).toMatchObject({ kind: 'exited', code, stopped: undefined, survivors: undefined });
    expect(end.durationMs).toBeGreaterThan(0);
  });

  test.each(['SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGHUP'] as const)('tells the signal %s that ended it', async (signal) => {
    const end = await bench().run(['sh', '-c', `kill -${signal.slice(3)} $$`]).exit;
    expect(end).toMatchObject({ kind: 'signalled', signal, stopped: undefined });
  });

  test('takes a member of its group along that it left running', async () => {
    const out = collector();
    const end = await bench().run(program('leaves-background.sh'), out).exit;
    expect(end).toMatchObject({ kind: 'exited', code: 3, survivors: 'terminated', stopped: undefined });
    expect(isRunning(numberAfter('left', out.text()))).toBe(false);
  });

  test('takes a member along that ignores TERM', async () => {
    const out = collector();
    const end = await bench().run(program('leaves-stubborn.sh'), { ...out, graceMs: 100 }).exit;
    expect(end).toMatchObject({ kind: 'exited', code: 0, survivors: 'killed', stopped: undefined });
    expect(isRunning(numberAfter('left', out.text()))).toBe(false);
  });

  testUnless(notOnLinux, 'is not held up by an ended member that nobody collects', async () => {
    const out = collector();
    const end = await bench().run(['perl', join(PROGRAMS, 'uncollected-member.pl')], out).exit;
    const parent = numberAfter('parent', out.text());
    const member = numberAfter('member', out.text());
    try {
      expect(readFileSync(`/proc/${member}/stat`, 'utf8')).toMatch(/\) Z /);
      expect(end).toMatchObject({ kind: 'exited', code: 0, survivors: undefined });
    } finally {
      process.kill(parent, 'SIGKILL');
      while (isRunning(parent)) await sleep(5);
    }
  });
});

describe('stop', () => {
  test('asks, and lets the program clean up', async () => {
    const out = collector();
    const child = bench().run(program('cleans-up.sh'), out);
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'exited', code: 7, stopped: 'graceful', survivors: undefined });
    expect(out.text()).toBe('ready\ncleaned\n');
  });

  test('kills after the grace what ignores TERM', async () => {
    const out = collector();
    const child = bench().run(program('ignores-term.sh'), { ...out, graceMs: 150 });
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
  });

  test('kills at once when it is called again', async () => {
    const out = collector();
    const child = bench().run(program('ignores-term.sh'), { ...out, graceMs: 3_600_000 });
    await out.seen('ready');
    child.stop();
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
  });

  test('keeps a grace that is longer than a timer can count', async () => {
    const out = collector();
    const child = bench().run(program('cleans-up.sh'), { ...out, graceMs: Number.POSITIVE_INFINITY });
    await out.seen('ready');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'exited', code: 7, stopped: 'graceful' });
  });

  test('reaches a grandchild whose parent is gone', async () => {
    const out = collector();
    const child = bench().run(program('forks-twice.sh'), out);
    await out.seen('grandchild');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', stopped: 'graceful' });
    expect(isRunning(numberAfter('grandchild', out.text()))).toBe(false);
  });

  test('kills after the grace a grandchild that outlives the leader', async () => {
    const out = collector();
    const child = bench().run(program('stubborn-grandchild.sh'), { ...out, graceMs: 150 });
    await out.seen('grandchild');
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', stopped: 'killed' });
    expect(isRunning(numberAfter('grandchild', out.text()))).toBe(false);
  });

  test('before the first output ends a program without a word', async () => {
    const out = collector();
    const child = bench().run(['sleep', '300'], out);
    child.stop();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGTERM', stopped: 'graceful', logEnd: 0 });
    expect(out.text()).toBe('');
  });

  test('after the end changes nothing', async () => {
    const child = bench().run(['true']);
    const end = await child.exit;
    child.stop();
    child.kill();
    expect(await child.exit).toBe(end);
    expect(end.stopped).toBeUndefined();
  });

  test('of what was never started changes nothing', async () => {
    const child = bench().run(['no-such-program-here']);
    child.stop();
    child.kill();
    expect(child.pid).toBeUndefined();
    expect(await child.exit).toMatchObject({ kind: 'not-started', stopped: undefined });
  });
});

describe('kill', () => {
  test('ends the whole group without a grace', async () => {
    const out = collector();
    const child = bench().run(program('stubborn-grandchild.sh'), out);
    await out.seen('grandchild');
    child.kill();
    child.kill();
    expect(await child.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
    expect(isRunning(numberAfter('grandchild', out.text()))).toBe(false);
  });

  test('during endless output accounts for every byte that was written until then', async () => {
    let received = 0;
    const child = bench().run(['yes', 'and so on'], {
      onOutput: (chunk) => {
        received += chunk.length;
        if (received > 1_000_000) child.kill();
      },
    });
    const end = await child.exit;
    expect(end).toMatchObject({ kind: 'signalled', signal: 'SIGKILL', stopped: 'killed' });
    expect(received + end.skipped).toBe(end.logEnd);
    expect(statSync(bench().logPath).size).toBe(end.logEnd);
  });

  test('while the consumer holds back still delivers the end of the rest', async () => {
    let received = 0;
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first: () => void = () => undefined;
    const began = new Promise<void>((resolve) => {
      first = resolve;
    });
    const child = bench().run(['yes'], {
      onOutput: async (chunk) => {
        first();
        await gate;
        received += chunk.length;
      },
    });
    await began;
    child.kill();
    expect(received).toBe(0);
    release();
    const { logEnd, skipped } = await child.exit;
    expect(received + skipped).toBe(logEnd);
  });
});
