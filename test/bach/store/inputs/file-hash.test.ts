import { createHash } from 'node:crypto';
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileHash } from '../../../../src/bach/store/index.ts';
import { asOrdinaryUser } from '../../../support/ordinary-user.ts';
import { temporaryFolder, writeFiles } from '../../../support/temp.ts';

const FILES = { 'bun.lock': 'lock', 'package.json': '{}', 'src/a.ts': 'a', 'src/deep/b.ts': 'b', '.bach/state.db': 'state' };

function project(files: Readonly<Record<string, string>> = FILES): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}

/** The formula of the reference. */
function expected(files: Readonly<Record<string, string>>): string {
  const digest = createHash('sha256');
  for (const [path, text] of Object.entries(files)) digest.update(`${path}\0${text}\0`);
  return digest.digest('hex').slice(0, 12);
}

describe('file_hash', () => {
  test.each<[string, readonly string[], readonly (keyof typeof FILES)[]]>([
    ['files, in whatever order', ['package.json', 'bun.lock'], ['bun.lock', 'package.json']],
    ['a folder', ['src'], ['src/a.ts', 'src/deep/b.ts']],
    ['patterns', ['src/**/*.ts', '*.json'], ['package.json', 'src/a.ts', 'src/deep/b.ts']],
    ['each file once', ['src', 'src/a.ts'], ['src/a.ts', 'src/deep/b.ts']],
    ['all but state', ['.'], ['bun.lock', 'package.json', 'src/a.ts', 'src/deep/b.ts']],
    ['nothing of what is missing', ['no.lock', 'bun.lock'], ['bun.lock']],
    ['nothing', [], []],
  ])('%s', async (_, paths, files) => {
    expect(await fileHash(paths, { root: project() })).toEqual({ value: expected(Object.fromEntries(files.map((path) => [path, FILES[path]]))) });
  });

  test('a file of several chunks, and an empty one', async () => {
    const files = { big: 'x'.repeat(700_001), empty: '' };
    expect(await fileHash(['.'], { root: project(files) })).toEqual({ value: expected(files) });
  });

  test('it changes with a byte, a name, a file more; not with a stamp', async () => {
    const root = project();
    const hash = async () => JSON.stringify(await fileHash(['src'], { root }));
    const values = [await hash()];
    writeFileSync(join(root, 'src/a.ts'), 'A');
    values.push(await hash());
    writeFiles(root, { 'src/c.ts': '' });
    values.push(await hash());
    expect(new Set(values).size).toBe(3);
    writeFiles(root, { 'src/c.ts': '' });
    expect(await hash()).toBe(values.at(-1));
  });

  test('a link that is not followed counts by where it leads', async () => {
    const root = project({ a: '1' });
    symlinkSync('/nowhere/else', join(root, 'l'));
    expect(await fileHash(['.'], { root })).toEqual({ value: expected({ a: '1', l: '/nowhere/else' }) });
  });

  test.each([
    ['../x', 'must stay under the project root'],
    ['/etc/hosts', 'must stay under the project root'],
    ['src/[', 'malformed pattern'],
    ['.bach', '".bach" names state, which is never an input'],
    ['./.git/HEAD', 'names state'],
  ])('%s is a failure', async (path, words) => {
    expect(await fileHash(['bun.lock', path], { root: project() })).toEqual({ failure: expect.stringContaining(words) as string });
  });

  test('the state is where the project has it', async () => {
    const root = project({ a: '1', 'data/my.db': 's' });
    expect(await fileHash(['.'], { root, statePath: 'data/my.db' })).toEqual({ value: expected({ a: '1' }) });
  });

  test.runIf(process.platform === 'linux')('a name that is not UTF-8 is a failure, where it is one of the files', async () => {
    const root = project({ a: '1' });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff])]), 'x');
    expect(await fileHash(['.'], { root })).toEqual({ failure: expect.stringContaining('has a name that is not UTF-8') as string });
    expect(await fileHash(['a*'], { root })).toEqual({ value: expected({ a: '1' }) });
  });

  test.each(['shut', 'folder'])('%s: what nobody may read is a failure, not another value', async (path) => {
    const root = project({ shut: 'x', 'folder/x': 'x' });
    chmodSync(root, 0o755);
    chmodSync(join(root, path), 0);
    const answer = await asOrdinaryUser(() => fileHash(['.'], { root }));
    expect(answer).toEqual({ failure: expect.stringMatching(new RegExp(`${path}.*(may not be read|permission)`)) as string });
    chmodSync(join(root, path), 0o700);
  });
});
