import { chownSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findGit, gitVersion, listRefs, openRepository, readBlob, readHead, readRef, writeBlob } from '../../../src/kernel/git/index.ts';
import { readVersion, requireGit } from '../../../src/kernel/git/version.ts';
import { commitInCheckout, emptyStage, gitHost, personEnvironment, put, runGit, stageWith } from '../../support/git-repository.ts';
import { testUnless } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temp.ts';

const NOBODY = 65_534;

describe('finding git', () => {
  test.each([
    ['git version 2.39.5\n', 2, 39],
    ['git version 2.34.1 (Apple Git-137)\n', 2, 34],
    ['git version 3.0.0-rc1\n', 3, 0],
    ['hub version 1\n', 0, 0],
  ])('%j is read', (said, major, minor) => {
    expect(readVersion(said)).toMatchObject({ major, minor });
  });

  test('a git below the floor is refused with the version that is needed', async () => {
    const home = temporaryFolder();
    put(join(home, 'bin/git'), '#!/bin/sh\necho git version 2.33.8\n', 0o755);
    const host = gitHost(home, { env: { ...personEnvironment(home), PATH: join(home, 'bin') } });
    await expect(gitVersion(host)).resolves.toMatchObject({ text: '2.33.8' });
    await expect(findGit(host)).rejects.toMatchObject({ code: 'git-too-old', message: expect.stringContaining('2.33.8') });
  });

  test('what needs a newer git says which', async () => {
    const { repository } = await emptyStage();
    const old = { ...repository.git, version: readVersion('git version 2.34.0') };
    expect(() => requireGit(old, 38)).toThrow(expect.objectContaining({ code: 'git-too-old', message: expect.stringContaining('2.38') }));
    expect(() => requireGit(old, 34)).not.toThrow();
  });

  test('no git at all', async () => {
    const home = temporaryFolder();
    const host = gitHost(home, { env: { PATH: home } });
    await expect(findGit(host)).rejects.toMatchObject({ code: 'git-missing' });
  });
});

describe('opening', () => {
  test('from the root, from a folder below, through a link, from the git folder', async () => {
    const { folder, home, repository } = await stageWith({ 'a/b.txt': 'b' });
    const { git, key, commonDir } = repository;
    symlinkSync(folder, join(home, 'link'));
    expect(repository).toMatchObject({ topLevel: folder, gitDir: join(folder, '.git'), bare: false, objectFormat: 'sha1' });
    await expect(openRepository(git, join(folder, 'a'))).resolves.toEqual(repository);
    await expect(openRepository(git, join(home, 'link/a'))).resolves.toEqual(repository);
    await expect(openRepository(git, commonDir)).resolves.toEqual({ ...repository, topLevel: undefined });
    expect(key).toMatch(/^[0-9a-f]{16}$/);
  });

  test('a worktree has its own git folder and the key of the repository', async () => {
    const { folder, home, repository } = await stageWith({ a: '1' });
    runGit(folder, ['worktree', 'add', '-q', '--detach', join(home, 'tree')]);
    const worktree = await openRepository(repository.git, join(home, 'tree'));
    expect(worktree).toMatchObject({ commonDir: repository.commonDir, key: repository.key, topLevel: join(home, 'tree') });
    expect(worktree.gitDir).not.toBe(repository.gitDir);
    expect((await readHead(worktree)).kind).toBe('detached');
    expect((await readHead(repository)).kind).toBe('branch');
  });

  test.each(['sha1', 'sha256'] as const)('a bare one of %s', async (format) => {
    const { repository, folder } = await emptyStage({ format, bare: true });
    expect(repository).toMatchObject({ bare: true, topLevel: undefined, objectFormat: format, commonDir: folder });
    const id = await writeBlob(repository, 'x');
    expect(id).toHaveLength(format === 'sha1' ? 40 : 64);
  });

  test('a path with a line break, blanks and quotes', async () => {
    const { repository } = await emptyStage();
    const folder = join(temporaryFolder(), `odd\n "name' ü`);
    mkdirSync(folder);
    runGit(folder, ['init', '-q']);
    const odd = await openRepository(repository.git, folder);
    expect(odd).toMatchObject({ topLevel: folder, gitDir: join(folder, '.git') });
    await expect(writeBlob(odd, 'x')).resolves.toHaveLength(40);
  });

  test('no repository, no folder', async () => {
    const { repository, home } = await emptyStage();
    await expect(openRepository(repository.git, home)).rejects.toMatchObject({ code: 'not-a-repository', message: expect.stringContaining(home) });
    await expect(openRepository(repository.git, join(home, 'none'))).rejects.toMatchObject({ code: 'not-found' });
    rmSync(repository.gitDir, { recursive: true });
    await expect(listRefs(repository)).rejects.toMatchObject({ code: 'not-a-repository' });
  });

  test('a checkout that its configuration puts elsewhere is refused', async () => {
    const { repository, folder, home } = await stageWith({ a: '1' });
    mkdirSync(join(home, 'elsewhere'));
    runGit(folder, ['config', 'core.worktree', join(home, 'elsewhere')]);
    await expect(openRepository(repository.git, folder)).rejects.toMatchObject({ code: 'repository-elsewhere' });
  });

  test('a .git file that leads elsewhere later changes nothing for one that is open', async () => {
    const { repository, folder, home, tip } = await stageWith({ a: '1' });
    runGit(folder, ['worktree', 'add', '-q', '-b', 'task', join(home, 'tree')]);
    const worktree = await openRepository(repository.git, join(home, 'tree'));
    runGit(home, ['init', '-q', join(home, 'evil')]);
    put(join(home, 'tree/.git'), `gitdir: ${join(home, 'evil/.git')}\n`);
    await expect(readHead(worktree)).resolves.toEqual({ kind: 'branch', ref: 'refs/heads/task', id: tip });
  });

  const isRoot = process.geteuid?.() === 0;
  testUnless(isRoot ? undefined : 'only root can give a folder away', 'a repository of another user is refused with what to do', async () => {
    const { repository, folder } = await stageWith({ a: '1' });
    chownSync(folder, NOBODY, NOBODY);
    chownSync(join(folder, '.git'), NOBODY, NOBODY);
    await expect(openRepository(repository.git, folder)).rejects.toMatchObject({
      code: 'repository-not-owned',
      message: expect.stringContaining(folder),
      remedy: expect.stringContaining('safe.directory'),
    });
    // What the person has said about it counts.
    put(join(folder, '../.gitconfig'), `[safe]\n\tdirectory = ${folder}\n`);
    await expect(openRepository(repository.git, folder)).resolves.toMatchObject({ topLevel: folder });
  });
});

