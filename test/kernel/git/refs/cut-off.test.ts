import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addWorktree, moveRef, readReceipts, readRef, type GitHost, type ObjectId, type Repository } from '../../../../src/kernel/git/index.ts';
import { commitOf, emptyStage, put, runGit, stageWith, WHO } from '../../../support/git-repository.ts';

const MAIN = 'refs/heads/main';
const FIND_GIT = 'git=$(PATH=${PATH#*:} command -v git)';

/** The repository as seen by a host whose git is a script in front of the real one, `$git`. */
function behind(repository: Repository, { home, script, ...changes }: { home: string; script: string } & Partial<GitHost>): Repository {
  const { env } = repository.git;
  put(join(home, 'bin/git'), `#!/bin/sh\n${FIND_GIT}\n${script}\nexec "$git" "$@"\n`, 0o755);
  return { ...repository, git: { ...repository.git, env: { ...env, PATH: `${join(home, 'bin')}:${env['PATH']}` }, ...changes } };
}

/** When the call is for `word`, does `then`. */
const when = (word: string, then: string): string => `case " $* " in *" ${word} "*) ${then};; esac`;

async function twoCommits() {
  const stage = await emptyStage();
  const one = await commitOf(stage.repository, { a: '1' });
  const two = await commitOf(stage.repository, { a: '2' }, [one]);
  await moveRef(stage.repository, { ref: MAIN, from: undefined, to: one, who: WHO, reason: 'x' });
  return { ...stage, one, two };
}

const move = (repository: Repository, from: ObjectId, to: ObjectId) => moveRef(repository, { ref: MAIN, from, to, who: WHO, reason: 'x' });
const lastState = async (repository: Repository) => (await readReceipts(repository)).receipts.at(-1)?.state;

describe('a move of a ref that is cut off', () => {
  test('after git had moved it: moved', async () => {
    const { repository, home, one, two } = await twoCommits();
    const killed = behind(repository, { home, script: when('update-ref', '"$git" "$@"; kill -9 $$') });
    expect(await move(killed, one, two)).toEqual({ kind: 'moved' });
    expect(await lastState(repository)).toBe('done');
  });

  test('before: the reason is thrown, and nothing was done', async () => {
    const { repository, home, one, two } = await twoCommits();
    await expect(move(behind(repository, { home, script: when('update-ref', 'kill -9 $$') }), one, two)).rejects.toMatchObject({ code: 'git-ended' });
    expect([await lastState(repository), (await readRef(repository, MAIN))?.id]).toEqual(['not-done', one]);
  });

  test('when the host stops everything: it is still looked at', async () => {
    const { repository, home, folder, one, two } = await twoCommits();
    const stop = new AbortController();
    const script = when('update-ref', `"$git" "$@"; : > '${home}/moved'; exec sleep 60`);
    const moving = move(behind(repository, { home, script, signal: stop.signal }), one, two);
    await expect.poll(() => existsSync(join(home, 'moved')), { timeout: 30_000 }).toBe(true);
    stop.abort();
    expect(await moving).toEqual({ kind: 'moved' });
    expect(runGit(folder, ['rev-parse', MAIN])).toBe(two);
  });

  test('and moved on by somebody, or not to be looked at: unknown, and open', async () => {
    const { repository, home, one, two } = await twoCommits();
    const three = await commitOf(repository, { a: '3' }, [two]);
    const script = when('update-ref', `"$git" "$@"; "$git" update-ref ${MAIN} ${three}; kill -9 $$`);
    await expect(move(behind(repository, { home, script }), one, two)).rejects.toMatchObject({ code: 'git-effect-unknown', message: expect.stringContaining('SIGKILL') });
    expect(await lastState(repository)).toBe('open');
    const broken = behind(repository, { home, script: when('update-ref', `"$git" "$@"; : > '${home}/cut'; kill -9 $$`) + `\n[ -e '${home}/cut' ] && exit 3` });
    await expect(move(broken, three, one)).rejects.toMatchObject({ code: 'git-effect-unknown' });
    expect([await lastState(repository), (await readRef(repository, MAIN))?.id]).toEqual(['open', one]);
  });
});

test('a move whose receipt cannot be written says that it stands', async () => {
  const { repository, folder, one, two } = await twoCommits();
  const { git, key } = repository;
  put(join(folder, '.git/hooks/reference-transaction'), `#!/bin/sh\n[ "$1" = committed ] && rm -f '${git.receiptsFolder}/${key}/receipts.jsonl'\nexit 0\n`, 0o755);
  const moving = moveRef(repository, { ref: MAIN, from: one, to: two, hooks: 'run', who: WHO, reason: 'x' });
  await expect(moving).rejects.toMatchObject({ code: 'git-receipt-not-written', message: expect.stringContaining(MAIN) });
  chmodSync(join(folder, '.git/hooks/reference-transaction'), 0o644);
  expect((await readRef(repository, MAIN))?.id).toBe(two);
});

test('a worktree that was cut off is not called absent, and keeps its branch', async () => {
  const { repository, home, tip } = await stageWith({ a: '1' });
  const killed = behind(repository, { home, script: when('worktree add', '"$git" "$@"; kill -9 $$') });
  const request = { path: join(home, 't'), commit: tip, branch: 'refs/heads/t', who: WHO };
  await expect(addWorktree(killed, request)).rejects.toMatchObject({ code: 'git-effect-unknown', message: expect.stringContaining(request.path) });
  expect((await readRef(repository, request.branch))?.id).toBe(tip);
  expect(await lastState(repository)).toBe('open');
});
