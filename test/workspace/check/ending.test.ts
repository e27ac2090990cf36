import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { detectContainment } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { isRunning } from '../../support/process/workbench.ts';
import { checkBench, SECRET } from '../../support/workspace/checks.ts';

const LIVE = 'while :; do sleep 0.05; done';

describe('a check that leaves something running', () => {
  test('is waited for, and what it left is ended', async () => {
    const bench = checkBench();
    const verdict = await bench.run(`(trap '' TERM; ${LIVE}) & echo $!`, { graceMs: 100 });
    expect(verdict.outcome).toBe('passed');
    expect(isRunning(Number(readFileSync(verdict.log ?? '', 'utf8')))).toBe(false);
  });

  test('is ended as a daemon too, where the containment holds it', async () => {
    const env = { PATH: process.env['PATH'] ?? '' };
    const { best } = await detectContainment({ env, clock: systemClock() });
    const bench = checkBench({ containment: best });
    const beat = join(bench.place.path, 'beat');
    const verdict = await bench.run(`setsid sh -c '${LIVE.replace('sleep', `echo >> ${beat}; sleep`)}' & until [ -s ${beat} ]; do sleep 0.02; done`, { graceMs: 100 });
    expect(verdict.outcome).toBe('passed');
    const beats = readFileSync(beat, 'utf8').length;
    await sleep(200);
    expect(readFileSync(beat, 'utf8').length).toBe(beats);
  });
});

describe('a check that is called off', () => {
  test('is ended with all that it started, and the reason is thrown', async () => {
    const bench = checkBench();
    const controller = new AbortController();
    const reason = new TypeError('enough');
    const running = bench.check(`(trap '' TERM; ${LIVE}) & echo $! > pid; ${LIVE}`, { graceMs: 100 }).run(bench.place, controller.signal);
    const pid = join(bench.place.path, 'pid');
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await sleep(10);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(isRunning(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  test('has no verdict when it ends by itself at that moment', async () => {
    const bench = checkBench();
    const controller = new AbortController();
    const running = bench.check(`trap 'exit 0' TERM; touch up; ${LIVE}`).run(bench.place, controller.signal);
    while (!existsSync(join(bench.place.path, 'up'))) await sleep(10);
    controller.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('does not begin', async () => {
    const bench = checkBench();
    await expect(bench.check('touch begun').run(bench.place, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(readdirSync(bench.place.path)).toEqual([]);
    expect(readdirSync(bench.logFolder)).toEqual([]);
  });
});

describe('a check that harms itself', () => {
  test('by removing the folder that it runs in is judged by its exit', async () => {
    const bench = checkBench();
    expect(await bench.run(`rm -rf "$PWD"; echo gone; exit 4`)).toMatchObject({ outcome: 'failed', detail: 'gone\n' });
    expect(existsSync(bench.place.path)).toBe(false);
  });

  test('by putting another file in place of its log has no verdict on the work', async () => {
    const bench = checkBench();
    const script = `mv '${bench.logFolder}' '${bench.logFolder}.old'; mkdir '${bench.logFolder}'; echo "all fine" > '${bench.logFolder}/test-log1.log'; echo ${SECRET}`;
    const verdict = await bench.run(script);
    expect(verdict.detail).not.toContain(SECRET);
    expect(readFileSync(join(`${bench.logFolder}.old`, 'test-log1.log'), 'utf8')).toBe(`${'*'.repeat(SECRET.length)}\n`);
  });

  test('by removing its log, or putting a folder there, still has one', async () => {
    const bench = checkBench();
    expect(await bench.run(`for log in '${bench.logFolder}'/*; do rm "$log"; mkdir "$log"; done; exit 1`)).toMatchObject({ outcome: 'failed', detail: '' });
    rmSync(join(bench.logFolder, 'test-log1.log'), { recursive: true });
    expect(await bench.run(`rm -f '${bench.logFolder}'/*; exit 1`)).toMatchObject({ outcome: 'failed', detail: '', log: undefined });
  });
});
