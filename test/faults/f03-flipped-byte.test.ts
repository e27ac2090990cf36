import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJournal } from '../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, linesOf } from '../support/journals.ts';
import { faultCount, faultSeed } from '../support/fault-counts.ts';
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

test(`F3: each of ${FLIPS} changed bytes in records of ours is found, and nothing is rewritten`, async () => {
  const seed = faultSeed();
  console.log(`F3: seed ${seed}`);
  const path = folder.at('j');
  await makeJournal(path);
  const whole = readFileSync(path);
  const places = linesOf(path).flatMap(({ offset, bytes }) =>
    bytes.includes('"c":"') && bytes.includes('{"w":"') ? Array.from(bytes, (_, at) => offset + at) : [],
  );
  expect((await readJournal(path, { purpose: 'decide' })).records.length).toBe(21);
  const flips = fc.tuple(fc.nat(places.length - 1), fc.integer({ min: 1, max: 255 }));
  const silent: string[] = [];
  for (const [index, mask] of fc.sample(flips, { numRuns: FLIPS, seed })) {
    const place = places[index] ?? 0;
    const spoiled = Buffer.from(whole);
    spoiled[place] = (whole[place] ?? 0) ^ mask;
    writeFileSync(path, spoiled);
    const { damage } = await readJournal(path, { purpose: 'show' });
    const decided = await readJournal(path, { purpose: 'decide' }).then(
      () => 'decided',
      (error: { readonly code?: string; readonly message: string }) => `${error.code} ${error.message}`,
    );
    const expected = `journal-damaged ${path}:${damage[0]?.line}: ${damage[0]?.reason}`;
    if (damage.length === 0 || decided !== expected) silent.push(`byte ${place} xor ${mask}: ${decided}`);
    if (!readFileSync(path).equals(spoiled)) silent.push(`byte ${place} xor ${mask}: rewritten`);
  }
  expect(silent).toEqual([]);
});
