import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPrivate } from '../../../src/kernel/files/index.ts';
import { testUnless } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temp.ts';

const NOBODY = 65_534;
const noRoot = process.geteuid?.() === 0 ? undefined : 'only root gives a file away';

function privateFile(): { readonly root: string; readonly path: string; read(): string | undefined } {
  const root = temporaryFolder();
  const path = join(root, 'state/cache/entry');
  mkdirSync(join(root, 'state/cache'), { recursive: true, mode: 0o700 });
  writeFileSync(path, 'whole', { mode: 0o600 });
  const read = () => {
    const bytes = readPrivate(path, { root, maxBytes: 100 });
    return bytes === undefined ? undefined : Buffer.from(bytes).toString();
  };
  return { root, path, read };
}

describe('a private file', () => {
  test('is read whole, and nothing where none is', () => {
    const { root, read } = privateFile();
    expect(read()).toBe('whole');
    expect(readPrivate(join(root, 'none/entry'), { root, maxBytes: 100 })).toBeUndefined();
  });

  test.each([
    ['others may read it', ({ path }: { path: string }) => chmodSync(path, 0o640)],
    ['others may write to its folder', ({ root }: { root: string }) => chmodSync(join(root, 'state/cache'), 0o770)],
    ['it is too large', ({ path }: { path: string }) => writeFileSync(path, 'x'.repeat(101))],
    ['it is a link', ({ path }: { path: string }) => {
      renameSync(path, `${path}-real`);
      symlinkSync(`${path}-real`, path);
    }],
    ['its folder is a link', ({ root }: { root: string }) => {
      renameSync(join(root, 'state/cache'), join(root, 'state/real'));
      symlinkSync('real', join(root, 'state/cache'));
    }],
    ['a folder above is a link', ({ root }: { root: string }) => {
      renameSync(join(root, 'state'), join(root, 'real'));
      symlinkSync('real', join(root, 'state'));
    }],
  ])('is none when %s', (_when, change) => {
    const file = privateFile();
    change(file);
    expect(file.read()).toBeUndefined();
  });

  testUnless(noRoot, 'is none when it is somebody else’s', () => {
    const { path, read } = privateFile();
    chownSync(path, NOBODY, NOBODY);
    expect(read()).toBeUndefined();
  });

  testUnless(noRoot, 'is none in a folder of somebody else', () => {
    const { root, read } = privateFile();
    chownSync(join(root, 'state/cache'), NOBODY, NOBODY);
    expect(read()).toBeUndefined();
  });
});
