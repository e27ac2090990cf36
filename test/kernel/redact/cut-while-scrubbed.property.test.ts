import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedaction } from '../../../src/kernel/redact/index.ts';
import { temporaryFolder } from '../../support/temp.ts';

const SECRET = 'hunter2x';
const MASKED = '*'.repeat(SECRET.length);

/** Nothing of one page stands in another one but the secret: what is left of an old page is seen. */
const page = fc.array(fc.oneof(fc.constant(SECRET), fc.integer({ min: 1, max: 400 })), { maxLength: 30 });
/** How often the event loop turns before the program cuts its log, or writes on. */
const step = fc.record({ page, cuts: fc.boolean(), turns: fc.nat(12) });

function textOf(pieces: readonly (string | number)[], letter: string): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : letter.repeat(piece))).join('\n');
}

/** What is neither what was written nor a mask over a secret in it. */
function foreignTo(written: string, found: string): string {
  const masked = written.replaceAll(SECRET, MASKED);
  const foreign = [...found].filter((letter, at) => letter !== written[at] && letter !== masked[at]);
  return foreign.join('') + (found.length === written.length ? '' : ` ${found.length} bytes for ${written.length}`);
}

test('a log that is cut and written anew while it is scrubbed holds what was written last, masked', async () => {
  const path = join(temporaryFolder(), 'log');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      const log = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC);
      try {
        const scrubber = createRedaction([SECRET]).createScrubber();
        let written = '';
        let cutBefore = true;
        let from = 0;
        for (const [index, { page: pieces, cuts, turns }] of steps.entries()) {
          const to = fstatSync(log).size;
          const scrubbed = scrubber.scrub({ descriptor: log, from: cutBefore ? 0 : from, to, last: false });
          for (let turn = 0; turn < turns; turn += 1) await setImmediate();
          if (cuts) ftruncateSync(log, 0);
          const text = `\n${textOf(pieces, 'abcdef'[index] ?? 'g')}`;
          writeSync(log, text);
          written = cuts ? text : `${written}${text}`;
          await scrubbed;
          expect(foreignTo(written, readFileSync(path, 'latin1'))).toBe('');
          from = to;
          cutBefore = cuts;
        }
        await scrubber.scrub({ descriptor: log, from: 0, to: fstatSync(log).size, last: true });
        expect(readFileSync(path, 'latin1')).toBe(written.replaceAll(SECRET, MASKED));
      } finally {
        closeSync(log);
      }
    }),
    { numRuns: 120 },
  );
});
