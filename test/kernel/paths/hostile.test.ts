import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanPath, containedPath, joinPath, programArgument, relativePath } from '../../../src/kernel/paths/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

/** Pieces of names that shells, globs, git and terminals read as something else. */
const PIECES = ['\n', '\r', '\t', '-', '--', '*', '?', '[x]', '{a,b}', '!', '$HOME', '`id`', '"', "'", '\\', ';', '|', '&', '<', '~', '#', '%', ':', '@', ' ', 'é', '\u{202e}', '\u{1f600}', 'a', 'CON', 'nul', '.git', '.GIT', '.', '..', '...'];

const name = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')).filter((text) => text !== '.' && text !== '..');
const slashes = fc.constantFrom('/', '//', '/./', '///');
const hostilePath = fc.array(fc.oneof(name, fc.constantFrom('..', '.', '')), { minLength: 1, maxLength: 6 });

describe('a hostile name', () => {
  test('is kept as it is: only dots and slashes mean anything', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), slashes, (names, slash) => {
        expect(cleanPath(names.join(slash))).toBe(names.join('/'));
        expect(joinPath('/house', ...names)).toBe(`/house/${names.join('/')}`);
        expect(containedPath('/house', names.join(slash))).toEqual({ inside: true, path: `/house/${names.join('/')}`, relative: names.join('/') });
      }),
      { seed: 25, numRuns: 500 },
    );
  });

  test('never leads out of a root that has one itself', () => {
    fc.assert(
      fc.property(name, hostilePath, slashes, (rootName, names, slash) => {
        const root = `/house/${rootName}`;
        const found = containedPath(root, names.join(slash));
        if (!found.inside) {
          expect(found.reason).toBe('outside-root');
          return;
        }
        expect(found.path === root || found.path.startsWith(`${root}/`)).toBe(true);
        expect(found.path.split('/')).not.toContain('..');
        expect(joinPath(root, found.relative)).toBe(found.path);
        expect(relativePath(root, found.path)).toBe(found.relative);
      }),
      { seed: 26, numRuns: 1000 },
    );
  });

  test('with a NUL byte anywhere is refused, whatever is around it', () => {
    fc.assert(
      fc.property(hostilePath, hostilePath, (before, after) => {
        const path = `${before.join('/')}\0${after.join('/')}`;
        expect(containedPath('/house', path)).toEqual({ inside: false, reason: 'nul-byte' });
        expect(() => programArgument(path)).toThrow(expect.objectContaining({ code: 'nul-in-path' }));
      }),
      { seed: 27, numRuns: 300 },
    );
  });

  test('reaches a program only when it is no option, and then unchanged', () => {
    fc.assert(
      fc.property(name, (text) => {
        if (text.startsWith('-')) expect(() => programArgument(text)).toThrow(expect.objectContaining({ code: 'dash-path' }));
        else expect(programArgument(text)).toBe(text);
        expect(programArgument(`./${text}`)).toBe(`./${text}`);
        expect(cleanPath(`./${text}`)).toBe(text);
      }),
      { seed: 28, numRuns: 300 },
    );
  });
});

describe('on the disk', () => {
  const folder = tempFolder();
  const names = new Set<string>();

  beforeAll(() => {
    for (const text of [...fc.sample(name, { seed: 29, numRuns: 150 }), 'n'.repeat(255), '界'.repeat(85)]) {
      if (Buffer.byteLength(text) <= 255) names.add(text);
    }
  });

  testUnless(notOnLinux, 'each name of up to 255 bytes is the file that the text says', () => {
    mkdirSync(folder.at('root'));
    for (const text of names) {
      const found = containedPath(folder.at('root'), text);
      expect(found.inside).toBe(true);
      if (found.inside) writeFileSync(found.path, text);
    }
    expect(readdirSync(join(folder.path, 'root')).sort()).toEqual([...names].sort());
    expect(readdirSync(folder.path)).toEqual(['root']);
  });
});
