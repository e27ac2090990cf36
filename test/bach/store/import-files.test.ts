import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canonicalFile, readImport } from '../../../src/bach/store/import-files.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** A folder with `Bachfile`, `ci/x.bach`, and `link` that leads to `ci`. */
function project(): { readonly folder: string; readonly root: { readonly canonical: string; readonly shown: string } } {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'ci/deep'), { recursive: true });
  writeFileSync(join(folder, 'Bachfile'), 'root');
  writeFileSync(join(folder, 'ci/x.bach'), 'x');
  symlinkSync('ci/deep', join(folder, 'link'));
  return { folder, root: { canonical: canonicalFile('Bachfile', folder), shown: '../p/Bachfile' } };
}

describe('reading what a file imports', () => {
  test('it starts at the folder of the importing file, and is shown beside it', () => {
    const { folder, root } = project();
    expect(readImport(root, './ci/x.bach')).toMatchObject({ kind: 'file', canonical: join(folder, 'ci/x.bach'), shown: '../p/ci/x.bach' });
    const nested = readImport({ canonical: join(folder, 'ci/x.bach'), shown: 'ci/x.bach' }, '../Bachfile');
    expect(nested).toMatchObject({ canonical: join(folder, 'Bachfile'), shown: 'Bachfile' });
    expect('bytes' in nested ? new TextDecoder().decode(nested.bytes) : '').toBe('root');
  });

  test('two ways to one file lead to the same one', () => {
    const { folder, root } = project();
    symlinkSync('ci/x.bach', join(folder, 'y.bach'));
    expect(readImport(root, 'y.bach')).toMatchObject({ canonical: join(folder, 'ci/x.bach'), shown: '../p/y.bach' });
    expect(readImport(root, 'link/../x.bach')).toMatchObject({ canonical: join(folder, 'ci/x.bach') });
    expect(canonicalFile('y.bach', folder)).toBe(canonicalFile('ci/x.bach', folder));
  });

  test('one that is not there, a folder, a device, a circle of links and a huge file are refused with their path', () => {
    const { folder, root } = project();
    symlinkSync('round', join(folder, 'round'));
    symlinkSync('/dev/zero', join(folder, 'zero'));
    writeFileSync(join(folder, 'huge'), '');
    truncateSync(join(folder, 'huge'), 65 * 1024 * 1024);
    for (const path of ['gone.bach', 'ci', 'round', 'zero', 'huge']) {
      const read = readImport(root, path);
      expect({ path, kind: read.kind }).toEqual({ path, kind: 'failed' });
      expect('message' in read ? read.message : '').toContain(path === 'zero' ? '/dev/zero' : path);
    }
  });

  test('a Bachfile that is not there has a path all the same', () => {
    expect(canonicalFile('gone', '/nowhere')).toBe('/nowhere/gone');
  });
});
