import { chmodSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { resolveInside } from '../../../src/kernel/files/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const folder = tempFolder();
let root = '';

beforeEach(() => {
  root = folder.at('project');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(folder.at('secret'));
  writeFileSync(folder.at('secret', 'key'), '');
  writeFileSync(join(root, 'src', 'a.ts'), '');
});

function refusal(path: string): unknown {
  try {
    return resolveInside(root, path);
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('a path without links', () => {
  test.each(['src/a.ts', 'src', '.', 'src/../src/./a.ts', 'none', 'none/deep/file', 'src/none'])('%s stays', (path) => {
    expect(resolveInside(root, path)).toBe(join(root, path));
  });

  test('may be absolute inside the root', () => {
    expect(resolveInside(root, join(root, 'src'))).toBe(join(root, 'src'));
  });

  test.each(['..', '../secret/key', '/etc/passwd', 'src/../../secret', 'a\0b'])('%j is refused by name', (path) => {
    expect(() => resolveInside(root, path)).toThrow(
      expect.objectContaining({ code: 'path-outside', message: expect.stringContaining(JSON.stringify(path)) }),
    );
  });
});

describe('a path through links', () => {
  test('is given as the place it means', () => {
    symlinkSync('src', join(root, 'inner'));
    symlinkSync(join(root, 'src'), join(root, 'absolute'));
    symlinkSync('../project/./src', join(root, 'around'));
    for (const link of ['inner', 'absolute', 'around']) {
      expect(resolveInside(root, `${link}/a.ts`)).toBe(join(root, 'src', 'a.ts'));
      expect(resolveInside(root, `${link}/new/file`)).toBe(join(root, 'src', 'new', 'file'));
    }
  });

  test('is refused where it leads out, whether its end exists or not', () => {
    symlinkSync('../secret', join(root, 'out'));
    symlinkSync(folder.at('secret', 'key'), join(root, 'key'));
    symlinkSync(folder.at('unborn'), join(root, 'dangling'));
    symlinkSync('out', join(root, 'chain'));
    symlinkSync('../..', join(root, 'src', 'up'));
    for (const path of ['out', 'out/key', 'out/new', 'key', 'dangling', 'dangling/x', 'chain/key', 'src/up']) {
      expect([path, refusal(path)]).toEqual([path, 'path-outside']);
    }
  });

  test('is judged by where it ends, not by where it passes', () => {
    symlinkSync('../secret/../project/src', join(root, 'around'));
    symlinkSync('../../project/src', folder.at('secret', 'back'));
    symlinkSync('../secret', join(root, 'out'));
    expect(resolveInside(root, 'around/a.ts')).toBe(join(root, 'src', 'a.ts'));
    expect(refusal('out/back/../x')).toBe('path-outside');
  });

  test('may have a root that is a link', () => {
    symlinkSync('project', folder.at('root'));
    expect(resolveInside(folder.at('root'), 'src/new')).toBe(join(root, 'src', 'new'));
    expect(() => resolveInside(folder.at('root'), join(root, 'src'))).toThrow(expect.objectContaining({ code: 'path-outside' }));
  });

  test('ends where links go round', () => {
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    symlinkSync('self/x', join(root, 'self'));
    expect(refusal('a')).toBe('symlink-refused');
    expect(refusal('self/y')).toBe('symlink-refused');
  });

  testUnless(notOnLinux, 'may lead through as many links as the system follows, and no more', () => {
    symlinkSync('src', join(root, 'l0'));
    for (let link = 1; link <= 40; link += 1) symlinkSync(`l${link - 1}`, join(root, `l${link}`));
    expect(statSync(join(root, 'l39')).isDirectory()).toBe(true);
    expect(refusal('l39/a.ts')).toBe(join(root, 'src', 'a.ts'));
    expect(() => statSync(join(root, 'l40'))).toThrow('ELOOP');
    expect(refusal('l40/a.ts')).toBe('symlink-refused');
  });

  test('is refused where a folder may not be looked into', async () => {
    mkdirSync(join(root, 'shut'));
    chmodSync(join(root, 'shut'), 0o000);
    chmodSync(folder.path, 0o755);
    await asOrdinaryUser(() => expect(refusal('shut/x')).toBe('permission-denied'));
  });
});

test('a path below a file is no place', () => {
  expect(refusal('src/a.ts/below')).toBe('not-a-directory');
});

test('agrees with the system on every path that exists', () => {
  mkdirSync(join(root, 'src', 'd'));
  symlinkSync('src/d', join(root, 'l'));
  symlinkSync('..', join(root, 'src', 'd', 'p'));
  symlinkSync('../..', join(root, 'src', 'd', 'q'));
  symlinkSync('../secret', join(root, 'out'));
  const path = fc.array(fc.constantFrom('src', 'd', 'l', 'p', 'q', 'out', '..', '.'), { maxLength: 7 });
  fc.assert(
    fc.property(path, (names) => {
      const lexical = join(root, ...names);
      fc.pre(lexical === root || lexical.startsWith(`${root}/`));
      const real = realPath(lexical);
      fc.pre(real !== undefined);
      const isInside = real === root || real.startsWith(`${root}/`);
      expect(refusal(names.join('/'))).toBe(isInside ? real : 'path-outside');
    }),
    { seed: 41, numRuns: 500 },
  );
});

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It leads nowhere.
    return undefined;
  }
}
