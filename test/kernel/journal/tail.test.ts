import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkJournal, openJournal, readJournal } from '../../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, linesOf, stillClock } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = stillClock;

/** A journal of two records of `a`, the second of them cut to `length` bytes. */
async function cutJournal(length: number): Promise<string> {
  const path = folder.at('j');
  writeFileSync(path, '');
  await appendTo(path, 'a', [{ n: 1 }, { n: 2, text: 'é' }]);
  truncateSync(path, (linesOf(path)[1]?.offset ?? 0) + length);
  return path;
}

async function decided(path: string) {
  const { records, ...rest } = await readJournal(path, { purpose: 'decide' });
  return { numbers: records.map(({ record }) => record['n']), ...rest };
}

describe('a torn last line', () => {
  test('ends the reading at the last whole record, and is told', async () => {
    const path = await cutJournal(10);
    expect(await decided(path)).toEqual({
      numbers: [1],
      damage: [],
      repaired: [],
      tornTail: { line: 2, offset: linesOf(path)[1]?.offset, length: 10 },
    });
  });

  test('stays, and gets a newline, a repair record and the next record behind it in one write', async () => {
    const path = await cutJournal(10);
    const before = readFileSync(path);
    await appendTo(path, 'b', [{ n: 3 }]);
    const after = readFileSync(path);
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(after.subarray(before.length).toString().replaceAll(/"c":"[0-9a-f]{8}"/g, '"c":""')).toBe(
      '\n{"w":"b#1","kind":"journal-repaired","at":"2026-01-02T03:04:05Z","c":""}\n{"w":"b#2","n":3,"c":""}\n',
    );
    expect(await decided(path)).toEqual({
      numbers: [1, 3],
      damage: [],
      repaired: [{ line: 2, offset: linesOf(path)[1]?.offset, length: 10 }],
      tornTail: undefined,
    });
  });

  test('is found by a journal that is open already, and its writer begins with the number that was torn', async () => {
    const path = await cutJournal(10);
    const journal = await openJournal(path, { clock, writer: 'b' });
    await journal.append({ n: 3 });
    appendBytes(path, '{"w":"a#2","n":');
    await journal.append({ n: 4 });
    await journal.close();
    await appendTo(path, 'a', [{ n: 5 }]);
    expect(await decided(path)).toMatchObject({ numbers: [1, 3, 4, 5], repaired: [{ line: 2 }, { line: 5 }], damage: [] });
  });

  test('may be that of another tool', async () => {
    const path = folder.at('j');
    writeFileSync(path, '{"n":1}\n{"n":2,"te');
    await appendTo(path, 'b', [{ n: 3 }]);
    expect(await decided(path)).toMatchObject({ numbers: [1, 3], repaired: [{ line: 2, length: 10 }] });
  });

  test('that lacks nothing but its newline is a record', async () => {
    const path = await cutJournal(0);
    await appendTo(path, 'a', [{ n: 2 }]);
    truncateSync(path, readFileSync(path).length - 1);
    expect(await decided(path)).toMatchObject({ numbers: [1, 2], tornTail: undefined });
    await appendTo(path, 'a', [{ n: 3 }]);
    expect(await decided(path)).toMatchObject({ numbers: [1, 2, 3], damage: [], repaired: [] });
  });

  test('has the fields that a documented format asks for in its repair record', async () => {
    const path = await cutJournal(10);
    const journal = await openJournal(path, { clock, writer: 'b', repairFields: () => ({ change: '', message: 'torn' }) });
    await journal.append({ n: 3 });
    await journal.close();
    expect(linesOf(path)[2]?.bytes.toString()).toContain('{"w":"b#1","kind":"journal-repaired","change":"","message":"torn","c":');
  });
});

