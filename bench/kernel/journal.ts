import { closeSync, fdatasync, fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openJournal, readJournal, type Journal } from '../../src/kernel/journal/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import type { Measure } from './budget.ts';
import { median } from './median.ts';

const SINGLES = 200;
const NOTES = 5_000;
const LINES = 100_000;
const ROUNDS = 9;
const syncData = promisify(fdatasync);

interface Writers {
  readonly raw: number;
  readonly line: Buffer;
  readonly journal: Journal;
}

/** Ours beside the bare calls on a file in the same folder, in turn, so that a machine that drifts drifts for all. */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-journal-'));
  try {
    const { single, group } = await measureWriting(folder);
    const reading = await measureReading(join(folder, 'long'));
    return [
      { name: 'journal: single records / write + sync', met: single, limit: 0.8, unit: 'x', good: 'at-least' },
      { name: 'journal: group sync / write + sync', met: group, limit: 5, unit: 'x', good: 'at-least' },
      { name: `journal: reading ${LINES} records`, met: reading, limit: 300, unit: 'ms', good: 'at-most' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

async function measureWriting(folder: string): Promise<{ readonly single: number; readonly group: number }> {
  const journal = await openJournal(join(folder, 'ours'), { clock: systemClock(), writer: 'bench' });
  await journal.append(recordOf(0));
  const writers = { raw: openSync(join(folder, 'raw'), 'a'), line: readFileSync(journal.path), journal };
  const rounds = [];
  for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await measureRound(writers));
  closeSync(writers.raw);
  await journal.close();
  const measured = rounds.slice(1);
  const [blocking, raw, single, group] = [0, 1, 2, 3].map((at) => median(measured.map((rates) => rates[at] ?? 0)));
  console.log(`journal: write + sync ${perSecond(raw)} (blocking ${perSecond(blocking)}), single ${perSecond(single)}, grouped ${perSecond(group)}`);
  const ratio = (at: number): number => median(measured.map((rates) => (rates[at] ?? 0) / (rates[1] ?? 1)));
  return { single: ratio(2), group: ratio(3) };
}

/** Records a second: blocking, bare, single, grouped. */
async function measureRound({ raw, line, journal }: Writers): Promise<readonly number[]> {
  const blocking = await rateOf(SINGLES, async () => {
    for (let n = 0; n < SINGLES; n += 1) {
      writeSync(raw, line);
      fdatasyncSync(raw);
    }
  });
  const bare = await rateOf(SINGLES, async () => {
    for (let n = 0; n < SINGLES; n += 1) {
      writeSync(raw, line);
      await syncData(raw);
    }
  });
  const single = await rateOf(SINGLES, async () => {
    for (let n = 0; n < SINGLES; n += 1) await journal.append(recordOf(n));
  });
  const grouped = await rateOf(NOTES, async () => {
    await Promise.all(Array.from({ length: NOTES }, (_, n) => journal.note(recordOf(n))));
  });
  return [blocking, bare, single, grouped];
}

async function measureReading(path: string): Promise<number> {
  const journal = await openJournal(path, { clock: systemClock(), writer: 'bench' });
  await Promise.all(Array.from({ length: LINES }, (_, n) => journal.note(recordOf(n))));
  await journal.close();
  const floors = [];
  const ours = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await timeOf(() => Promise.resolve(parseLines(path).length)));
    ours.push(await timeOf(async () => (await readJournal(path, { purpose: 'decide' })).records.length));
  }
  // The best of the rounds: what else the machine did meanwhile is not ours.
  const [floor, met] = [Math.min(...floors), Math.min(...ours)];
  console.log(`journal: reading ${LINES} lines: split and JSON.parse alone ${floor.toFixed(0)} ms, ours ${met.toFixed(0)} ms`);
  return met;
}

/** What reading costs that checks nothing. */
function parseLines(path: string): readonly unknown[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as unknown);
}

function recordOf(n: number) {
  return { at: '2026-01-02T03:04:05.678Z', kind: 'progress', change: 'add-login', message: `step ${n}` };
}

async function rateOf(count: number, work: () => Promise<void>): Promise<number> {
  return (count * 1000) / (await timeOf(work));
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function perSecond(rate: number | undefined): string {
  return `${(rate ?? 0).toFixed(0)}/s`;
}
