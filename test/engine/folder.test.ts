import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fileFence } from '../../src/engine/fence.ts';
import { runFiles } from '../../src/engine/folder-ports.ts';
import { folderPorts, ok, readStatus, readStepLog, runSystem } from '../../src/engine/index.ts';
import { openStepLog } from '../../src/engine/log.ts';
import type { StepRecord } from '../../src/engine/record.ts';
import { lookSteadily } from '../../src/engine/status.ts';
import { systemIds } from '../../src/kernel/ids/index.ts';
import { systemClock, type Clock } from '../../src/kernel/time/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { Bench, handlers, work } from './support/bench-run.ts';

const folder = tempFolder();
const clock = systemClock();
const at = { now: { wallMs: 1, bootMs: 2 } };
const opened = (epoch: number, by: string): StepRecord => ({ type: 'opened', system: 'test', format: 1, epoch, by, ...at });
const signal = () => new AbortController().signal;
const mask = (value: unknown): unknown => value;

async function write(...records: readonly StepRecord[]): Promise<void> {
  for (const record of records) {
    const log = await openStepLog(runFiles(folder.path).log, { clock, by: record.by });
    await log.append(record);
    await log.close();
  }
}

describe('the fence', () => {
  test('is raised above what was, and only the last one holds it', async () => {
    const [one, two] = ['one', 'two'].map((by) => fileFence(folder.at('epoch.json'), by));
    expect([await one!.raise(0), one!.isOurs()]).toEqual([1, true]);
    expect([await two!.raise(0), two!.isOurs(), one!.isOurs()]).toEqual([2, true, false]);
    expect(await one!.raise(7)).toBe(8);
    expect(JSON.parse(readFileSync(folder.at('epoch.json'), 'utf8'))).toEqual({ epoch: 8, by: 'one' });
  });

  test.each(['', '{', 'null', '{"epoch":1}', '{"epoch":"1","by":"a"}', ...['9007199254740992', '9007199254740991', '1e400', '1.5', '-1'].map((epoch) => `{"epoch":${epoch},"by":"a"}`)])('a file that says %j is an error, not the first epoch', async (text) => {
    writeFileSync(folder.at('epoch.json'), text);
    const fence = fileFence(folder.at('epoch.json'), 'one');
    await expect(fence.raise(0)).rejects.toMatchObject({ code: 'epoch-unreadable', message: expect.stringContaining('epoch.json') });
    expect(readFileSync(folder.at('epoch.json'), 'utf8')).toBe(text);
  });

  test('a file that says nothing of a holder, or is gone, does not tell of another holder', () => {
    const fence = fileFence(folder.at('epoch.json'), 'one');
    expect(() => fence.isOurs()).toThrow(expect.objectContaining({ code: 'epoch-missing', message: expect.stringContaining('epoch.json was deleted') }));
    writeFileSync(folder.at('epoch.json'), '{}');
    expect(() => fence.isOurs()).toThrow('it does not name the holder');
  });
});

describe('the folder of a run', () => {
  test('is rid of what killed writers left there long ago', async () => {
    const [old, young] = ['0123456789abcdef', 'fedcba9876543210'].map((name) => folder.at(`.drover-${name}.tmp`)) as [string, string];
    for (const path of [old, young]) writeFileSync(path, '');
    utimesSync(old, new Date(0), new Date(0));
    const ports = folderPorts(folder.path, { clock, ids: systemIds(clock), settleLeftovers: () => Promise.resolve(), mask });
    await (await ports.openLog()).close();
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });
});

describe('the step log', () => {
  test('gives back what was written, with who wrote it', async () => {
    const records = [opened(1, 'one'), opened(2, 'two')];
    await write(...records);
    expect(await readStepLog(runFiles(folder.path).log)).toEqual(records);
  });

  test('a missing one is empty; a line of another tool is refused with its number', async () => {
    const { log } = runFiles(folder.path);
    expect(await readStepLog(log)).toEqual([]);
    await write(opened(1, 'one'));
    appendFileSync(log, '{"type":"opened","epoch":9}\n');
    await expect(readStepLog(log)).rejects.toMatchObject({ code: 'step-log-foreign', message: expect.stringContaining('line 2') });
  });
});

