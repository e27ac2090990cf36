import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { replaceFile } from '../../../src/kernel/files/index.ts';
import { syncAt } from '../../../src/kernel/files/sync.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { withoutProc, testUnless } from '../../support/needs.ts';

const folder = tempFolder();

describe('replaceFile', () => {
  test('makes a file that only its owner reads, and leaves nothing beside it', async () => {
    await replaceFile(folder.at('state.json'), '{"é":1}\n');
    expect(readFileSync(folder.at('state.json'), 'utf8')).toBe('{"é":1}\n');
    expect(statSync(folder.at('state.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path)).toEqual(['state.json']);
  });

  test('takes bytes, emptiness and a mode', async () => {
    await replaceFile(folder.at('bytes'), new Uint8Array([0, 255, 10]), { mode: 0o640 });
    await replaceFile(folder.at('empty'), '');
    expect([...readFileSync(folder.at('bytes'))]).toEqual([0, 255, 10]);
    expect(statSync(folder.at('bytes')).mode & 0o777).toBe(0o640 & ~process.umask());
    expect(statSync(folder.at('empty')).size).toBe(0);
  });

  test('puts a new file in the place of the old one, whose readers keep what they opened', async () => {
    writeFileSync(folder.at('f'), 'old');
    const before = statSync(folder.at('f')).ino;
    await replaceFile(folder.at('f'), 'new');
    expect(readFileSync(folder.at('f'), 'utf8')).toBe('new');
    expect(statSync(folder.at('f')).ino).not.toBe(before);
  });

  test('shows a reader one content or the other, never a part', async () => {
    const contents = ['a', 'b'].map((letter) => letter.repeat(300_000));
    await replaceFile(folder.at('f'), contents[0] ?? '');
    const seen = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const replaced = replaceFile(folder.at('f'), contents[round % 2] ?? '');
      let isDone = false;
      void replaced.then(() => (isDone = true));
      while (!isDone) {
        seen.add(readFileSync(folder.at('f'), 'utf8'));
        await new Promise(setImmediate);
      }
    }
    expect([...seen].filter((content) => !contents.includes(content))).toEqual([]);
  });

  test('lets many replace at once: one of them wins whole', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `${index};`.repeat(1000));
    await Promise.all(texts.map((text) => replaceFile(folder.at('f'), text)));
    expect(texts).toContain(readFileSync(folder.at('f'), 'utf8'));
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  test('replaces a symbolic link itself and leaves alone what it leads to', async () => {
    writeFileSync(folder.at('target'), 'target');
    symlinkSync('target', folder.at('link'));
    await replaceFile(folder.at('link'), 'new');
    expect(lstatSync(folder.at('link')).isSymbolicLink()).toBe(false);
    expect(readFileSync(folder.at('target'), 'utf8')).toBe('target');
  });

  test('has room for its temporary beside the longest name', async () => {
    const longest = folder.at('n'.repeat(255));
    await replaceFile(longest, 'x');
    expect(existsSync(longest)).toBe(true);
  });
});

describe('a replaceFile that fails', () => {
  test('at the rename leaves nothing behind', async () => {
    mkdirSync(folder.at('f'));
    await expect(replaceFile(folder.at('f'), 'x')).rejects.toMatchObject({
      code: 'not-a-file',
      message: `cannot write ${folder.at('f')}: it is a directory`,
    });
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  test('for want of the folder names the path', async () => {
    const path = folder.at('none', 'f');
    await expect(replaceFile(path, 'x')).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining(path) });
  });

  test('for want of permission leaves the old file', async () => {
    writeFileSync(folder.at('f'), 'old');
    chmodSync(folder.path, 0o555);
    await asOrdinaryUser(() => expect(replaceFile(folder.at('f'), 'x')).rejects.toMatchObject({ code: 'permission-denied' }));
    chmodSync(folder.path, 0o755);
    expect(readFileSync(folder.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(folder.path)).toEqual(['f']);
  });

  const replaceLarge = bundledProgram(join(import.meta.dirname, 'programs/replace-large.ts'));

  test('in the middle of writing leaves the old file, and no temporary', () => {
    writeFileSync(folder.at('f'), 'old');
    const withLimit = 'ulimit -f 64; exec "$0" "$@"';
    const said = execFileSync('bash', ['-c', withLimit, process.execPath, replaceLarge.file, folder.at('f')], { encoding: 'utf8' });
    expect(said).toBe(`cannot write ${folder.at('f')}: EFBIG`);
    expect(readFileSync(folder.at('f'), 'utf8')).toBe('old');
    expect(readdirSync(folder.path)).toEqual(['f']);
  });
});

testUnless(withoutProc, 'a folder that cannot be synced is no failure', async () => {
  await expect(syncAt('/proc/self')).resolves.toBeUndefined();
  await expect(syncAt('/proc/none')).rejects.toMatchObject({ code: 'ENOENT' });
});
