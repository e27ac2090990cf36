import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJournal } from '../../../src/kernel/journal/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { appendTo } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { acknowledged, startWriting } from '../../support/writing-process.ts';

const folder = tempFolder();
const program = bundledProgram(join(import.meta.dirname, 'programs/write-records.ts'));
const RECORDS = 2;

async function write(path: string, env: Readonly<Record<string, string>>) {
  const process = startWriting(program.file, { path, writer: 'a', count: RECORDS, bytes: 10 }, env);
  const { signal } = await process.ended;
  return { signal, acks: acknowledged(process.said).length };
}

async function pointsOf(env: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const trace = folder.at('trace');
  rmSync(trace, { force: true });
  await write(folder.at('traced'), { ...env, DROVER_CRASH_TRACE: trace });
  rmSync(folder.at('traced'));
  return readFileSync(trace, 'utf8').trimEnd().split('\n');
}

describe('a process that dies at a durable point', () => {
  // A process of its own for each point.
  test('has lost nothing that it acknowledged, and the next one goes on', async () => {
    // Each record in two halves, so that the points in the middle of a write are among them.
    const env = { DROVER_CRASH_TORN: '1' };
    const points = await pointsOf(env);
    const perRecord = ['journal-write:before', 'journal-write:half', 'journal-write:after', 'journal-sync:before', 'journal-sync:after'];
    expect(points).toEqual(['journal-create:before', 'journal-create:after', ...perRecord, ...perRecord]);
    for (const [index, point] of points.entries()) {
      const path = folder.at(`at-${index}`);
      const { signal, acks } = await write(path, { ...env, DROVER_CRASH_AT: `${index + 1}` });
      expect(signal).toBe('SIGKILL');
      const left = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
      const isCut = left.length > 0 && left.at(-1) !== 0x0a;
      expect({ point, isCut }).toEqual({ point, isCut: point === 'journal-write:half' });
      await appendTo(path, 'a', [{ index: 'next' }]);
      const { records, damage } = await readJournal(path, { purpose: 'decide' });
      const found = records.map(({ record }) => record['index']);
      expect(found).toEqual([...found.keys()].map((each) => (each === found.length - 1 ? 'next' : each)));
      expect(found.length - 1).toBeGreaterThanOrEqual(acks);
      expect(damage).toEqual([]);
      expect(readFileSync(path).subarray(0, left.length).equals(left)).toBe(true);
    }
  });
});