describe('a repair', () => {
  test('is marked as one whatever fields are asked for', async () => {
    const path = await cutJournal(10);
    const journal = await openJournal(path, { clock, writer: 'b', repairFields: () => ({ kind: 'x' }) });
    await expect(journal.append({ n: 3 })).rejects.toMatchObject({ message: expect.stringContaining('kind belongs to the journal') });
    await journal.close();
  });

  test('that two writers made at once leaves both readable', async () => {
    const path = await cutJournal(10);
    appendBytes(path, '\n');
    const repairs = [await repairOf('b'), await repairOf('c')];
    appendBytes(path, repairs.join('\n'));
    expect(await decided(path)).toMatchObject({ numbers: [1, 3, 3], damage: [], repaired: [{ line: 2 }] });
    expect(await checkJournal(path)).toMatchObject({ repairs: 2, records: 3 });
  });

  test('of a line that was whole by then is a race and no damage', async () => {
    const path = folder.at('j');
    await appendTo(path, 'a', [{ n: 1 }]);
    appendBytes(path, `\n${await repairOf('b')}`);
    expect(await decided(path)).toMatchObject({ numbers: [1, 3], damage: [], repaired: [] });
  });

  test('that found a line whole does not excuse it when it is damaged', async () => {
    const path = folder.at('j');
    writeFileSync(path, 'garbage\n');
    appendBytes(path, `\n${await repairOf('b')}`);
    await expect(decided(path)).rejects.toMatchObject({ code: 'journal-damaged', message: expect.stringContaining(`${path}:1: `) });
  });

  test('that came too late leaves a whole record behind the torn bytes of the same line, which is read', async () => {
    const other = folder.at('other');
    await appendTo(other, 'c', [{ n: 7 }]);
    const path = await cutJournal(12);
    // It looked at the end before that was torn, and wrote after it.
    appendBytes(path, readFileSync(other));
    expect(await decided(path)).toMatchObject({ numbers: [1, 7], damage: [], repaired: [{ line: 2, length: 12 }] });
    await appendTo(path, 'c', [{ n: 8 }]);
    expect(await decided(path)).toMatchObject({ numbers: [1, 7, 8], damage: [] });
  });

  // A hundred bytes, and two journals opened and synced for each.
  test('that was cut off itself, at any byte, is repaired like anything else', async () => {
    const repair = `\n${await repairOf('b')}`;
    for (let length = 1; length < repair.length; length += 1) {
      const path = await cutJournal(10);
      appendBytes(path, repair.slice(0, length));
      await decided(path);
      await appendTo(path, 'c', [{ n: 9 }]);
      const { numbers, damage, tornTail } = await decided(path);
      expect({ length, numbers: numbers.filter((n) => n !== 3), damage, tornTail }).toEqual({
        length,
        numbers: [1, 9],
        damage: [],
        tornTail: undefined,
      });
    }
  });
});

describe('FC-22', () => {
  test('whatever is torn off at the end, the next append makes all of it readable and removes no byte', async () => {
    const part = fc.tuple(fc.constantFrom('a', 'b', 'c', 'foreign'), fc.nat(200), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 8 }), async (parts) => {
        const path = folder.at('j');
        writeFileSync(path, '');
        const acknowledged: number[] = [];
        for (const [n, [writer, cut, torn]] of parts.entries()) {
          const before = readFileSync(path);
          if (writer === 'foreign' && !endsWhole(before)) continue;
          if (writer === 'foreign') appendBytes(path, `{"n":${n}}\n`);
          else await appendTo(path, writer, [{ n }]);
          expect(readFileSync(path).subarray(0, before.length)).toEqual(before);
          const added = readFileSync(path).length - before.length;
          // A foreign line that is cut in its digits would still be no object.
          if (torn && cut < added - 1) truncateSync(path, before.length + cut);
          else acknowledged.push(n);
        }
        await appendTo(path, 'd', [{ n: -1 }]);
        const { numbers, damage, tornTail } = await decided(path);
        expect(numbers.filter((n) => n === -1 || acknowledged.includes(Number(n)))).toEqual([...acknowledged, -1]);
        expect({ damage, tornTail }).toEqual({ damage: [], tornTail: undefined });
      }),
      { numRuns: 60 },
    );
  });
});

/** What a writer adds behind torn bytes, but for the newline at its beginning. */
async function repairOf(writer: string): Promise<string> {
  const path = folder.at(`repair-${writer}`);
  writeFileSync(path, '{"torn');
  await appendTo(path, writer, [{ n: 3 }]);
  return readFileSync(path, 'utf8').slice('{"torn\n'.length);
}

/** A repair that stopped behind its newline leaves a torn line that only our own writers know for one. */
function endsWhole(bytes: Buffer): boolean {
  const text = bytes.toString();
  return text === '' || text.endsWith('}\n');
}
