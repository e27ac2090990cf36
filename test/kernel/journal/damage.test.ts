import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkJournal, journalEntries, readJournal } from '../../../src/kernel/journal/index.ts';
import { appendBytes, appendTo, linesOf } from '../../support/journals.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

/** Three records of `a` and two of `b` in turn. */
async function journal(): Promise<string> {
  const path = folder.at('j');
  writeFileSync(path, '');
  for (const [n, writer] of ['a', 'b', 'a', 'b', 'a'].entries()) await appendTo(path, writer, [{ n }]);
  return path;
}

/** Changes the text of one line, counted from 1. */
function changeLine(path: string, line: number, change: (text: string) => string): void {
  const lines = linesOf(path).map(({ bytes }) => bytes.toString('latin1'));
  lines[line - 1] = change(lines[line - 1] ?? '');
  writeFileSync(path, lines.join(''), 'latin1');
}

/** What reading to show says, and that reading to decide refuses the first of it; nothing is changed by either. */
async function shown(path: string) {
  const before = readFileSync(path);
  const { records, damage } = await readJournal(path, { purpose: 'show' });
  await expect(readJournal(path, { purpose: 'decide' })).rejects.toMatchObject({
    code: 'journal-damaged',
    message: `${path}:${damage[0]?.line}: ${damage[0]?.reason}`,
    remedy: expect.stringContaining(`drover journal check ${path}`),
  });
  expect(readFileSync(path).equals(before)).toBe(true);
  return { numbers: records.map(({ record }) => record['n']), damage: damage.map(({ line, problem }) => `${line} ${problem}`) };
}

describe('damage', () => {
  test('of the content: the checksum does not fit, and the counter tells too', async () => {
    const path = await journal();
    changeLine(path, 3, (text) => text.replace('"n":2', '"n":7'));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 3, 4], damage: ['3 checksum', '5 gap'] });
  });

  test.each([
    ['the key of the checksum', (text: string) => text.replace('"c":', '"d":')],
    ['the key of the writer', (text: string) => text.replace('"w":', '"v":')],
    ['a digit of the checksum', (text: string) => text.replace(/[0-9a-f]"\}\n$/, 'G"}\n')],
    ['an escape in the checksum', (text: string) => text.replace(/"[0-9a-f]{8}"\}\n$/, String.raw`"\b345678"}` + '\n')],
    ['a space in the place of the last brace', (text: string) => text.replace(/\}\n$/, ' \n')],
    ['a digit of the counter', (text: string) => text.replace('a#2', 'a#8')],
  ])('of %s never makes a line of ours one of another tool', async (_name, change) => {
    const path = await journal();
    changeLine(path, 3, change);
    expect((await shown(path)).damage).toEqual(['3 checksum', '5 gap']);
  });

  test('of a newline inside a line leaves two halves', async () => {
    const path = await journal();
    changeLine(path, 3, (text) => text.replace('"n":2', '"n"\n2'));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 3, 4], damage: ['3 checksum', '4 checksum', '6 gap'] });
  });

  test('of the newline between two records: what was whole before it is damage, what is whole behind it is read', async () => {
    const path = await journal();
    changeLine(path, 3, (text) => text.replace('\n', 'x'));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 3, 4], damage: ['3 fused', '4 gap'] });
  });

  test('of bytes behind a whole record: an editor made it end in a carriage return', async () => {
    const path = await journal();
    changeLine(path, 3, (text) => text.replace(/\n$/, '\r\n'));
    expect((await shown(path)).damage).toEqual(['3 fused', '5 gap']);
  });

  test('of the very last newline is no torn record', async () => {
    const path = await journal();
    changeLine(path, 5, (text) => text.replace('\n', 'x'));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 2, 3], damage: ['5 fused'] });
    // Nor does a repair make it one.
    await appendTo(path, 'c', [{ n: 9 }]);
    expect(await shown(path)).toEqual({ numbers: [0, 1, 2, 3, 9], damage: ['5 fused'] });
  });

  test('of the newline before a repair record is no race', async () => {
    const path = await journal();
    appendBytes(path, '{"torn');
    await appendTo(path, 'c', [{ n: 9 }]);
    changeLine(path, 6, (text) => text.replace('\n', ' '));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 2, 3, 4, 9], damage: ['6 unreadable'] });
  });

  test('of a line before a repair record is damage, unless the repair stands right behind it', async () => {
    const path = await journal();
    appendBytes(path, '{"torn');
    await appendTo(path, 'c', [{ n: 9 }]);
    changeLine(path, 5, (text) => text.replace('"n":4', '"n":x'));
    expect(await shown(path)).toEqual({ numbers: [0, 1, 2, 3, 9], damage: ['5 checksum'] });
    const other = await journal();
    appendBytes(other, 'garbage\n\n{"torn');
    await appendTo(other, 'c', [{ n: 9 }]);
    expect(await shown(other)).toEqual({ numbers: [0, 1, 2, 3, 4, 9], damage: ['6 unreadable'] });
  });

  test('is a line that is no JSON object, no UTF-8, or longer than any record', async () => {
    const path = folder.at('j');
    for (const [bytes, problem] of [
      ['12', 'unreadable'],
      ['[1]', 'unreadable'],
      ['null', 'unreadable'],
      ['nonsense', 'unreadable'],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'unreadable'],
      ['x'.repeat(8 * 2 ** 20 + 1), 'too-long'],
    ] as const) {
      writeFileSync(path, '{"n":0}\n');
      appendBytes(path, bytes);
      appendBytes(path, '\n{"n":1}\n');
      expect(await shown(path)).toEqual({ numbers: [0, 1], damage: [`2 ${problem}`] });
    }
  });

  test('is a record that is missing, the first one included', async () => {
    const path = await journal();
    changeLine(path, 2, () => '');
    expect(await shown(path)).toEqual({ numbers: [0, 2, 3, 4], damage: ['3 gap'] });
    changeLine(path, 1, () => '');
    expect(await shown(path)).toEqual({ numbers: [2, 3, 4], damage: ['1 gap', '2 gap'] });
  });

  test('is no counter that goes back: two wrote under one name, or files were merged, and nothing is lost', async () => {
    const path = await journal();
    appendBytes(path, readFileSync(path));
    expect((await readJournal(path, { purpose: 'decide' })).records).toHaveLength(10);
  });

  test.each([
    ['text', 'see: ', ['6 unreadable', '6 repeated']],
    ['the first part of a record', '{"w":"c#1","n":', ['6 checksum', '6 repeated']],
    ['a line of another tool', '{"n":5}', ['6 repeated']],
  ])('is a record that was read before, copied into one line behind %s', async (_name, before, damage) => {
    const path = await journal();
    appendBytes(path, before);
    appendBytes(path, linesOf(path)[2]?.bytes ?? '');
    await appendTo(path, 'c', [{ n: 9 }]);
    const numbers = [0, 1, 2, 3, 4, ...(before === '{"n":5}' ? [5] : []), 9];
    expect(await shown(path)).toEqual({ numbers, damage });
    // Nor does it bring the counter of its writer back.
    expect((await checkJournal(path)).writers[0]).toMatchObject({ writer: 'a', records: 3, lastCounter: 3, restarts: 0 });
  });

  test('in a torn line that has its newline but no repair record behind it', async () => {
    const path = await journal();
    appendBytes(path, '{"w":"a#4","n\n');
    const torn = await readJournal(path, { purpose: 'decide' });
    expect(torn.tornTail).toMatchObject({ line: 6, length: 14 });
    appendBytes(path, '{"n":5}\n');
    expect(await shown(path)).toEqual({ numbers: [0, 1, 2, 3, 4, 5], damage: ['6 checksum'] });
  });
});

