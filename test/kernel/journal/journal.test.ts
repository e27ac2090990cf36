import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openJournal, readJournal, type JournalRecord } from '../../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, linesOf, stillClock } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = stillClock;

async function recordsIn(path: string): Promise<readonly JournalRecord[]> {
  const { records } = await readJournal(path, { purpose: 'decide' });
  return records.map(({ record }) => record);
}

describe('a record', () => {
  test('is one line that tools can read, counted and summed, in a file for its owner', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'engine' });
    expect(await journal.append({ kind: 'start', text: 'é\n' })).toEqual({ writer: 'engine', counter: 1 });
    expect(await journal.append({})).toEqual({ writer: 'engine', counter: 2 });
    await journal.close();
    expect(readFileSync(folder.at('j'), 'utf8')).toBe(
      '{"w":"engine#1","kind":"start","text":"é\\n","c":"c2b120b5"}\n{"w":"engine#2","c":"0b0f45a4"}\n',
    );
    expect(statSync(folder.at('j')).mode & 0o777).toBe(0o600);
  });

  test('comes back as it was, with its place and its writer', async () => {
    await appendTo(folder.at('j'), 'a', [{ n: 1 }, { n: 2 }]);
    const { records, ...rest } = await readJournal(folder.at('j'), { purpose: 'decide' });
    expect(records).toEqual([
      { record: { n: 1 }, writer: 'a', counter: 1, line: 1, offset: 0 },
      { record: { n: 2 }, writer: 'a', counter: 2, line: 2, offset: linesOf(folder.at('j'))[1]?.offset },
    ]);
    expect(rest).toEqual({ damage: [], repaired: [], tornTail: undefined });
  });

  test('may be anything that JSON holds', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    const appended: JournalRecord[] = [];
    const any = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ noUnicodeString: false }), { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(any, async (given) => {
        const record = Object.fromEntries(Object.entries(given).map(([key, value]) => [`_${key}`, value]));
        appended.push(record);
        await journal.note(record);
      }),
      { numRuns: 100 },
    );
    await journal.note({ nul: '\0', half: '\ud800', other: '\udfff', line: '\u2028', quote: '{"w":"a#1","c":"00000000"}' });
    await journal.close();
    const found = await recordsIn(folder.at('j'));
    expect(found.slice(0, -1)).toEqual(appended);
    expect(found.at(-1)).toMatchObject({ nul: '\0', half: '\ud800', other: '\udfff', line: '\u2028' });
  });

  test('that would not come back as it is, is refused with its place, and the journal goes on', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const cases: readonly (readonly [JournalRecord, string])[] = [
      [{ a: undefined }, 'a is of type undefined'],
      [{ a: [1, { b: 1n }] }, 'a[1].b is of type bigint'],
      [{ a: Number.NaN }, 'a is NaN'],
      [{ a: Number.NEGATIVE_INFINITY }, 'a is -Infinity'],
      [{ a: () => 1 }, 'a is of type function'],
      [{ a: Symbol('x') }, 'a is of type symbol'],
      [{ a: Array(1) }, 'a[0] is of type undefined'],
      [{ a: new Date(0) }, 'a is not a plain object'],
      [{ a: new Map() }, 'a is not a plain object'],
      [circle, 'deeper than 100 levels'],
      [{ w: 1 }, 'w belongs to the journal'],
      [{ c: 1 }, 'c belongs to the journal'],
      [{ kind: 'journal-repaired' }, 'journal-repaired belongs to the journal'],
      [[] as unknown as JournalRecord, 'it is not a plain object'],
      [{ a: [{ [Symbol('x')]: 1 }] }, 'a[0] has Symbol(x), which JSON passes over'],
      [{ a: Object.assign([1], { extra: 1 }) }, 'a has extra, which JSON passes over'],
      [{ a: Object.assign([1], { [Symbol('x')]: 1 }) }, 'a has Symbol(x), which JSON passes over'],
      [Object.defineProperty({ n: 1 }, 'toJSON', { value: () => ({}) }), 'it has toJSON, which JSON passes over'],
      [{ a: Object.create(Object.create(null, { lost: { value: 1, enumerable: true } })) as unknown }, 'a is not a plain object'],
    ];
    for (const [record, message] of cases) {
      await expect(journal.append(record)).rejects.toMatchObject({
        code: 'journal-record-refused',
        message: expect.stringContaining(message),
      });
    }
    await journal.append({ ok: true });
    await journal.close();
    expect(await recordsIn(folder.at('j'))).toEqual([{ ok: true }]);
  });

  test('is read once, and nothing in it decides about its text', async () => {
    const other: unknown = runInNewContext('({ b: [1] })');
    let reads = 0;
    const record = {
      get kind() {
        reads += 1;
        return reads === 1 ? 'x' : 'journal-repaired';
      },
      zero: [-0, 0],
      toJSON: 'text',
      list: Object.assign(Object.create(null) as object, { a: 1 }),
      other,
    };
    await appendTo(folder.at('j'), 'a', [record]);
    expect(await recordsIn(folder.at('j'))).toEqual([{ kind: 'x', zero: [-0, 0], toJSON: 'text', list: { a: 1 }, other: { b: [1] } }]);
    expect(reads).toBe(1);
  });

  test('whose shared objects unfold is looked at no further than a record may go', async () => {
    let reads = 0;
    const counted = {
      get n() {
        reads += 1;
        return reads;
      },
    };
    const unfolding = (value: unknown): JournalRecord =>
      Array.from({ length: 22 }).reduce<JournalRecord>((nest) => ({ a: nest, b: nest }), { value });
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    await expect(journal.append(unfolding(counted))).rejects.toMatchObject({
      code: 'journal-record-refused',
      message: expect.stringContaining('it has more than 100000 values'),
    });
    expect(reads).toBeLessThan(100_000);
    // Of long texts fewer are enough.
    await expect(journal.append(unfolding([counted, 'x'.repeat(2 ** 20)]))).rejects.toMatchObject({ code: 'journal-record-too-long' });
    expect(reads).toBeLessThan(100_010);
    await expect(journal.append({ a: Array<number>(1_000_000).fill(0) })).rejects.toMatchObject({ code: 'journal-record-refused' });
    await journal.close();
  });

  test('of 8 MB is taken, a longer one refused', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    await journal.append({ text: 'x'.repeat(8 * 2 ** 20 - 200) });
    await expect(journal.append({ text: 'é'.repeat(4 * 2 ** 20) })).rejects.toMatchObject({ code: 'journal-record-too-long' });
    await journal.close();
    expect(await recordsIn(folder.at('j'))).toHaveLength(1);
  });
});

