import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
}

const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

describe('the lock file', () => {
  test('has no address to download from, so that every registry serves it', () => {
    const addressed = packages.filter(([, { resolved }]) => resolved !== undefined && /^\w+:\/\//.test(resolved));
    expect(addressed).toEqual([]);
  });

  test('names a version and a hash for every package', () => {
    const loose = packages.filter(([, { version, integrity }]) => version === undefined || !integrity?.startsWith('sha512-'));
    expect(loose).toEqual([]);
  });
});

describe('package.json', () => {
  test.each(['dependencies', 'devDependencies'])('pins exact versions in %s', (kind) => {
    for (const version of Object.values(manifest[kind] ?? {})) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('allows install scripts only of what it depends on at run time', () => {
    expect(Object.keys(manifest['dependencies'] ?? {})).toEqual(expect.arrayContaining(Object.keys(manifest['allowScripts'] ?? {})));
    expect(Object.keys(manifest['allowScripts'] ?? {})).toEqual(['@photostructure/sqlite']);
  });
});
