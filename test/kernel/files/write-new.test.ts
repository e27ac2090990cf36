import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { holdFile, readTail, removeDurably, removeLeftovers, writeNew } from '../../../src/kernel/files/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const coded = (code: string, part = '') => expect.objectContaining({ code, message: expect.stringContaining(part) });

describe('writeNew', () => {
  test('makes a file for its owner alone, with nothing beside it', async () => {
    await writeNew(folder.at('f'), 'é\n');
    expect([readFileSync(folder.at('f'), 'utf8'), statSync(folder.at('f')).mode & 0o777, statSync(folder.at('f')).nlink]).toEqual(['é\n', 0o600, 1]);
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  test('leaves alone whatever has the name', async () => {
    writeFileSync(folder.at('f'), 'old');
    mkdirSync(folder.at('d'));
    symlinkSync('unborn', folder.at('link'));
    for (const name of ['f', 'd', 'link']) await expect(writeNew(folder.at(name), 'x')).rejects.toThrow(coded('already-exists', folder.at(name)));
    expect(readFileSync(folder.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(folder.path).sort()).toEqual(['d', 'f', 'link']);
  });

  test('succeeds for one of many, whose content stands whole', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index};`.repeat(1000));
    const tried = await Promise.allSettled(texts.map((text) => writeNew(folder.at('f'), text)));
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(readFileSync(folder.at('f'), 'utf8')).toBe(texts[tried.findIndex(({ status }) => status === 'fulfilled')]);
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  test('names what it may not make', async () => {
    await expect(writeNew(folder.at('none', 'f'), 'x')).rejects.toThrow(coded('not-found', folder.at('none', 'f')));
    chmodSync(folder.path, 0o555);
    await asOrdinaryUser(() => expect(writeNew(folder.at('f'), 'x')).rejects.toThrow(coded('permission-denied', folder.at('f'))));
    chmodSync(folder.path, 0o755);
  });
});

describe('removeDurably', () => {
  test('removes a file and a link itself, and says when there is nothing', async () => {
    writeFileSync(folder.at('f'), '');
    symlinkSync('f', folder.at('link'));
    expect([await removeDurably(folder.at('link')), existsSync(folder.at('f'))]).toEqual(['removed', true]);
    expect([await removeDurably(folder.at('f')), await removeDurably(folder.at('f'))]).toEqual(['removed', 'missing']);
  });

  test('leaves folders and what is held', async () => {
    mkdirSync(folder.at('d'));
    await expect(removeDurably(folder.at('d'))).rejects.toThrow(expect.objectContaining({ message: expect.stringContaining(folder.at('d')) }));
    writeFileSync(folder.at('db'), '');
    const hold = holdFile(folder.at('db'));
    await expect(removeDurably(folder.at('db'))).rejects.toThrow(coded('file-held', folder.at('db')));
    hold?.release();
    expect(readdirSync(folder.path).sort()).toEqual(['d', 'db']);
  });
});

test('what killed writers left is removed once it is old, and nothing else', async () => {
  const names = ['.drover-0123456789abcdef.tmp', '.drover-fedcba9876543210.tmp', '.drover-short.tmp', 'x.drover-0123456789abcdef.tmp'];
  for (const name of names) writeFileSync(folder.at(name), '');
  mkdirSync(folder.at('.drover-00000000deadbeef.tmp'));
  for (const name of readdirSync(folder.path)) utimesSync(folder.at(name), 1000, 1000);
  utimesSync(folder.at(names[1] ?? ''), 3000, 3000);
  expect(await removeLeftovers(folder.path, { before: 2000n * 10n ** 9n })).toBe(1);
  expect(readdirSync(folder.path).sort()).toEqual(['.drover-00000000deadbeef.tmp', ...names.slice(1)].sort());
  await expect(removeLeftovers(folder.at('none'), { before: 0n })).rejects.toThrow(coded('not-found', folder.at('none')));
});

describe('readTail', () => {
  test.each([
    [3, 'hij', 7],
    [10, 'abcdefghij', 0],
    [99, 'abcdefghij', 0],
    [0, '', 10],
  ])('of %i bytes', async (maxBytes, text, offset) => {
    writeFileSync(folder.at('log'), 'abcdefghij');
    const tail = await readTail(folder.at('log'), { maxBytes });
    expect([Buffer.from(tail.bytes).toString(), tail.offset]).toEqual([text, offset]);
  });

  test('refuses what is held or no file', async () => {
    writeFileSync(folder.at('db'), 'x');
    const hold = holdFile(folder.at('db'));
    await expect(readTail(folder.at('db'), { maxBytes: 1 })).rejects.toThrow(coded('file-held'));
    hold?.release();
    await expect(readTail(folder.path, { maxBytes: 1 })).rejects.toThrow(coded('not-a-file'));
  });
});
