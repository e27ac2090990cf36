import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readJournal, type JournalRecord } from '../../src/kernel/journal/index.ts';
import { appendTo } from '../support/journals.ts';
import { faultCount } from '../support/fault-counts.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const RECORDS = faultCount({ ci: 20, full: 200 });

/** Records of different lengths and contents, none of them long: each of their bytes is cut at. */
function recordOf(n: number): JournalRecord {
  const shapes: readonly JournalRecord[] = [
    {},
    { n },
    { n, text: 'é'.repeat(n % 9) },
    { n, quote: '"c":"00000000"}', line: 'a\nb' },
    { n, deep: { w: `x#${n}`, list: [1, { c: '12345678' }] } },
  ];
  return shapes[n % shapes.length] ?? {};
}

// The last of so many records is cut at every one of its bytes, and each time two journals are opened and synced.
test(`F2: a tail torn at every byte of ${RECORDS} records is readable after the next append, and no byte is gone`, async () => {
  const path = folder.at('j');
  writeFileSync(path, '');
  let cuts = 0;
  for (let n = 0; n < RECORDS; n += 1) {
    // A few before it are enough; the numbers of the writer begin anew.
    if (n % 5 === 0) writeFileSync(path, '');
    const before = readFileSync(path);
    await appendTo(path, 'a', [recordOf(n)]);
    const whole = readFileSync(path);
    for (let length = before.length; length < whole.length; length += 1, cuts += 1) {
      await expectRepaired({ left: whole.subarray(0, length), earlier: n % 5, isWhole: length === whole.length - 1 });
    }
  }
  expect(cuts).toBeGreaterThan(RECORDS * 20);
});

async function expectRepaired({ left, earlier, isWhole }: { left: Buffer; earlier: number; isWhole: boolean }): Promise<void> {
  const path = folder.at('cut');
  writeFileSync(path, left);
  await appendTo(path, 'b', [{ next: true }]);
  const found = readFileSync(path);
  expect(found.subarray(0, left.length).equals(left)).toBe(true);
  // What was torn has a line of its own; the repair is told in the next one.
  const isTorn = left.length > 0 && left.at(-1) !== 0x0a;
  const added = found.subarray(left.length).toString();
  if (isTorn && !isWhole) expect(added).toMatch(/^\n\{[^\n]*"kind":"journal-repaired"[^\n]*\}\n\{[^\n]*"next":true[^\n]*\}\n$/);
  const { records, damage, tornTail } = await readJournal(path, { purpose: 'decide' });
  expect({ damage, tornTail, records: records.length }).toEqual({
    damage: [],
    tornTail: undefined,
    records: earlier + (isWhole ? 1 : 0) + 1,
  });
  expect(records.at(-1)?.record).toEqual({ next: true });
}
