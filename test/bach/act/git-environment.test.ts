import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitEnvironment } from '../../../src/bach/act/git-environment.ts';
import { neverStops } from '../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { commitInCheckout, personEnvironment, runGit } from '../../support/git-repository.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

function repository(): string {
  const folder = temporaryFolder();
  runGit(folder, ['init', '-q', '-b', 'main']);
  return folder;
}

/** Without the prefix that all have. */
async function valuesOf(root: string, { path, statePath = '.bach/state.db' }: { path?: string; statePath?: string } = {}) {
  const notices: string[] = [];
  const clock = systemClock();
  const env = personEnvironment(root);
  const out = { notice: (text: string) => notices.push(text) };
  const verb = { cwd: root, env: path === undefined ? env : { ...env, PATH: path }, out, clock, stop: neverStops() } as never;
  const entries = await new GitEnvironment({ root, statePath, clock }, verb).entries();
  expect(entries.every(({ name }) => name.startsWith('BACH_GIT_'))).toBe(true);
  return { values: Object.fromEntries(entries.map(({ name, value }) => [name.slice('BACH_GIT_'.length), value])), notices };
}

const EMPTY = { BRANCH: '', COMMIT: '', DIRTY: '', DIRTY_SUFFIX: '', STAGED_FILES: '', UNSTAGED_FILES: '', UNTRACKED_FILES: '', CHANGED_FILES: '' };

describe('what git says of a project', () => {
  test('each list has its paths, and all together are the changed ones', async () => {
    const root = repository();
    const commit = commitInCheckout(root, { 'a.txt': '1', 'b.txt': '1', 'sub/c.txt': '1' });
    writeFiles(root, { 'staged.txt': 'x', 'b.txt': '2', 'sub/new file.txt': 'x' });
    runGit(root, ['add', 'staged.txt']);
    const { values, notices } = await valuesOf(root);
    expect(values).toEqual({
      BRANCH: 'main',
      COMMIT: commit,
      DIRTY: '1',
      DIRTY_SUFFIX: '-dirty',
      STAGED_FILES: 'staged.txt',
      UNSTAGED_FILES: 'b.txt',
      UNTRACKED_FILES: 'sub/new file.txt',
      CHANGED_FILES: 'b.txt\nstaged.txt\nsub/new file.txt',
    });
    expect(notices).toEqual([]);
  });

  test('a clean checkout, but for what runs leave', async () => {
    const root = repository();
    const commit = commitInCheckout(root, { 'a.txt': '1' });
    writeFiles(root, { '.bach/state.db': 'x', '.bach/runs/1/x.log': 'x' });
    const { values } = await valuesOf(root);
    expect(values).toEqual({ ...EMPTY, BRANCH: 'main', COMMIT: commit, DIRTY: '0' });
  });

  test.each([['state/db', ['state/runs/1/x.log', 'state/db-wal']], ['state.db', ['runs/1/x.log', 'state.db', 'state.db-wal']]])(
    'what runs leave where the state is at %s',
    async (statePath, files) => {
      const root = repository();
      commitInCheckout(root, { 'a.txt': '1' });
      writeFiles(root, { ...Object.fromEntries(files.map((file) => [file, 'x'])), mine: 'x' });
      expect((await valuesOf(root, { statePath })).values['CHANGED_FILES']).toBe('mine');
    },
  );

  test('a project below the root of its repository names paths from itself', async () => {
    const top = repository();
    commitInCheckout(top, { 'app/a.txt': '1' });
    writeFiles(top, { 'app/a.txt': '2', 'beside.txt': 'x' });
    expect((await valuesOf(join(top, 'app'))).values).toMatchObject({ UNSTAGED_FILES: 'a.txt', UNTRACKED_FILES: '../beside.txt' });
  });

  test('no commit yet, and no branch', async () => {
    const unborn = repository();
    expect((await valuesOf(unborn)).values).toMatchObject({ BRANCH: 'main', COMMIT: '', DIRTY: '0' });
    const detached = repository();
    const commit = commitInCheckout(detached, { a: '1' });
    runGit(detached, ['checkout', '-q', '--detach']);
    expect((await valuesOf(detached)).values).toMatchObject({ BRANCH: '', COMMIT: commit });
  });

  test('a path with a line break does not look like two', async () => {
    const root = repository();
    writeFileSync(join(root, 'a\nb'), '');
    expect((await valuesOf(root)).values['UNTRACKED_FILES']).toBe('"a\\nb"');
  });

  test('a list that no variable holds is cut between two paths, and that is said', async () => {
    const root = repository();
    const folder = `d/${'x'.repeat(200)}`;
    mkdirSync(join(root, folder), { recursive: true });
    for (let file = 0; file < 600; file += 1) writeFileSync(join(root, folder, `${'y'.repeat(40)}${file}`), '');
    const { values, notices } = await valuesOf(root);
    const listed = values['UNTRACKED_FILES']?.split('\n') ?? [];
    expect(listed.length).toBeGreaterThan(300);
    expect(listed.every((path) => /y\d+$/.test(path))).toBe(true);
    expect(Buffer.byteLength(listed.join('\n'))).toBeLessThanOrEqual(96 * 1024);
    expect(notices).toContain(`BACH_GIT_UNTRACKED_FILES holds the first ${listed.length} of 600 paths: a variable takes no more`);
  });
});

describe('all values are empty', () => {
  test('outside of any repository, and nothing is said', async () => {
    expect(await valuesOf(temporaryFolder())).toEqual({ values: EMPTY, notices: [] });
  });

  test('where git cannot be asked, and that is said', async () => {
    const root = repository();
    expect(await valuesOf(root, { path: '/nowhere' })).toEqual({ values: EMPTY, notices: [expect.stringMatching(/^BACH_GIT_\* are empty: .*git/)] });
  });
});
