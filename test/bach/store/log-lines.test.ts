import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/kernel/redact/index.ts';
import { eachLine, lastLines } from '../../../src/bach/store/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const redactor = createRedactor(['hunter2x']);

const all = () => true;

describe('the last lines of a log', () => {
  const folder = tempFolder();
  const logOf = (text: string): string => {
    writeFileSync(folder.at('log'), text);
    return folder.at('log');
  };

  test.each([
    ['', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\n\n', ['a', '']],
    ['\n', ['']],
    ['a\r\nb\r\n', ['a', 'b']],
    ['1\n2\n3\n4', ['2', '3', '4']],
  ])('%j', (text, expected) => {
    expect(lastLines(logOf(text), 3, all)).toEqual(expected);
  });

  test('are those of the whole text, wherever the blocks fall', () => {
    const line = fc.oneof(fc.constant(''), fc.constant('é'.repeat(40_000)), fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, '')));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 1, max: 8 }), (lines, count) => {
        const found = lastLines(logOf(lines.map((each) => `${each}\n`).join('')), count, all);
        expect(found?.map((each) => each.slice(-20))).toEqual(lines.slice(-count).map((each) => each.slice(-20)));
      }),
      { numRuns: 100 },
    );
  });

  test('are counted among those that pass', () => {
    expect(lastLines(logOf('x1\ny\nx2\ny\nx3\n'), 2, (line) => line.startsWith('x'))).toEqual(['x2', 'x3']);
  });

  test('a line of many megabytes is shown by its end', () => {
    const [line = ''] = lastLines(logOf(`short\n${'x'.repeat(5_000_000)}end\n`), 1, all) ?? [];
    expect(line.length).toBe(65_537);
    expect(line).toMatch(/^…x+end$/);
  });

  test('of a log that is gone there are none', async () => {
    expect(lastLines(folder.at('gone'), 3, all)).toBeUndefined();
    expect(await eachLine(folder.at('gone'), { redactor, line: () => undefined, taken: async () => undefined })).toBe(false);
  });

  test.each([
    ['a pipe', 'mkfifo', 'is a pipe, a socket or a device'],
    ['a folder', 'mkdir', 'it is a directory'],
  ])('%s in place of a log is named, and not taken for an empty one', async (_what, command, reason) => {
    const path = folder.at(command);
    execFileSync(command, [path]);
    const read = eachLine(path, { redactor, line: () => undefined, taken: async () => undefined });
    await expect(read).rejects.toThrow(`${path}${command === 'mkdir' ? ': ' : ' '}${reason}`);
    expect(() => lastLines(path, 3, all)).toThrow(reason);
  });

  test('all lines come in order, and the reader is waited for', async () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `line ${index}`).join('\n');
    const lines: string[] = [];
    let waits = 0;
    await eachLine(logOf(text), { redactor, line: (line) => lines.push(line), taken: async () => void (waits += 1) });
    expect(lines.join('\n')).toBe(text);
    expect(waits).toBeGreaterThan(5);
  });

  test('a secret is masked also where it is read in two pieces', async () => {
    const lines: string[] = [];
    await eachLine(logOf(`${'.'.repeat(65_530)}hunter2x\n`), { redactor, line: (line) => lines.push(line), taken: async () => undefined });
    expect(lines.join('')).toBe(`${'.'.repeat(65_530)}********`);
  });
});
