import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openJournal, readJournal } from '../../../src/kernel/journal/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { appendBytes, appendTo, stillClock } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { acknowledged, startWriting } from '../../support/writing-process.ts';

const folder = tempFolder();
const program = bundledProgram(join(import.meta.dirname, 'programs/write-records.ts'));
const clock = stillClock;

describe('several writers', () => {
  test('of one process in any order, among torn bytes and lines of other tools: nothing is lost or fused', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ writer: fc.nat(2), how: fc.constantFrom('append' as const, 'note' as const) }) },
      { weight: 2, arbitrary: fc.record({ torn: fc.integer({ min: 1, max: 40 }) }) },
      { weight: 1, arbitrary: fc.constant({ foreign: true }) },
      { weight: 2, arbitrary: fc.constant({ wait: true }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const path = folder.at('j');
        writeFileSync(path, '');
        const journals = await Promise.all([0, 1, 2].map((each) => openJournal(path, { clock, writer: `w${each}` })));
        const acks: Promise<number>[] = [];
        let isTorn = false;
        for (const [n, each] of steps.entries()) {
          if ('writer' in each) acks.push(journals[each.writer]![each.how]({ n, text: 'é' }).then(() => n));
          else await Promise.all(acks);
          if ('writer' in each) isTorn = false;
          if ('torn' in each) appendBytes(path, `{"w":"x#1","n":"${'y'.repeat(40)}"`.slice(0, each.torn));
          if ('torn' in each) isTorn = true;
          // Another tool does not look before it writes.
          if ('foreign' in each && !isTorn) appendBytes(path, `{"n":${n}}\n`);
        }
        const numbers = await Promise.all(acks);
        await Promise.all(journals.map((journal) => journal.close()));
        const { records, damage } = await readJournal(path, { purpose: 'decide' });
        const found = records.filter(({ writer }) => writer !== undefined).map(({ record }) => record['n']);
        expect([...found].sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
        expect(damage).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  // Six processes, three at a time.
  test('in processes of their own, some of them killed: what was acknowledged is there, whole and in order', async () => {
    for (const [round, killed] of [3, 9].entries()) {
      const path = folder.at(`j${round}`);
      const writers = ['a', 'b', 'c'].map((writer) => {
        const count = writer === 'a' ? 1_000_000 : 20;
        return { writer, process: startWriting(program.file, { path, writer, count, bytes: 40_000 }) };
      });
      writers[0]?.process.killAfter(killed);
      const ends = await Promise.all(writers.map(({ process }) => process.ended));
      expect(ends.map(({ signal, code }) => signal ?? code)).toEqual(['SIGKILL', 0, 0]);
      await appendTo(path, 'd', [{}]);
      const { records, damage, tornTail } = await readJournal(path, { purpose: 'decide' });
      expect({ damage, tornTail }).toEqual({ damage: [], tornTail: undefined });
      for (const { writer, process } of writers) {
        const found = records.filter((each) => each.writer === writer).map(({ record }) => record['index']);
        expect(found).toEqual(found.map((_, index) => index));
        expect(found.length).toBeGreaterThanOrEqual(acknowledged(process.said).length);
      }
    }
  });

  test('that begin at the same moment make one file', async () => {
    const path = folder.at('j');
    const names = Array.from({ length: 30 }, (_, each) => `w${each}`);
    const journals = await Promise.all(names.map((writer) => openJournal(path, { clock, writer })));
    await Promise.all(journals.map((journal) => journal.append({})));
    await Promise.all(journals.map((journal) => journal.close()));
    const { records } = await readJournal(path, { purpose: 'decide' });
    expect(records.map(({ writer }) => writer).sort()).toEqual([...names].sort());
  });
});