describe('a journal', () => {
  test('that is missing is empty', async () => {
    expect(await readJournal(folder.at('none'), { purpose: 'decide' })).toEqual({
      records: [],
      damage: [],
      repaired: [],
      tornTail: undefined,
    });
  });

  test('is no link, pipe, folder or device, and needs its folder', async () => {
    writeFileSync(folder.at('real'), '');
    symlinkSync(folder.at('real'), folder.at('link'));
    mkdirSync(folder.at('folder'));
    execFileSync('mkfifo', [folder.at('pipe')]);
    const codes: Record<string, string> = { link: 'symlink-refused', folder: 'not-a-file', pipe: 'not-a-regular-file' };
    for (const [name, code] of Object.entries(codes)) {
      await expect(openJournal(folder.at(name), { clock, writer: 'a' })).rejects.toMatchObject({ code });
      await expect(readJournal(folder.at(name), { purpose: 'show' })).rejects.toMatchObject({ code });
    }
    await expect(readJournal('/dev/null', { purpose: 'show' })).rejects.toMatchObject({ code: 'not-a-regular-file' });
    await expect(openJournal(folder.at('no', 'j'), { clock, writer: 'a' })).rejects.toMatchObject({ code: 'not-found' });
  });

  test('counts a writer through all its openings, and each writer by itself', async () => {
    await appendTo(folder.at('j'), 'a', [{}, {}]);
    await appendTo(folder.at('j'), 'aa', [{}]);
    await appendTo(folder.at('j'), 'a', [{}]);
    const { records } = await readJournal(folder.at('j'), { purpose: 'decide' });
    expect(records.map(({ writer, counter }) => `${writer}#${counter}`)).toEqual(['a#1', 'a#2', 'aa#1', 'a#3']);
  });

  test('finds the number of a writer behind megabytes of others, and behind lines that speak of it', async () => {
    await appendTo(folder.at('j'), 'a', [{}, {}]);
    await appendTo(folder.at('j'), 'b', Array.from({ length: 300 }, () => ({ text: 'x'.repeat(10_000) })));
    await appendTo(folder.at('j'), 'b', [{ told: { w: 'a#77', c: '00000000' } }]);
    await appendTo(folder.at('j'), 'a', [{ text: 'x'.repeat(100_000) }]);
    await appendTo(folder.at('j'), 'a', [{}]);
    const { records } = await readJournal(folder.at('j'), { purpose: 'decide' });
    expect(records.at(-1)).toMatchObject({ writer: 'a', counter: 4 });
  });

  test('takes the lines of other tools as they are, and passes over blank ones', async () => {
    writeFileSync(folder.at('j'), '{"at":"now","kind":"x"}\n\n  \t\r\n{ "w": "me", "c": 1 }\r\n');
    await appendTo(folder.at('j'), 'a', [{ own: 1 }]);
    appendBytes(folder.at('j'), '{"last":true}');
    const { records } = await readJournal(folder.at('j'), { purpose: 'decide' });
    expect(records.map(({ line, writer, record }) => [line, writer, record])).toEqual([
      [1, undefined, { at: 'now', kind: 'x' }],
      [4, undefined, { w: 'me', c: 1 }],
      [5, 'a', { own: 1 }],
      // It has all of its record; only the newline is missing.
      [6, undefined, { last: true }],
    ]);
  });

  test('keeps the order of the calls, whichever way they were made', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    const calls = Array.from({ length: 60 }, (_, n) => (n % 7 === 0 ? journal.append({ n }) : journal.note({ n })));
    const counters = (await Promise.all(calls)).map(({ counter }) => counter);
    await journal.close();
    expect(counters).toEqual(calls.map((_, n) => n + 1));
    expect(await recordsIn(folder.at('j'))).toEqual(calls.map((_, n) => ({ n })));
  });

  test('waits for what was appended before it closes, and takes nothing afterwards', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    const before = [journal.note({ n: 1 }), journal.append({ n: 2 })];
    const closed = journal.close();
    await expect(journal.append({ n: 3 })).rejects.toMatchObject({ code: 'journal-closed' });
    await Promise.all([...before, closed, journal.close()]);
    await expect(journal.note({ n: 4 })).rejects.toMatchObject({ code: 'journal-closed' });
    expect(await recordsIn(folder.at('j'))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test('that was deleted takes no record that would be lost', async () => {
    const journal = await openJournal(folder.at('j'), { clock, writer: 'a' });
    unlinkSync(folder.at('j'));
    await expect(journal.append({})).rejects.toMatchObject({ code: 'journal-removed' });
    await journal.close();
  });

  test('has writers with names that fit into a line', async () => {
    for (const writer of ['', 'a b', 'a#1', 'a"', 'é', 'x'.repeat(65)]) {
      await expect(openJournal(folder.at('j'), { clock, writer })).rejects.toMatchObject({ code: 'journal-writer-refused' });
    }
    await appendTo(folder.at('j'), `report.${'x'.repeat(50)}:4@h-1_`, [{}]);
    expect(await recordsIn(folder.at('j'))).toEqual([{}]);
  });
});
