import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { History } from '../../src/engine/history.ts';
import { endingLeftovers, readStatus, readStepLog, replay } from '../../src/engine/index.ts';
import { toyPolicy } from '../../src/engine/toy/model.ts';
import { adopt } from '../../src/kernel/process/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/state/0.2.0/engine');
const folder = tempFolder();

/** A copy, since reading may not change a fixture. */
async function opened(name: 'finished' | 'interrupted') {
  cpSync(join(FIXTURES, name), folder.path, { recursive: true });
  const log = folder.at('steps.jsonl');
  const records = await readStepLog(log);
  const history = new History(toyPolicy, { path: log, system: 'toy' });
  for (const record of records) history.apply(record);
  return { records, history, status: await readStatus(folder.path) };
}

const text = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

describe('what 0.2.0 wrote', () => {
  test('a run that is done: its standing, its state, and its decisions', async () => {
    const { records, history, status } = await opened('finished');
    expect(status).toMatchObject({ standing: { is: 'done' }, system: 'toy', epoch: 1, lastSequence: 5, open: [], stale: 0 });
    expect(history.state).toEqual({ units: { alpha: { stage: { at: 'finished', mark: 'done' }, attempts: 0 } } });
    expect(replay(records, toyPolicy)).toEqual({ equal: true, decisions: 6 });
  });

  test('a run whose holder was killed in the middle of a program: the step that is open, and its session', async () => {
    const { records, history, status } = await opened('interrupted');
    expect(status).toMatchObject({ standing: { is: 'interrupted' }, epoch: 1, open: [{ sequence: 2, kind: 'run', key: 'alpha#1' }] });
    expect(history.state).toEqual({ units: { alpha: { stage: { at: 'claimed' }, attempts: 0 } } });
    expect(replay(records, toyPolicy)).toEqual({ equal: true, decisions: 2 });
    const record = folder.at('sessions', 'alpha.json');
    // Of another boot: whatever bears its number now is a stranger.
    expect(await adopt(record)).toMatchObject({ state: 'ended', record: { marker: 'fixture', layer: 'pid-namespace' } });
    const settle = endingLeftovers({ sessions: folder.at('sessions'), marker: `fixture-${process.pid}`, graceMs: 100 });
    await settle(new AbortController().signal);
    expect(existsSync(record)).toBe(false);
  });

  test.each(['finished', 'interrupted'])('names in its fence who wrote the log (%s), and no place of a machine', async (name) => {
    const { by, epoch } = JSON.parse(text(`${name}/epoch.json`)) as { by: string; epoch: number };
    const writers = text(`${name}/steps.jsonl`).trimEnd().split('\n').map((line) => (JSON.parse(line) as { w: string }).w.split('#')[0]);
    expect([epoch, new Set(writers)]).toEqual([1, new Set([by])]);
    const files = readdirSync(join(FIXTURES, name), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const all = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('');
    expect(all.match(/(?<!\/bin)\/(?!bin\/sh)\w+/g)).toBe(null);
  });
});
