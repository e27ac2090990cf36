import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runToEnd, type CaptureRequest } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { goneWith, killAll, ownSeconds, runningWith, seenWith } from '../../support/process/layers.ts';
import { useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

/** Waits for what makes this file once it left the group: with the group it would be ended. */
const LEFT = 'while [ ! -e left ]; do sleep 0.01; done';

/** What outlived its group, to its end. */
async function endThose(seconds: string): Promise<void> {
  killAll(runningWith(seconds));
  await goneWith(seconds);
}

function capture(script: string, options: Partial<CaptureRequest> = {}) {
  const { folder: cwd, env, marker } = bench();
  const limits = { timeoutMs: 60_000, maxOutputBytes: 1_000_000, graceMs: 100 };
  return runToEnd({ argv: ['sh', '-c', script], origin: 'drover', cwd, env, marker, ...limits, ...options }, { clock: systemClock() });
}

describe('a captured program', () => {
  test('leaves its output by stream, its end and how long it took', async () => {
    const { end, stdout, stderr, cut, durationMs } = await capture('echo out; echo err >&2; printf "\\0\\377"; exit 3');
    expect(end).toEqual({ kind: 'exited', code: 3 });
    expect(stdout).toEqual(Buffer.from('out\n\0\xff', 'latin1'));
    expect(stderr.toString()).toBe('err\n');
    expect(cut).toBeUndefined();
    expect(durationMs).toBeGreaterThan(0);
  });

  test.each([
    ['exit 0', { kind: 'exited', code: 0 }],
    ['kill -KILL $$', { kind: 'signalled', signal: 'SIGKILL' }],
  ])('%s ends as %j', async (script, end) => {
    expect((await capture(script)).end).toEqual(end);
  });

  test('that may take for ever is not ended at once', async () => {
    const { stdout, cut } = await capture('sleep 0.3; echo late', { timeoutMs: Number.MAX_SAFE_INTEGER });
    expect([stdout.toString(), cut]).toEqual(['late\n', undefined]);
  });

  // Slower than 5 s: between two programs of a lane this thread works for a tenth of a second, so that ends and outputs
  // of the other lanes gather and are found together.
  test('loses nothing while this thread is busy', async () => {
    const lane = async (name: number): Promise<readonly string[]> => {
      const outputs: string[] = [];
      for (let round = 0; round < 6; round += 1) {
        outputs.push((await capture(`echo out ${name}`)).stdout.toString());
        const end = performance.now() + 100;
        while (performance.now() < end);
      }
      return outputs;
    };
    const lanes = await Promise.all(Array.from({ length: 8 }, (_, name) => lane(name)));
    expect(lanes).toEqual(lanes.map((_, name) => Array.from({ length: 6 }, () => `out ${name}\n`)));
  });

  test('that cannot be started says why', async () => {
    const { end, stdout } = await capture('', { argv: ['no-such-program-here'] });
    expect(end).toMatchObject({ kind: 'not-started', reason: 'command-not-found' });
    expect(stdout.length).toBe(0);
  });

  test('gets bytes or a file as its input, also more than a pipe holds', async () => {
    const input = Buffer.alloc(700_000, 'abc\0');
    expect((await capture('cat', { input })).stdout.equals(input)).toBe(true);
    const path = join(bench().folder, 'input');
    writeFileSync(path, input);
    expect((await capture('cat', { input: { path } })).stdout.equals(input)).toBe(true);
    expect((await capture('cat')).stdout.length).toBe(0);
  });

  test('that reads nothing of much input is no failure', async () => {
    expect((await capture('exit 0', { input: Buffer.alloc(5_000_000) })).end).toEqual({ kind: 'exited', code: 0 });
  });

  test('whose input cannot be opened is not started', async () => {
    const path = join(bench().folder, 'absent');
    const { end } = await capture('cat', { input: { path } });
    expect(end).toMatchObject({ kind: 'not-started', reason: 'input-unavailable' });
    expect(end.kind === 'not-started' && end.error.message).toContain(path);
  });

  test('may print exactly as much as is wanted', async () => {
    const { stdout, cut } = await capture('head -c 100000 /dev/zero', { maxOutputBytes: 100_000 });
    expect([stdout.length, cut]).toEqual([100_000, undefined]);
  });

  test('that prints one byte more is ended, and what fits is kept', async () => {
    const { stdout, cut, end } = await capture('head -c 100001 /dev/zero; sleep 300', { maxOutputBytes: 100_000 });
    expect(stdout.length).toBe(100_000);
    expect(cut).toMatchObject({ reason: 'too-much-output', error: { code: 'program-output-too-large' } });
    expect(end).toEqual({ kind: 'signalled', signal: 'SIGTERM' });
  });

  test('that prints without end uses little memory', async () => {
    const { stdout, cut } = await capture('exec yes', { maxOutputBytes: 10 });
    expect([stdout.toString(), cut?.reason]).toEqual(['y\ny\ny\ny\ny\n', 'too-much-output']);
  });

  test('has 64 KiB of messages kept, and may print more', async () => {
    const { stderr, end, cut } = await capture('head -c 1000000 /dev/zero >&2; exit 4');
    expect([stderr.length, cut]).toEqual([65_536, undefined]);
    expect(end).toEqual({ kind: 'exited', code: 4 });
  });

  test('that takes too long is asked to end, with everything in its group, then killed', async () => {
    const seconds = ownSeconds();
    const { cut, end } = await capture(`trap '' TERM; sleep ${seconds} & echo x; sleep ${seconds}; sleep ${seconds}`, { timeoutMs: 300 });
    expect(cut).toMatchObject({ reason: 'timeout', error: { code: 'program-timed-out' } });
    expect(end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('is ended by a signal, also by one that was there before', async () => {
    const seconds = ownSeconds();
    const abort = new AbortController();
    const running = capture(`exec sleep ${seconds}`, { signal: abort.signal });
    await seenWith(seconds);
    abort.abort();
    expect(await running).toMatchObject({ end: { kind: 'signalled', signal: 'SIGTERM' }, cut: { reason: 'aborted' } });
    expect(await capture(`exec sleep ${seconds}`, { signal: AbortSignal.abort() })).toMatchObject({ cut: { reason: 'aborted' } });
    expect(runningWith(seconds)).toEqual([]);
  });

  test('is not kept by what left its group, holds the pipe and prints on and on', async () => {
    const seconds = ownSeconds();
    const { end } = await capture(`setsid sh -c ': > left; while :; do echo more; done' ${seconds} & ${LEFT}; exit 6`, { maxOutputBytes: 1_000_000_000 });
    expect(end).toEqual({ kind: 'exited', code: 6 });
    await endThose(seconds);
  });

  test('is not waited for by what left its group and holds the pipe', async () => {
    const seconds = ownSeconds();
    const { stdout, end } = await capture(`setsid sh -c ': > left; exec sleep ${seconds}' & ${LEFT}; echo done`);
    expect([stdout.toString(), end]).toEqual(['done\n', { kind: 'exited', code: 0 }]);
    await endThose(seconds);
  });
});
