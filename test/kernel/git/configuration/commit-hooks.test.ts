import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommitHooks, snapshotConfiguration } from '../../../../src/kernel/git/index.ts';
import { put, runGit, stageWith } from '../../../support/git-repository.ts';

async function withHooks(hooks: Readonly<Record<string, string>>) {
  const stage = await stageWith({ a: '1' });
  for (const [name, script] of Object.entries(hooks)) put(join(stage.folder, '.git/hooks', name), `#!/bin/sh\n${script}\n`, 0o755);
  const configuration = await snapshotConfiguration(stage.repository);
  return { ...stage, run: () => runCommitHooks(stage.repository, { message: 'Subject\n', configuration, limitMs: 60_000 }) };
}

test('without hooks the message and the tree are as they were', async () => {
  const { run, folder } = await withHooks({});
  expect(await run()).toEqual({ kind: 'passed', message: 'Subject\n', tree: runGit(folder, ['rev-parse', 'HEAD^{tree}']) });
});

test('a refusal comes with its words', async () => {
  const first = await withHooks({ 'pre-commit': 'echo tests failed; echo 3 of 4 >&2; exit 1', 'commit-msg': 'exit 1' });
  expect(await first.run()).toEqual({ kind: 'refused', hook: 'pre-commit', said: 'tests failed\n3 of 4' });
  const second = await withHooks({ 'commit-msg': 'grep -q TICKET "$1" || { echo no ticket; exit 1; }' });
  expect(await second.run()).toEqual({ kind: 'refused', hook: 'commit-msg', said: 'no ticket' });
});

test('they see the checkout, edit the message, and a changed index is told by its tree', async () => {
  const script = 'test "$PWD" = "$(git rev-parse --show-toplevel)" && echo 2 > b && git add b';
  const { run, folder } = await withHooks({ 'pre-commit': script, 'commit-msg': 'echo "Change-Id: 1" >> "$1"' });
  const outcome = await run();
  expect(outcome).toMatchObject({ kind: 'passed', message: 'Subject\nChange-Id: 1\n' });
  expect(outcome).not.toMatchObject({ tree: runGit(folder, ['rev-parse', 'HEAD^{tree}']) });
  expect(readdirSync(join(folder, '.git'))).not.toContain('DROVER_COMMIT_MSG');
});

test('from the folder that the person configured; one that may not be executed is none', async () => {
  const { folder, repository } = await withHooks({});
  runGit(folder, ['config', 'core.hooksPath', 'tools/hooks']);
  put(join(folder, 'tools/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', 0o755);
  put(join(folder, '.git/hooks/commit-msg'), '#!/bin/sh\nexit 1\n', 0o644);
  const configuration = await snapshotConfiguration(repository);
  const request = { message: 'x\n', configuration, limitMs: 60_000 };
  expect(await runCommitHooks(repository, request)).toMatchObject({ kind: 'refused', hook: 'pre-commit' });
  put(join(folder, 'tools/hooks/pre-commit'), '#!/bin/sh\nexit 0\n', 0o755);
  await expect(runCommitHooks(repository, request)).rejects.toMatchObject({ code: 'repository-tampered' });
});

test('one that does not come to an end refuses', async () => {
  const { repository } = await withHooks({ 'pre-commit': 'exec sleep 60' });
  const configuration = await snapshotConfiguration(repository);
  expect(await runCommitHooks(repository, { message: 'x\n', configuration, limitMs: 100 })).toMatchObject({ kind: 'refused', hook: 'pre-commit' });
});
