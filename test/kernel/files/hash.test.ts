import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, statSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { fileSystemKind, HashMemory, hashFile, holdFile, isTrusted, type FileStamp, type HashedFile } from '../../../src/kernel/files/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const MS = 1_000_000n;
const folder = tempFolder();
const clock = systemClock();
const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
const coded = (code: string, part = '') => expect.objectContaining({ code, message: expect.stringContaining(part) });
const later = (ms: number) => ({ wall: () => clock.wall() + BigInt(ms) * MS });

beforeEach(() => {
  writeFileSync(folder.at('f'), 'content');
});

describe('hashFile', () => {
  test.each([0, 1, 262_143, 262_144, 262_145, 5_000_000])('hashes %i bytes', async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, index) => index % 251);
    writeFileSync(folder.at('f'), bytes);
    const { hash, stamp } = await hashFile(folder.at('f'), { clock });
    expect([hash, stamp.size]).toEqual([sha256(bytes), BigInt(size)]);
  });

  test('follows links and says which file it was', async () => {
    symlinkSync('f', folder.at('link'));
    const { stamp, hash } = await hashFile(folder.at('link'), { clock });
    const { ino, dev, mtimeNs, ctimeNs } = statSync(folder.at('f'), { bigint: true });
    expect([stamp, hash]).toEqual([{ dev, ino, size: 7n, mtimeNs, ctimeNs }, sha256('content')]);
  });

  test('refuses what is held, is no file, or is not there', async () => {
    const hold = holdFile(folder.at('f'));
    await expect(hashFile(folder.at('f'), { clock })).rejects.toThrow(coded('file-held', folder.at('f')));
    hold?.release();
    await expect(hashFile(folder.path, { clock })).rejects.toThrow(coded('not-a-file'));
    await expect(hashFile(folder.at('none'), { clock })).rejects.toThrow(coded('not-found', folder.at('none')));
    execFileSync('mkfifo', [folder.at('pipe')]);
    await expect(hashFile(folder.at('pipe'), { clock })).rejects.toThrow(coded('not-a-regular-file'));
  });

  test('ends with its signal', async () => {
    truncateSync(folder.at('f'), 2 ** 32);
    const controller = new AbortController();
    const reason = new Error('enough');
    const hashing = hashFile(folder.at('f'), { clock, signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(hashing).rejects.toBe(reason);
  });

  test('reads again what changed while it was read, and gives up on what does not stop', async () => {
    let changes = 2;
    let isDue = false;
    const told = { wall: () => ((isDue = true), clock.wall()) };
    // Asked before each chunk, so between the two looks at the file.
    const signal = { throwIfAborted: () => isDue && (isDue = false, (changes -= 1) >= 0) && appendFileSync(folder.at('f'), 'x') };
    const options = { clock: told, signal: signal as unknown as AbortSignal };
    expect((await hashFile(folder.at('f'), options)).hash).toBe(sha256('contentxx'));
    changes = 100;
    await expect(hashFile(folder.at('f'), options)).rejects.toThrow(coded('file-changing', folder.at('f')));
  });
});

const STAMP: FileStamp = { dev: 1n, ino: 2n, size: 3n, mtimeNs: 1_700_000_000_000_000_001n, ctimeNs: 1_700_000_000_123_456_789n };

describe('a remembered hash', () => {
  const hashedAfter = (ns: bigint, stamp = STAMP): HashedFile => ({ hash: 'h', stamp, startedNs: stamp.ctimeNs + ns });

  test.each(['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const)('is not trusted when %s is another by one', (field) => {
    const remembered = hashedAfter(60_000n * MS);
    expect(isTrusted(remembered, { ...STAMP }, 'local')).toBe(true);
    expect(isTrusted(remembered, { ...STAMP, [field]: STAMP[field] + 1n }, 'local')).toBe(false);
  });

  test.each([
    ['local', 20n],
    ['other', 2000n],
  ] as const)('on a %s file system is trusted only when both stamps were older by %s ms', (kind, ms) => {
    expect(isTrusted(hashedAfter(ms * MS), STAMP, kind)).toBe(false);
    expect(isTrusted(hashedAfter(ms * MS + 1n), STAMP, kind)).toBe(true);
    const written = { ...STAMP, mtimeNs: STAMP.ctimeNs + 5n };
    expect(isTrusted(hashedAfter(ms * MS + 5n, written), written, kind)).toBe(false);
    expect(isTrusted(hashedAfter(ms * MS + 6n, written), written, kind)).toBe(true);
  });

  test('from a file system with whole seconds needs two of them', () => {
    const coarse = { ...STAMP, mtimeNs: 1_700_000_000_000_000_000n, ctimeNs: 1_700_000_000_000_000_000n };
    expect(isTrusted(hashedAfter(1900n * MS, coarse), coarse, 'local')).toBe(false);
    expect(isTrusted(hashedAfter(2001n * MS, coarse), coarse, 'local')).toBe(true);
  });

  test('with a stamp from the future is not trusted', () => {
    expect(isTrusted(hashedAfter(-1n), STAMP, 'local')).toBe(false);
  });
});

describe('HashMemory', () => {
  test('does not read again what it may trust', async () => {
    const memory = new HashMemory({ clock: later(10_000) });
    const first = await memory.hash(folder.at('f'));
    expect(await memory.hash(folder.at('f'))).toBe(first);
    const other = new HashMemory({ clock, known: memory.entries() });
    expect(await other.hash(folder.at('f'))).toBe(first);
  });

  test('reads a young file again, so that a change in the same instant is seen', async () => {
    const memory = new HashMemory({ clock });
    for (let round = 0; round < 50; round += 1) {
      const content = round % 2 === 0 ? 'even' : 'odds';
      writeFileSync(folder.at('f'), content);
      expect((await memory.hash(folder.at('f'))).hash).toBe(sha256(content));
    }
  });

  test.each<[string, () => void]>([
    ['written again', () => writeFileSync(folder.at('f'), 'CONTENT')],
    ['written again with its old time', () => {
      const { atime, mtime } = statSync(folder.at('f'));
      writeFileSync(folder.at('f'), 'CONTENT');
      utimesSync(folder.at('f'), atime, mtime);
    }],
    ['replaced', () => {
      writeFileSync(folder.at('g'), 'CONTENT');
      renameSync(folder.at('g'), folder.at('f'));
    }],
  ])('sees a file that was %s', async (_, change) => {
    const memory = new HashMemory({ clock: later(10_000) });
    await memory.hash(folder.at('f'));
    change();
    expect((await memory.hash(folder.at('f'))).hash).toBe(sha256('CONTENT'));
  });

  test('does not answer for a file that is held, nor for one that is gone', async () => {
    const memory = new HashMemory({ clock: later(10_000) });
    await memory.hash(folder.at('f'));
    const hold = holdFile(folder.at('f'));
    await expect(memory.hash(folder.at('f'))).rejects.toThrow(coded('file-held'));
    hold?.release();
    renameSync(folder.at('f'), folder.at('g'));
    await expect(memory.hash(folder.at('f'))).rejects.toThrow(coded('not-found', folder.at('f')));
  });
});

testUnless(notOnLinux, 'file systems are local by their type, and anything unknown is not', async () => {
  expect(await fileSystemKind('/dev/shm')).toBe('local');
  expect(await fileSystemKind('/proc')).toBe('other');
  mkdirSync(folder.at('d'));
  expect(['local', 'other']).toContain(await fileSystemKind(folder.at('d')));
});