describe('reading', () => {
  test('one record at a time gives those before the damage, and at the end what was beside them', async () => {
    const path = await journal();
    changeLine(path, 3, (text) => text.replace('"n":2', '"n":7'));
    const entries = journalEntries(path, { purpose: 'show' });
    const numbers: unknown[] = [];
    let next = await entries.next();
    for (; next.done !== true; next = await entries.next()) numbers.push(next.value.record['n']);
    expect(numbers).toEqual([0, 1, 3, 4]);
    expect(next.value.damage).toHaveLength(2);
  });

  test('may stop early, and ends when it is told to', async () => {
    const path = await journal();
    for await (const { record } of journalEntries(path, { purpose: 'decide' })) {
      expect(record).toEqual({ n: 0 });
      break;
    }
    const reason = new Error('enough');
    await expect(readJournal(path, { purpose: 'show', signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('cuts lines at their newlines wherever a chunk ends', async () => {
    const path = folder.at('j');
    const records = Array.from({ length: 40 }, (_, n) => ({ n, text: 'é'.repeat(n * 997) }));
    await appendTo(path, 'a', records);
    const { records: found } = await readJournal(path, { purpose: 'decide' });
    expect(found.map(({ record }) => record)).toEqual(records);
  });
});

describe('checkJournal', () => {
  test('counts records, writers, repairs and damage', async () => {
    const path = await journal();
    appendBytes(path, '{"foreign":1}\n{"torn');
    await appendTo(path, 'a', [{ n: 5 }]);
    changeLine(path, 2, (text) => text.replace('"n":1', '"n":7'));
    appendBytes(path, readFileSync(path).subarray(0, linesOf(path)[1]?.offset));
    appendBytes(path, '{"w":"a#6"');
    expect(await checkJournal(path)).toMatchObject({
      path,
      records: 7,
      foreign: 1,
      repairs: 1,
      writers: [
        { writer: 'a', records: 6, lastCounter: 1, restarts: 1 },
        { writer: 'b', records: 1, lastCounter: 2, restarts: 0 },
      ],
      damage: [
        { line: 2, problem: 'checksum' },
        { line: 4, problem: 'gap', reason: 'b#1 is missing before this line' },
      ],
      repaired: [{ line: 7, length: 6 }],
      tornTail: { line: 11, length: 10 },
    });
  });

  test('finds nothing in a file that is missing or empty', async () => {
    const empty = { records: 0, foreign: 0, repairs: 0, writers: [], damage: [], repaired: [], tornTail: undefined };
    expect(await checkJournal(folder.at('none'))).toEqual({ path: folder.at('none'), ...empty });
    writeFileSync(folder.at('j'), '');
    expect(await checkJournal(folder.at('j'))).toEqual({ path: folder.at('j'), ...empty });
  });
});