describe('the environment of the caller', () => {
  test('never decides: repository, index, configuration, objects, tracing', async () => {
    const { repository, folder, home, tip } = await stageWith({ a: '1' });
    const trace = join(home, 'trace');
    const env = {
      ...repository.git.env,
      GIT_DIR: join(home, 'none'),
      GIT_WORK_TREE: home,
      GIT_INDEX_FILE: join(home, 'none'),
      GIT_OBJECT_DIRECTORY: join(home, 'objects'),
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.hooksPath',
      GIT_CONFIG_VALUE_0: home,
      GIT_CONFIG_PARAMETERS: "'alias.x'='y'",
      GIT_NAMESPACE: 'other',
      GIT_TRACE: trace,
      GIT_CEILING_DIRECTORIES: folder,
    };
    const opened = await openRepository(await findGit(gitHost(home, { env })), folder);
    expect(opened.topLevel).toBe(folder);
    await expect(readRef(opened, 'refs/heads/main')).resolves.toMatchObject({ id: tip });
    await writeBlob(opened, 'y');
    expect(readdirSync(home).sort()).toEqual(['project', 'receipts']);
  });
});

describe('bounds of a call', () => {
  /** A git whose answers are made up, in front of the real one. */
  async function withProgram(script: string, changes: Parameters<typeof gitHost>[1] = {}) {
    const { repository, home } = await stageWith({ a: '1' });
    put(join(home, 'bin/git'), `#!/bin/sh\n${script}\n`, 0o755);
    const env = { ...personEnvironment(home), PATH: `${join(home, 'bin')}:${process.env['PATH']}` };
    return { ...repository, git: { ...gitHost(home, { env, ...changes }), version: repository.git.version } };
  }

  test('one that hangs is ended and named', async () => {
    const repository = await withProgram('exec sleep 60', { limitMs: 100 });
    await expect(listRefs(repository)).rejects.toMatchObject({ code: 'git-timed-out', message: expect.stringMatching(/read refs.*100 ms/) });
  });

  test('the signal of the host ends it', async () => {
    const stop = new AbortController();
    const repository = await withProgram('exec sleep 60', { signal: stop.signal });
    const call = listRefs(repository);
    stop.abort();
    await expect(call).rejects.toMatchObject({ name: 'DroverError' });
  });

  test('one that prints without end is ended', async () => {
    const repository = await withProgram('exec yes');
    const read = readBlob(repository, '1'.repeat(40), { maxBytes: 1_000 });
    await expect(read).rejects.toMatchObject({ code: 'git-output-too-large', message: expect.stringContaining('1000 bytes') });
  });

  test('one that dies by a signal, and one that fails without a word', async () => {
    const killed = await withProgram('kill -9 $$');
    await expect(listRefs(killed)).rejects.toMatchObject({ code: 'git-ended', message: expect.stringContaining('SIGKILL') });
    const silent = await withProgram('exit 3');
    await expect(listRefs(silent)).rejects.toMatchObject({ code: 'git-failed', message: expect.stringContaining('exit code 3') });
  });
});

test('real paths are told, whatever the way in', async () => {
  const { repository, home } = await emptyStage();
  commitInCheckout(repository.topLevel ?? '', { a: '1' });
  symlinkSync(home, join(home, 'loop'));
  const through = await openRepository(repository.git, join(home, 'loop/loop/project'));
  expect(through.commonDir).toBe(realpathSync(repository.commonDir));
});
