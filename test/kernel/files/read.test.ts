import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBytes, readBytesIfPresent } from '../../../src/kernel/files/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const folder = tempFolder();

describe.each([
  ['readBytes', readBytes],
  ['readBytesIfPresent', readBytesIfPresent],
])('%s', (_, read) => {
  test('gives every byte', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    writeFileSync(folder.at('f'), bytes);
    expect(Uint8Array.from(read(folder.at('f')) ?? [])).toEqual(bytes);
  });

  test('follows links, as for any path that a user names', () => {
    writeFileSync(folder.at('f'), 'x');
    symlinkSync('f', folder.at('link'));
    expect(read(folder.at('link'))?.length).toBe(1);
  });

  test('reads up to the bound and refuses one byte more', () => {
    writeFileSync(folder.at('f'), 'x'.repeat(100));
    expect(read(folder.at('f'), { maxBytes: 100 })?.length).toBe(100);
    expect(() => read(folder.at('f'), { maxBytes: 99 })).toThrow(
      expect.objectContaining({ code: 'file-too-large', message: `${folder.at('f')} has 100 bytes, more than the 99 that are read` }),
    );
  });

  testUnless(notOnLinux, 'bounds a file whose size the system does not tell', () => {
    expect(read('/proc/self/status')?.length).toBeGreaterThan(100);
    expect(() => read('/proc/self/status', { maxBytes: 100 })).toThrow(expect.objectContaining({ code: 'file-too-large' }));
  });

  test('refuses a folder, and a file taken for one', () => {
    writeFileSync(folder.at('f'), 'x');
    mkdirSync(folder.at('d'));
    expect(() => read(folder.at('d'))).toThrow(
      expect.objectContaining({ code: 'not-a-file', message: `cannot read ${folder.at('d')}: it is a directory` }),
    );
    expect(() => read(folder.at('f', 'x'))).toThrow(expect.objectContaining({ code: 'not-a-directory' }));
  });

  test('does not wait for a writer of a pipe', () => {
    execFileSync('mkfifo', [folder.at('pipe')]);
    expect(() => read(folder.at('pipe'))).toThrow(expect.objectContaining({ code: 'not-a-regular-file' }));
    expect(() => read('/dev/null')).toThrow(expect.objectContaining({ code: 'not-a-regular-file' }));
  });

  test('names what it may not read', async () => {
    writeFileSync(folder.at('f'), 'x', { mode: 0o600 });
    chmodSync(folder.path, 0o755);
    chmodSync(folder.at('f'), 0o000);
    await asOrdinaryUser(() => {
      expect(() => read(folder.at('f'))).toThrow(
        expect.objectContaining({ code: 'permission-denied', message: `cannot read ${folder.at('f')}: permission denied` }),
      );
    });
  });

  test('refuses a loop of links and a NUL byte', () => {
    symlinkSync('b', folder.at('a'));
    symlinkSync('a', folder.at('b'));
    expect(() => read(folder.at('a'))).toThrow(expect.objectContaining({ code: 'symlink-refused' }));
    expect(() => read('a\0b')).toThrow(expect.objectContaining({ code: 'system-error' }));
  });
});

test('what is missing is an error, or nothing where that is asked for', () => {
  symlinkSync('nowhere', folder.at('dangling'));
  for (const path of [folder.at('none'), folder.at('none', 'f'), folder.at('dangling')]) {
    expect(() => readBytes(path)).toThrow(
      expect.objectContaining({ code: 'not-found', message: `cannot read ${path}: no such file or directory` }),
    );
    expect(readBytesIfPresent(path)).toBeUndefined();
  }
});