describe('a run in a folder', () => {
  const start = (parts: Parameters<Bench['system']>[0], stop = { graceful: signal(), immediate: signal() }) => {
    const bench = new Bench();
    const ports = folderPorts(folder.path, { clock, ids: systemIds(clock), settleLeftovers: async () => undefined, mask });
    return runSystem(bench.system(parts), { path: folder.path, world: bench, ports, stop });
  };

  test('leaves log, lock and epoch, and can be taken up again', async () => {
    expect(await start({ decide: Bench.answers({ next: 'steps', steps: [work(1)] }, { next: 'wait', ms: 5 }) })).toEqual({ is: 'done' });
    expect(await start({})).toEqual({ is: 'done' });
    const { log, lock, epoch } = runFiles(folder.path);
    expect((await readStepLog(log)).map(({ type, epoch: each }) => `${type} ${each}`)).toEqual(
      ['opened 1', 'intent 1', 'receipt 1', 'ended 1', 'opened 2', 'ended 2'],
    );
    expect([existsSync(lock), JSON.parse(readFileSync(epoch, 'utf8')).epoch]).toEqual([true, 2]);
  });

  test('status is running while it is held, whoever asks', async () => {
    const stop = new AbortController();
    const seen: unknown[] = [];
    const perform = async () => {
      const { standing, open, epoch, lastSequence } = await readStatus(folder.path);
      seen.push(standing, open, epoch, lastSequence);
      stop.abort();
      return { outcome: 'ok', data: 1 } as const;
    };
    const decide = Bench.answers({ next: 'steps', steps: [work(1)] }, { next: 'wait' });
    const ending = await start({ decide, handlers: handlers({ perform }) }, { graceful: stop.signal, immediate: signal() });
    expect(seen).toEqual([{ is: 'running' }, [{ sequence: 1, kind: 'work', key: 'k1' }], 1, 1]);
    expect(ending).toEqual({ is: 'stopped', how: 'graceful' });
    expect(await readStatus(folder.path)).toMatchObject({ standing: ending, system: 'test', open: [], stale: 0 });
  });

  test('a second holder is refused', async () => {
    const decide = Bench.answers({ next: 'steps', steps: [work(1)] });
    const perform = async () => {
      await expect(start({})).rejects.toMatchObject({ code: 'run-held', message: expect.stringContaining(folder.path) });
      return { outcome: 'ok', data: 1 } as const;
    };
    expect(await start({ decide, handlers: handlers({ perform }) })).toEqual({ is: 'done' });
  });

  test('a damaged log ends it before anything is decided', async () => {
    await start({});
    const { log } = runFiles(folder.path);
    writeFileSync(log, readFileSync(log, 'utf8').replace('"epoch":1', '"epoch":7'));
    const damaged = { code: 'journal-damaged', message: expect.stringMatching(/steps\.jsonl:1: /) };
    await expect(start({})).rejects.toMatchObject(damaged);
    await expect(readStatus(folder.path)).rejects.toMatchObject(damaged);
  });

  test('a log of another system is refused', async () => {
    await start({});
    await expect(start({ name: 'other' })).rejects.toMatchObject({
      code: 'step-log-foreign',
      message: expect.stringContaining('steps.jsonl: expected a step log of other in format 1, found "test"'),
    });
  });

  test.each([
    ['another system', { name: 'other' }, 1],
    ['an older version', {}, 2],
  ])('%s leaves it as it was, and its own goes on', async (_name, parts, format) => {
    await write({ ...opened(1, 'one'), format } as StepRecord);
    const before = look();
    await expect(start(parts)).rejects.toMatchObject({ code: 'step-log-foreign' });
    expect(look()).toEqual(before);
    if (format === 1) expect(await start({})).toEqual({ is: 'done' });
  });

  /** Torn bytes too are left to a holder that may write. */
  const look = () => [readFileSync(runFiles(folder.path).log, 'utf8'), existsSync(runFiles(folder.path).epoch)];

  test.each(['9007199254740992', '1e400', '1.5'])('an epoch file that says %s is an error, and nothing is written', async (epoch) => {
    writeFileSync(runFiles(folder.path).epoch, `{"epoch":${epoch},"by":"a"}`);
    await expect(start({})).rejects.toMatchObject({ code: 'epoch-unreadable' });
    expect(readFileSync(runFiles(folder.path).log, 'utf8')).toBe('');
  });

  test.each([
    ['epoch-missing', () => rmSync(runFiles(folder.path).epoch)],
    ['lock-lost', () => rmSync(runFiles(folder.path).lock)],
    ['journal-removed', () => renameSync(folder.path, `${folder.path}-moved`)],
  ])('%s: files that are taken away while it is held are no other holder', async (code, take) => {
    const decide = Bench.answers({ next: 'steps', steps: [work(1)] });
    const perform = async () => (take(), { outcome: 'ok', data: 1 } as const);
    await expect(start({ decide, handlers: handlers({ perform }) })).rejects.toMatchObject({ code, message: expect.stringContaining(folder.path) });
    if (code === 'journal-removed') renameSync(`${folder.path}-moved`, folder.path);
    expect(await start({})).toEqual({ is: 'done' });
  });

  test.each([
    ['of 9 MB', () => ok('x'.repeat(9e6) as never)],
    ['with what JSON does not know', () => ok(10n as never)],
  ])('a receipt %s never reaches the log, and a run parks by it', async (_name, answer) => {
    const perform = async () => answer();
    const system = { decide: Bench.answers({ next: 'steps', steps: [work(1)] }), limits: { maxInFlight: 1, deadlineMs: () => 9000, graceMs: 1 } } as const;
    const stop = new AbortController();
    const reconcile = async () => (stop.abort(), perform());
    expect(await start({ ...system, handlers: handlers({ perform, reconcile }) }, { graceful: signal(), immediate: stop.signal })).toMatchObject({ is: 'stopped' });
    expect(await readStatus(folder.path)).toMatchObject({ standing: { is: 'stopped' }, open: [{ key: 'k1' }] });
    expect(await start({})).toEqual({ is: 'done' });
  });

  test('a sleep of the machine is noticed within seconds and written down', async () => {
    let asleep = 0;
    const sleepy: Clock = { wall: () => clock.wall() + BigInt(asleep) * 1_000_000n, mono: () => clock.mono(), boot: () => clock.boot() + asleep };
    const bench = new Bench();
    const ports = folderPorts(folder.path, { clock: sleepy, ids: systemIds(clock), settleLeftovers: async () => undefined, mask });
    const woken = async () => (await readStepLog(runFiles(folder.path).log)).some(({ type }) => type === 'clock');
    const decide: Parameters<Bench['system']>[0]['decide'] = (_state, { seen }) => (asleep = 60_000, seen > 0 ? { next: 'done' } : { next: 'wait', ms: 50 });
    const system = bench.system({ decide, gather: async () => ({ seen: (await woken()) ? 1 : 0 }) });
    await runSystem(system, { path: folder.path, world: bench, ports, stop: { graceful: signal(), immediate: signal() } });
    expect(await readStepLog(runFiles(folder.path).log)).toContainEqual(
      expect.objectContaining({ event: expect.objectContaining({ kind: 'suspended' }) }),
    );
  });
});

