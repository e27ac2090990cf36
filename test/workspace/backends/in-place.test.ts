import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inPlaceBackend } from '../../../src/workspace/backends/in-place.ts';
import { commitInCheckout, put, runGit, WHO } from '../../support/git-repository.ts';
import { isKept, madeBy, personView, workspaceStage } from '../../support/workspaces.ts';
import { backendContract } from './contract.ts';

backendContract('in-place', inPlaceBackend);

describe('in place, what was the person\'s stays the person\'s', () => {
  test('untracked and ignored files of before are neither put back nor taken away, however an agent treated them', async () => {
    const stage = await workspaceStage(inPlaceBackend);
    const { folder, backend, repository } = stage;
    put(join(folder, 'notes.txt'), 'mine');
    put(join(folder, 'ignored/big'), 'mine too');
    put(join(folder, 'own.local'), 'secret');
    const workspace = await madeBy(backend, stage.requestFor('one'));
    const early = await backend.snapshot(workspace, WHO);
    put(join(folder, 'notes.txt'), 'written by the agent');
    put(join(folder, 'agent.txt'), 'new');
    // What was ignored is so no more, and is committed besides.
    commitInCheckout(folder, { '.gitignore': '' });
    expect(await backend.restore(workspace, early, WHO)).toMatchObject({ kind: 'restored' });
    const texts = ['notes.txt', 'ignored/big', 'own.local', '.gitignore'].map((path) => readFileSync(join(folder, path), 'utf8'));
    expect(texts).toEqual(['written by the agent', 'mine too', 'secret', 'ignored/\n*.local\n']);
    expect(existsSync(join(folder, 'agent.txt'))).toBe(false);
    expect(isKept(repository, 'new')).toBe(true);
    expect(await backend.remove(workspace, WHO)).toEqual({ kind: 'removed', kept: undefined });
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('written by the agent');
  });

  test('where HEAD is not at the base, nothing is begun', async () => {
    const stage = await workspaceStage(inPlaceBackend);
    commitInCheckout(stage.folder, { 'a.txt': 'later' });
    const before = await personView(stage);
    expect(await stage.backend.create(stage.requestFor('one'))).toMatchObject({ kind: 'refused', reason: 'repository-unfit', said: expect.stringContaining(stage.tip) as unknown });
    expect(await personView(stage)).toEqual(before);
  });

  test('a hook that refuses the move of the branch leaves all as it was', async () => {
    const stage = await workspaceStage(inPlaceBackend);
    const { folder, backend, repository } = stage;
    const workspace = await madeBy(backend, stage.requestFor('one'));
    const early = await backend.snapshot(workspace, WHO);
    const late = commitInCheckout(folder, { 'a.txt': 'late' });
    const hook = join(repository.gitDir, 'hooks/reference-transaction');
    put(hook, '#!/bin/sh\n[ "$1" = prepared ] && grep -q refs/heads/main && { echo not now >&2; exit 1; }\nexit 0\n');
    chmodSync(hook, 0o755);
    expect(await backend.restore(workspace, early, WHO)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('not now') as unknown });
    expect([readFileSync(join(folder, 'a.txt'), 'utf8'), runGit(folder, ['rev-parse', 'HEAD']), runGit(folder, ['status', '--porcelain'])]).toEqual(['late', late, '']);
  });

  test('a merge that was begun since is given up, and its files are kept', async () => {
    const stage = await workspaceStage(inPlaceBackend);
    const { folder, backend, repository } = stage;
    const workspace = await madeBy(backend, stage.requestFor('one'));
    const early = await backend.snapshot(workspace, WHO);
    runGit(folder, ['checkout', '-q', '-b', 'side']);
    commitInCheckout(folder, { 'a.txt': 'side' });
    runGit(folder, ['checkout', '-q', 'main']);
    commitInCheckout(folder, { 'a.txt': 'main' });
    expect(() => runGit(folder, ['merge', 'side'])).toThrow();
    put(join(folder, 'a.txt'), 'half solved');
    expect(await backend.restore(workspace, early, WHO)).toMatchObject({ kind: 'restored' });
    expect([runGit(folder, ['status', '--porcelain']), runGit(folder, ['rev-parse', 'HEAD']), existsSync(join(repository.gitDir, 'MERGE_HEAD'))]).toEqual(['', stage.tip, false]);
    expect([isKept(repository, 'half solved'), isKept(repository, 'main')]).toEqual([true, true]);
  });
});
