import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createFolderExclusive, ensureFolder, ensureFolderDurably, ensurePrivateFile, refuseUnlessRegular, syncFolderNow, syncPath } from '../../../src/kernel/files/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { failingSync, whyNoFailingSync } from '../../support/failing-sync.ts';
import { testUnless } from '../../support/needs.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const library = failingSync();
const program = bundledProgram(join(import.meta.dirname, 'programs/ensure-folder.ts'));
const modeOf = (path: string): number => statSync(path).mode & 0o777;
const coded = (code: string, part = '') => expect.objectContaining({ code, message: expect.stringContaining(part) });

describe('ensureFolder', () => {
  test('makes each missing folder for its owner alone', () => {
    ensureFolder(folder.at('.bach', 'runs'), { root: folder.path });
    expect([modeOf(folder.at('.bach')), modeOf(folder.at('.bach', 'runs'))]).toEqual([0o700, 0o700]);
  });

  test('takes another mode, and a path from the root', () => {
    ensureFolder('out/logs', { root: folder.path, mode: 0o750 });
    expect(modeOf(folder.at('out', 'logs'))).toBe(0o750 & ~process.umask());
  });

  test('leaves a folder that exists as it is', () => {
    mkdirSync(folder.at('.bach'), { mode: 0o755 });
    chmodSync(folder.at('.bach'), 0o755);
    ensureFolder(folder.at('.bach'), { root: folder.path });
    ensureFolder(folder.path, { root: folder.path });
    expect(modeOf(folder.at('.bach'))).toBe(0o755);
  });

  test('refuses a link anywhere below the root, and makes nothing behind it', () => {
    mkdirSync(folder.at('elsewhere'));
    mkdirSync(folder.at('project'));
    symlinkSync('../elsewhere', folder.at('project', '.bach'));
    for (const path of ['.bach', '.bach/runs', '.bach/runs/deep']) {
      expect(() => ensureFolder(path, { root: folder.at('project') })).toThrow(coded('symlink-refused', folder.at('project', '.bach')));
    }
    expect(readdirSync(folder.at('elsewhere'))).toEqual([]);
  });

  test('refuses a link that leads nowhere yet', () => {
    symlinkSync('nowhere', folder.at('.bach'));
    expect(() => ensureFolder('.bach/runs', { root: folder.path })).toThrow(coded('symlink-refused'));
    expect(existsSync(folder.at('nowhere'))).toBe(false);
  });

  test('trusts the root, also when it is a link itself', () => {
    mkdirSync(folder.at('real'));
    symlinkSync('real', folder.at('root'));
    ensureFolder(folder.at('root', 'a'), { root: folder.at('root') });
    expect(existsSync(folder.at('real', 'a'))).toBe(true);
  });

  test('refuses a file in the way, a path outside, and a root that is not there', () => {
    writeFileSync(folder.at('f'), '');
    expect(() => ensureFolder('f', { root: folder.path })).toThrow(coded('not-a-directory', folder.at('f')));
    expect(() => ensureFolder('f/a', { root: folder.path })).toThrow(coded('not-a-directory', folder.at('f')));
    expect(() => ensureFolder('../x', { root: folder.path })).toThrow(coded('path-outside', '../x'));
    expect(() => ensureFolder('a', { root: folder.at('none') })).toThrow(coded('not-found', folder.at('none', 'a')));
  });

  test('names the folder that it may not make', async () => {
    chmodSync(folder.path, 0o555);
    await asOrdinaryUser(() => {
      expect(() => ensureFolder('.bach/runs', { root: folder.path })).toThrow(coded('permission-denied', folder.at('.bach')));
    });
    chmodSync(folder.path, 0o755);
  });
});

