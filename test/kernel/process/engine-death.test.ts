// Slow: for each layer an engine is started as a program of its own, which tries all layers first.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { adopt, endLeftovers } from '../../../src/kernel/process/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { startEngine } from '../../support/process/engine.ts';
import { goneWith, killAll, layersHere, ownSeconds, runningWith, seenWith } from '../../support/process/layers.ts';
import { isRunning, PROGRAMS, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();
const program = bundledProgram(join(PROGRAMS, 'engine.ts'));

const engineWith = (containment: string, script: string) => startEngine(program.file, { bench: bench(), containment, script });
const { works } = await layersHere();

/** A program that ignores TERM and goes on printing, with a child of the same kind in a session of its own. */
const stubborn = (seconds: string): string =>
  `trap '' TERM; setsid sleep ${seconds} & sleep ${seconds} & echo ready; while :; do sleep 0.05; echo tick; done`;

describe.each(works)('an engine with a child in %s', (layer) => {
  test('keeps it while it is stopped, and leaves nothing when it is killed', async () => {
    const log = join(bench().folder, 'child.log');
    const seconds = ownSeconds();
    const engine = await engineWith(layer, stubborn(seconds));
    engine.process.kill('SIGSTOP');
    const before = statSync(log).size;
    while (statSync(log).size < before + 30) await sleep(20);
    expect(runningWith(seconds)).not.toEqual([]);
    engine.process.kill('SIGCONT');
    while (statSync(log).size < before + 60) await sleep(20);
    engine.process.kill('SIGKILL');
    await engine.ended;
    await goneWith(seconds);
    await goneWith(bench().folder);
  });
});

describe('an engine without containment', () => {
  test('that is killed leaves no group that lived 200 ms, and what ended it ends too', async () => {
    const seconds = ownSeconds();
    const engine = await engineWith('none', `trap '' TERM; sleep ${seconds} & echo ready; while :; do sleep 0.05; done`);
    await seenWith(seconds);
    const reapers = await reapersOf(engine.process.pid);
    expect(reapers.length).toBe(1);
    engine.process.kill('SIGKILL');
    await goneWith(seconds);
    while (reapers.some(isRunning)) await sleep(20);
  });

  test('that wants no reaper has none, and its child goes on', async () => {
    const seconds = ownSeconds();
    const engine = await startEngine(program.file, { bench: bench(), containment: 'none', script: `echo ready; exec sleep ${seconds}`, reaper: 'none' });
    const before = await seenWith(`sleep\0${seconds}`);
    await sleep(500);
    expect(childrenOf(engine.process.pid)).toEqual(before);
    engine.process.kill('SIGKILL');
    await engine.ended;
    expect(runningWith(`sleep\0${seconds}`)).toEqual(before);
    killAll(before);
  });
});

describe('the next holder', () => {
  test('that takes over from a stopped engine ends what it left, and the record goes', async () => {
    const record = join(bench().folder, 'session.json');
    const seconds = ownSeconds();
    const engine = await engineWith(works[0] ?? 'group', stubborn(seconds));
    await seenWith(seconds);
    while ((await adopt(record)).record === undefined) await sleep(20);
    engine.process.kill('SIGSTOP');
    expect(await adopt(record)).toMatchObject({ state: 'running', record: { layer: works[0], marker: bench().marker, engine: { pid: engine.process.pid } } });
    expect(await endLeftovers({ record }, { graceMs: 200 })).toEqual({ found: 'running', ended: 'killed', left: [] });
    await goneWith(seconds);
    expect(await adopt(record)).toEqual({ state: 'ended', record: undefined });
    engine.process.kill('SIGKILL');
  });
});

/** Waits for the first one. */
async function reapersOf(engine: number | undefined): Promise<readonly number[]> {
  for (;;) {
    const reapers = runningWith('drover-reaper');
    const found = childrenOf(engine).filter((pid) => reapers.includes(pid));
    if (found.length > 0) return found;
    await sleep(20);
  }
}

function childrenOf(pid: number | undefined): readonly number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
  return text.split(' ').map(Number).filter((child) => child > 1);
}
