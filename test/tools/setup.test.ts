import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testUnless } from '../support/needs.ts';
import { writeFiles } from '../support/temp.ts';
import { checkout, ROOT, runTool, setUp, type Checkout } from './support.ts';

const SILENT_SUCCESS = { status: 0, stdout: '', stderr: '' };

describe('setup', () => {
  test('installs what is locked and builds on a fresh clone, then has nothing to do', () => {
    const clone = checkout();
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
    expect(clone.bach()).toBe('first\n');
    const before = statSync(join(clone.folder, 'dist')).ctimeMs;
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
    expect(statSync(join(clone.folder, 'dist')).ctimeMs).toBe(before);
  });

  test('builds again after an edit, and leaves nothing beside dist', () => {
    const clone = checkout();
    clone.linkPackages();
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    writeFiles(clone.folder, { 'src/cli/bach.ts': "process.stdout.write('second\\n');\n", 'dist.next/999999999/half': 'left by a killed build' });
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    expect(clone.bach()).toBe('second\n');
    expect(clone.npmCalls()).toBe('');
    expect(readdirSync(clone.folder).filter((name) => /^dist|lock$/.test(name))).toEqual(['dist']);
  });

  test('installs again when a locked version differs from the installed one', () => {
    const clone = checkout();
    const lock = JSON.parse(readFileSync(join(clone.folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
    writeFiles(clone.folder, { 'node_modules/.package-lock.json': JSON.stringify({ packages: { ...lock.packages, 'node_modules/knip': { version: '0' } } }) });
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
  });

  test('says so when npm ci fails, and does not go on', () => {
    const clone = checkout();
    writeFiles(clone.folder, { 'path/npm': '#!/bin/sh\nexit 1\n' });
    expect(setUp(clone)).toMatchObject({ status: 1, stderr: expect.stringContaining('npm ci failed') as string });
    expect(existsSync(join(clone.folder, 'dist'))).toBe(false);
  });

  test('two at once install and build once each in turn', async () => {
    const clone = checkout();
    const start = () => spawn(process.execPath, ['tools/setup.mjs'], { cwd: clone.folder, env: clone.env, stdio: 'ignore' });
    const codes = await Promise.all([start(), start()].map((child) => new Promise((resolve) => child.on('exit', resolve))));
    expect(codes).toEqual([0, 0]);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
    expect(clone.bach()).toBe('first\n');
  });

  test('takes over the lock of a setup that was killed', () => {
    const clone = checkout();
    clone.linkPackages();
    writeFiles(clone.folder, { '.setup.lock': '999999999\n' });
    expect(setUp(clone)).toMatchObject({ status: 0 });
    expect(existsSync(join(clone.folder, '.setup.lock'))).toBe(false);
  });

  test('a failed build is a failed setup and keeps the build that was there', () => {
    const clone = checkout();
    clone.linkPackages();
    setUp(clone);
    writeFiles(clone.folder, { 'src/cli/bach.ts': 'const = ;\n' });
    expect(setUp(clone).status).toBe(1);
    expect(clone.bach()).toBe('first\n');
  });

  test('names the Debian packages of missing programs, and installs none outside CI', () => {
    const clone = checkout();
    clone.linkPackages();
    const result = setUp({ ...clone, env: { PATH: join(clone.folder, 'path') } }, '--tests');
    expect(result.status).toBe(0);
    expect(result.stderr).toContain('tmux is missing');
    expect(result.stderr).toContain('apt-get install --yes tmux make bubblewrap gcc libc6-dev bash zsh fish postgresql\n');
  });

  testUnless(process.getuid?.() === 0 ? undefined : 'only root installs packages', 'installs them as root in CI, after an update of the lists', () => {
    const clone = checkout();
    clone.linkPackages();
    writeFiles(clone.folder, { 'path/apt-get': '#!/bin/sh\necho "apt-get $@" >> calls\n' });
    chmodSync(join(clone.folder, 'path/apt-get'), 0o755);
    const result = setUp({ ...clone, env: { PATH: join(clone.folder, 'path'), CI: 'true' } as Checkout['env'] }, '--tests');
    expect(result.status).toBe(0);
    expect(clone.npmCalls()).toMatch(/^apt-get .*update\napt-get .*install --yes --no-install-recommends tmux make bubblewrap gcc libc6-dev bash zsh fish postgresql\n$/);
  });
});

describe('build', () => {
  test('installs what is locked first where it is missing, as `npm pack` on a fresh clone needs it', () => {
    const clone = checkout();
    expect(runTool(clone, 'build.mjs')).toEqual(SILENT_SUCCESS);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
    expect(clone.bach()).toBe('first\n');
    expect(runTool(clone, 'build.mjs')).toEqual(SILENT_SUCCESS);
    expect(clone.npmCalls()).toBe('ci --include=dev\n');
  });

  test('asks for a real install when it is part of a dry run of npm', () => {
    const clone = checkout();
    writeFiles(clone.folder, { 'path/npm': '#!/bin/sh\necho "$npm_config_dry_run" >> calls\nexit 1\n' });
    const env = { ...clone.env, npm_config_dry_run: 'true' };
    const { status, stderr } = runTool({ ...clone, env }, 'build.mjs');
    expect({ status, stderr, asked: clone.npmCalls() }).toEqual({ status: 1, stderr: 'setup: npm ci failed; see its message above\n', asked: 'false\n' });
    expect(existsSync(join(clone.folder, 'dist'))).toBe(false);
  });

  test('refuses to bundle a package that has no licence text', () => {
    const clone = checkout();
    clone.linkPackages();
    writeFiles(clone.folder, {
      'src/node_modules/nameless/package.json': '{ "name": "nameless", "version": "1.0.0", "main": "main.js" }',
      'src/node_modules/nameless/main.js': 'export const text = "nameless\\n";\n',
      'src/cli/bach.ts': "import { text } from 'nameless';\nprocess.stdout.write(text);\n",
    });
    expect(runTool(clone, 'build.mjs')).toMatchObject({ status: 1, stderr: expect.stringContaining('nameless is bundled and has no licence file') as string });
  });
});

describe('build --release', () => {
  test('prints the version of the package; a checkout says dev', () => {
    const clone = checkout();
    clone.linkPackages();
    writeFiles(clone.folder, { 'src/cli/bach.ts': 'declare const __DROVER_VERSION__: string;\nprocess.stdout.write(__DROVER_VERSION__);\n' });
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    spawnSync(process.execPath, ['tools/build.mjs', '--release'], { cwd: clone.folder });
    expect(clone.bach()).toBe(version);
    expect(setUp(clone)).toEqual(SILENT_SUCCESS);
    expect(clone.bach()).toBe('dev');
  });
});
