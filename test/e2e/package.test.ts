import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/temp.ts';

const ROOT = join(import.meta.dirname, '../..');
const COPIED = ['bin', 'docs', 'src', 'tools', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'package-lock.json'];
/** What npm would install beside the package. */
const RUNTIME = ['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build'];
const NOBODY = 65_534;

/** Packs a copy of the checkout, so that no other test sees `dist/` being replaced. Answers the path of the tarball. */
function pack(folder: string): string {
  const copy = join(folder, 'checkout');
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const env = { ...process.env, npm_config_cache: join(folder, 'npm-cache') };
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: copy, env });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  return join(folder, tarball ?? 'no tarball');
}

function unpack(tarball: string, folder: string): string {
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

/** Takes the right to write away from everybody, for as long as the test runs. */
function makeReadOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w', folder]);
  onTestFinished(() => void execFileSync('chmod', ['-R', 'u+w', folder]));
}

/** The packages of others whose code is in the bundle, which names the source of each part. */
function bundledPackages(installed: string): ReadonlySet<string> {
  const chunks = join(installed, 'dist/chunks');
  const text = readdirSync(chunks).map((name) => readFileSync(join(chunks, name), 'utf8')).join('');
  return new Set([...text.matchAll(/^\/\/#region .*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm)].map(([, name = '']) => name));
}

/** What the package itself ships: its terms, with the names of those who hold the rights. */
function licenceOf(name: string): string {
  const folder = join(ROOT, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => entry.startsWith('LICENSE'));
  return readFileSync(join(folder, file ?? 'no licence'), 'utf8').trim();
}

describe('the packed package', () => {
  // One test, and slower than 5 s on a busy machine: npm, the bundler and tar each run once for all that it asks.
  test('holds what it needs and no more, and runs from anywhere for anybody', () => {
    const folder = temporaryFolder();
    const tarball = pack(folder);
    const installed = unpack(tarball, join(folder, 'Grüße aus Łódź 日本'));

    expect(readdirSync(installed).toSorted()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'README.md', 'bin', 'dist', 'docs', 'package.json'],
    );
    expect(readdirSync(join(installed, 'bin')).toSorted()).toEqual(['bach', 'chunks.js', 'drover', 'launch.js', 'package.json']);
    expect(readdirSync(join(installed, 'dist')).toSorted()).toEqual(
      ['THIRD-PARTY-LICENSES', 'bach.cjs', 'chunks', 'drover.cjs', 'lease-worker.cjs', 'selftest-toy.cjs', 'stamp'],
    );
    const licences = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENSES'), 'utf8');
    expect(bundledPackages(installed)).toContain('commander');
    for (const name of bundledPackages(installed)) expect(licences).toContain(licenceOf(name));

    for (const name of RUNTIME) cpSync(join(ROOT, 'node_modules', name), join(installed, 'node_modules', name), { recursive: true });
    chmodSync(folder, 0o755);
    makeReadOnly(installed);
    const { version } = JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })) as { version: string };
    for (const name of ['bach', 'drover']) {
      // Without HOME, with a tight umask, and not as root where we can choose.
      const argv = ['-c', 'umask 077; exec "$0" "$@"', join(installed, 'bin', name), '--version'];
      const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
      const result = spawnSync('/bin/sh', argv, { cwd: '/', env: { PATH: process.env['PATH'] }, encoding: 'utf8', ...user });
      expect(result).toMatchObject({ status: 0, stdout: `${name} ${version}\n`, stderr: '' });
    }
  });
});