describe('ensureFolderDurably', () => {
  /** Makes it in a process whose `syncAt`-th sync fails; what it said. */
  function making(path: string, syncAt: number): string {
    const env = { ...process.env, ...library.env({ path: folder.path, syncAt }) };
    return execFileSync(process.execPath, [program.file, folder.path, path], { encoding: 'utf8', env });
  }

  testUnless(whyNoFailingSync(), 'waits until the folder above each new one is on the disk', () => {
    expect(making('a/b', 1)).toBe(`system-error: cannot sync ${folder.path}: EIO`);
    expect(making('c/d', 2)).toBe(`system-error: cannot sync ${folder.at('c')}: EIO`);
    expect(making('e/f', 3)).toBe('made');
  });

  testUnless(whyNoFailingSync(), 'does so also for one that somebody made and nobody used yet', () => {
    mkdirSync(folder.at('a'));
    expect(making('a', 1)).toBe(`system-error: cannot sync ${folder.path}: EIO`);
    writeFileSync(folder.at('a', 'journal'), '');
    expect(making('a', 1)).toBe('made');
  });

  test('makes and refuses what the other one does', async () => {
    await ensureFolderDurably('out/logs', { root: folder.path, mode: 0o750 });
    expect(modeOf(folder.at('out', 'logs'))).toBe(0o750 & ~process.umask());
    symlinkSync('out', folder.at('link'));
    await expect(ensureFolderDurably('link/a', { root: folder.path })).rejects.toThrow(coded('symlink-refused'));
    await expect(ensureFolderDurably('../x', { root: folder.path })).rejects.toThrow(coded('path-outside'));
  });

  test('each new folder is a point at which a test can end the process', async () => {
    vi.stubEnv('DROVER_CRASH_TRACE', folder.at('trace'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await ensureFolderDurably('a/b', { root: folder.path });
    await ensureFolderDurably('a/b', { root: folder.path });
    expect(readFileSync(folder.at('trace'), 'utf8')).toBe('folder:before\nfolder:after\n'.repeat(2));
  });
});

test('a path that cannot be synced is named', async () => {
  await expect(syncPath(folder.at('none'))).rejects.toThrow(coded('not-found', folder.at('none')));
  expect(() => syncFolderNow(folder.at('none'))).toThrow(coded('not-found', folder.at('none')));
  writeFileSync(folder.at('file'), '');
  expect(() => syncFolderNow(folder.at('file'))).toThrow(coded('not-a-directory', folder.at('file')));
  syncFolderNow(folder.at('.'));
});

describe('createFolderExclusive', () => {
  test('makes it once', () => {
    expect(createFolderExclusive(folder.at('run'))).toBe('created');
    expect(createFolderExclusive(folder.at('run'))).toBe('exists');
    expect(modeOf(folder.at('run'))).toBe(0o700);
  });

  test('counts anything else at the path as well', () => {
    writeFileSync(folder.at('f'), '');
    symlinkSync('nowhere', folder.at('link'));
    expect(createFolderExclusive(folder.at('f'))).toBe('exists');
    expect(createFolderExclusive(folder.at('link'))).toBe('exists');
  });

  test('needs the folder above', () => {
    expect(() => createFolderExclusive(folder.at('a', 'b'))).toThrow(coded('not-found', folder.at('a', 'b')));
  });
});

describe('ensurePrivateFile', () => {
  test('makes an empty file for its owner alone, and keeps one that exists', () => {
    ensurePrivateFile(folder.at('new'));
    expect([statSync(folder.at('new')).size, modeOf(folder.at('new'))]).toEqual([0, 0o600]);
    writeFileSync(folder.at('old'), 'old');
    ensurePrivateFile(folder.at('old'));
    expect(statSync(folder.at('old')).size).toBe(3);
  });

  test('refuses a link, a folder and a device', () => {
    symlinkSync('nowhere', folder.at('link'));
    expect(() => ensurePrivateFile(folder.at('link'))).toThrow(coded('symlink-refused', folder.at('link')));
    expect(() => ensurePrivateFile(folder.path)).toThrow(coded('not-a-file', folder.path));
    expect(() => ensurePrivateFile('/dev/null')).toThrow(coded('not-a-regular-file', '/dev/null'));
    expect(existsSync(folder.at('nowhere'))).toBe(false);
  });
});

test('refuseUnlessRegular tells a file from nothing', () => {
  writeFileSync(folder.at('f'), '');
  expect(refuseUnlessRegular(folder.at('f'))).toBe('present');
  expect(refuseUnlessRegular(folder.at('none'))).toBe('missing');
});
