import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJournal, type Entry } from '../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, linesOf } from '../support/journals.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const FLIPS = faultCount({ ci: 1_000, full: 10_000 });

/** Two writers, lines of another tool, and torn bytes with their repair. */
async function makeJournal(path: string): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await appendTo(path, 'a', [{ round, text: 'é' }, { round, list: [1, { c: '12345678' }] }]);
    await appendTo(path, 'bb', [{ round, quote: '{"w":"a#1","c":"00000000"}' }, {}]);
    appendBytes(path, `{"foreign":${round}}\n`);
    if (round % 2 === 1) appendBytes(path, '{"w":"a#9","torn');
  }
  await appendTo(path, 'a', [{ last: true }]);
}

/** What was changed, and what reading and the file said then; nothing when all of it was right. */
async function silentFault(path: string, spoiled: Buffer, truth: ReadonlySet<string>): Promise<string | undefined> {
  writeFileSync(path, spoiled);
  const { records, damage } = await readJournal(path, { purpose: 'show' });
  const decided = await readJournal(path, { purpose: 'decide' }).then(
    () => 'decided',
    (error: { readonly code?: string; readonly message: string }) => `${error.code} ${error.message}`,
  );
  const expected = `journal-damaged ${path}:${damage[0]?.line}: ${damage[0]?.reason}`;
  if (damage.length === 0 || decided !== expected) return `decided: ${decided}`;
  const invented = records.find((entry) => !truth.has(keyOf(entry)));
  if (invented !== undefined) return `shown as whole: ${keyOf(invented)}`;
  // One line is damaged, or two where the newline between them is; each other one is shown.
  if (records.length < truth.size - 2) return `shown: ${records.length} of ${truth.size}`;
  return readFileSync(path).equals(spoiled) ? undefined : 'rewritten';
}

/** A record with its writer and number, wherever it stands in the file. */
function keyOf({ writer, counter, record }: Entry): string {
  return JSON.stringify([writer, counter, record]);
}

test(
  `F3: each of ${FLIPS} changed bytes in records of ours is found, and nothing is rewritten`,
  seeded('F3', async (seed) => {
    const path = folder.at('j');
    await makeJournal(path);
    const whole = readFileSync(path);
    const places = linesOf(path).flatMap(({ offset, bytes }) =>
      bytes.includes('"c":"') && bytes.includes('{"w":"') ? Array.from(bytes, (_, at) => offset + at) : [],
    );
    const { records } = await readJournal(path, { purpose: 'decide' });
    expect(records.length).toBe(21);
    const truth = new Set(records.map(keyOf));
    const flips = fc.tuple(fc.nat(places.length - 1), fc.integer({ min: 1, max: 255 }));
    const silent: string[] = [];
    for (const [index, mask] of fc.sample(flips, { numRuns: FLIPS, seed })) {
      const place = places[index] ?? 0;
      const spoiled = Buffer.from(whole);
      spoiled[place] = (whole[place] ?? 0) ^ mask;
      const fault = await silentFault(path, spoiled, truth);
      if (fault !== undefined) silent.push(`byte ${place} xor ${mask}: ${fault}`);
    }
    expect(silent).toEqual([]);
  }),
);