describe('status', () => {
  test('of a folder without a run', async () => {
    await expect(readStatus(folder.path)).rejects.toMatchObject({ code: 'run-missing' });
    await expect(readStatus(folder.at('nowhere'))).rejects.toMatchObject({ code: 'run-missing' });
  });

  test('of a run whose holder is gone', async () => {
    const intent: StepRecord = { type: 'intent', sequence: 1, kind: 'work', key: 'k1', input: null, place: 0, epoch: 1, by: 'one', ...at };
    await write(opened(1, 'one'), intent);
    expect(await readStatus(folder.path)).toEqual({
      standing: { is: 'interrupted' },
      system: 'test',
      epoch: 1,
      lastSequence: 1,
      open: [{ sequence: 1, kind: 'work', key: 'k1' }],
      since: at.now,
      stale: 0,
    });
  });

  test('of a run that was never begun, though its log was made', async () => {
    writeFileSync(runFiles(folder.path).log, '');
    expect(await readStatus(folder.path)).toMatchObject({ standing: { is: 'interrupted' }, system: undefined, epoch: 0, since: undefined });
  });

  test('of a parked run, with its reason; what a fenced holder wrote is counted and nothing more', async () => {
    const ended: StepRecord = { type: 'ended', standing: { is: 'parked', reason: 'ask' }, epoch: 2, by: 'two', now: { wallMs: 5, bootMs: 6 } };
    const stray: StepRecord = { ...ended, standing: { is: 'done' }, epoch: 1, by: 'one' };
    await write(opened(1, 'one'), opened(2, 'two'), ended, stray, opened(2, 'three'));
    expect(await readStatus(folder.path)).toMatchObject({ standing: { is: 'parked', reason: 'ask' }, epoch: 2, since: { wallMs: 5 }, stale: 2 });
  });

  test('is an error where the lock cannot be asked: that is no free lock', async () => {
    await write(opened(1, 'one'));
    mkdirSync(folder.at('elsewhere'));
    symlinkSync(folder.at('elsewhere'), runFiles(folder.path).lock);
    await expect(readStatus(folder.path)).rejects.toMatchObject({ code: 'symlink-refused' });
  });

  test.each([
    ['is read again when the run was taken or left meanwhile', [true, false, false, false], [true, false]],
    ['is what was seen last when that never ends', [true, false, true, false, true, false, true], [true, true, true]],
  ])('%s', async (_name, answers, reads) => {
    const rest = [...answers];
    const read: boolean[] = [];
    const seen = await lookSteadily(
      () => rest.shift() ?? false,
      async ({ held }) => (read.push(held), held),
    );
    expect([read, seen]).toEqual([reads, reads.at(-1)]);
  });
});
