import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkJournal, readJournal } from '../../../src/kernel/journal/index.ts';
import { appendTo } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/state/0.2.0/journal');
const folder = tempFolder();

describe('journals that version 0.2.0 wrote', () => {
  test('are read: its own lines, those of another tool, and torn bytes with their repair', async () => {
    const { records, repaired, tornTail } = await readJournal(join(FIXTURES, 'whole.jsonl'), { purpose: 'decide' });
    expect(records.map(({ writer, counter, record }) => [writer, counter, record['kind'], record['at']])).toEqual([
      ['engine', 1, 'intent', '2026-01-02T03:04:05Z'],
      ['engine', 2, 'receipt', '2026-01-02T03:04:06Z'],
      [undefined, undefined, 'progress', '2026-01-02T03:04:07Z'],
      ['report-4711', 2, 'progress', '2026-01-02T03:04:08Z'],
      ['engine', 3, 'intent', '2026-01-02T03:04:09Z'],
    ]);
    expect(records[0]?.record['input']).toEqual({ text: 'é "quoted"\n' });
    expect({ repaired, tornTail }).toEqual({ repaired: [{ line: 5, offset: 313, length: 37 }], tornTail: undefined });
  });

  test('are gone on with where they were torn', async () => {
    const path = folder.at('torn-tail.jsonl');
    copyFileSync(join(FIXTURES, 'torn-tail.jsonl'), path);
    expect((await readJournal(path, { purpose: 'decide' })).tornTail).toMatchObject({ line: 3 });
    await appendTo(path, 'engine', [{ n: 3 }]);
    expect(await checkJournal(path)).toMatchObject({ records: 3, repairs: 1, damage: [], writers: [{ lastCounter: 4, restarts: 0 }] });
  });
});
