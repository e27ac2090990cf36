import { linkSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { holdFile, readBytes, readBytesIfPresent, replaceFile } from '../../../src/kernel/files/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { withoutProc, testUnless } from '../../support/needs.ts';

const folder = tempFolder();
const held = expect.objectContaining({ code: 'file-held' });

beforeEach(() => {
  writeFileSync(folder.at('state.db'), 'rows');
});

describe('a file that is held', () => {
  test('is neither read nor replaced until it is released', async () => {
    const hold = holdFile(folder.at('state.db'));
    expect(() => readBytes(folder.at('state.db'))).toThrow(held);
    expect(() => readBytesIfPresent(folder.at('state.db'))).toThrow(held);
    await expect(replaceFile(folder.at('state.db'), 'x')).rejects.toThrow(held);
    hold?.release();
    expect(readBytes(folder.at('state.db')).length).toBe(4);
    await replaceFile(folder.at('state.db'), 'x');
  });

  test('is known under each of its names', () => {
    linkSync(folder.at('state.db'), folder.at('hard'));
    symlinkSync('state.db', folder.at('soft'));
    const hold = holdFile(folder.at('soft'));
    for (const name of ['state.db', 'hard', 'soft']) expect(() => readBytes(folder.at(name))).toThrow(held);
    hold?.release();
  });

  test.each([[0, 1], [1, 0]])('is held as often as it was taken, whoever goes first: %s', (...order) => {
    const holds = [holdFile(folder.at('state.db')), holdFile(folder.at('state.db'))];
    const [first, second] = order.map((index) => holds[index]);
    first?.release();
    first?.release();
    expect(() => readBytes(folder.at('state.db'))).toThrow(held);
    second?.release();
    expect(readBytes(folder.at('state.db')).length).toBe(4);
  });

  test('does not keep others from being read', () => {
    writeFileSync(folder.at('other'), 'x');
    const hold = holdFile(folder.at('state.db'));
    expect(readBytes(folder.at('other')).length).toBe(1);
    hold?.release();
  });
});

testUnless(withoutProc, 'a refusal has opened nothing that it would have to close', () => {
  const hold = holdFile(folder.at('state.db'));
  const before = readdirSync('/proc/self/fd').length;
  for (let round = 0; round < 20; round += 1) expect(() => readBytes(folder.at('state.db'))).toThrow(held);
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(before + 20);
  hold?.release();
});

test('a file that is closed later than its hold is held until then', () => {
  let isClosed = false;
  holdFile(folder.at('state.db'))?.release(() => isClosed);
  expect(() => readBytes(folder.at('state.db'))).toThrow(held);
  isClosed = true;
  expect(readBytes(folder.at('state.db')).length).toBe(4);
});

test('nothing is held where there is no file', () => {
  expect(holdFile(folder.at('none'))).toBeUndefined();
});

test('a refusal leaves the file as it was', async () => {
  const hold = holdFile(folder.at('state.db'));
  await expect(replaceFile(folder.at('state.db'), 'x')).rejects.toThrow(held);
  hold?.release();
  expect(readFileSync(folder.at('state.db'), 'utf8')).toBe('rows');
});
