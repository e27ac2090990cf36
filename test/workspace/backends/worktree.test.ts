import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRefs } from '../../../src/kernel/git/index.ts';
import { worktreeBackend } from '../../../src/workspace/backends/worktree.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { commitInCheckout, put, runGit, WHO } from '../../support/git-repository.ts';
import { pointsOfWork, runWork } from '../../support/killed-work.ts';
import { isKept, madeBy, personView, workspaceStage, type WorkspaceStage } from '../../support/workspaces.ts';
import { backendContract } from './contract.ts';
import type { WorkOrder } from './programs/work.ts';

backendContract('worktree', worktreeBackend);

const program = bundledProgram(join(import.meta.dirname, 'programs/work.ts'));

async function oneOf() {
  const stage = await workspaceStage(worktreeBackend);
  const workspace = await madeBy(stage.backend, stage.requestFor('one'));
  return { ...stage, workspace, path: workspace.record.path, home: stage.home };
}

describe('a worktree that somebody changed by hand is told, never followed', () => {
  test('moved with git: it stays where it is, and its record names the old place', async () => {
    const { backend, folder, home, path, workspace } = await oneOf();
    runGit(folder, ['worktree', 'move', path, join(home, 'elsewhere')]);
    put(join(home, 'elsewhere/new.txt'), 'work');
    expect(await backend.list()).toEqual([workspace.record]);
    await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: 'workspace-missing', message: expect.stringContaining('elsewhere') as unknown });
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('elsewhere') as unknown });
    expect(readFileSync(join(home, 'elsewhere/new.txt'), 'utf8')).toBe('work');
    runGit(folder, ['worktree', 'move', join(home, 'elsewhere'), path]);
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
  });

  test('its .git file leads elsewhere, or its marker is gone: nothing is done there', async () => {
    const { backend, home, path, workspace } = await oneOf();
    const pointer = readFileSync(join(path, '.git'), 'utf8');
    writeFileSync(join(path, '.git'), `gitdir: ${home}/elsewhere\n`);
    await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: 'workspace-not-ours' });
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'refused' });
    writeFileSync(join(path, '.git'), pointer);
    const marker = join(workspace.checkout?.gitDir ?? '', 'drover-workspace.json');
    renameSync(marker, `${marker}.aside`);
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('marker') as unknown });
    await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: 'workspace-not-ours' });
    renameSync(`${marker}.aside`, marker);
    expect((await backend.open(workspace.record)).record).toEqual(workspace.record);
    writeFileSync(marker, '{"format": 2}');
    await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: 'workspace-record-damaged', message: expect.stringContaining('format') as unknown });
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
  });

  test('forgotten by git, with another of the person in its place: that one stays', async () => {
    const { backend, folder, path, workspace } = await oneOf();
    runGit(folder, ['worktree', 'remove', '--force', path]);
    runGit(folder, ['worktree', 'add', '-q', '-b', 'own', path]);
    put(join(path, 'own.txt'), 'of the person');
    await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: 'workspace-not-ours' });
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'refused' });
    runGit(folder, ['worktree', 'move', path, `${path}-own`]);
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    expect(readFileSync(join(`${path}-own`, 'own.txt'), 'utf8')).toBe('of the person');
    expect(runGit(folder, ['branch', '--format=%(refname:short)']).split('\n').sort()).toEqual(['main', 'own']);
  });

  test('written down nowhere but in its marker: it is found all the same', async () => {
    const { again, repository, workspace } = await oneOf();
    rmSync(join(repository.commonDir, 'drover/workspaces'), { recursive: true });
    const backend = await again();
    expect(await backend.list()).toEqual([workspace.record]);
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    expect(await backend.list()).toEqual([]);
  });

  test('its record is damaged: nothing is guessed', async () => {
    const { again, repository } = await oneOf();
    writeFileSync(join(repository.commonDir, 'drover/workspaces/one.json'), '{"format": 1, "state": "made"');
    await expect((await again()).list()).rejects.toMatchObject({ code: 'workspace-record-damaged', message: expect.stringContaining('one.json') as unknown });
  });
});

describe('FC-14: what an agent committed outlives its branch and its worktree', () => {
  test('the agent removed both by itself, after a snapshot', async () => {
    const { backend, repository, folder, path, workspace } = await oneOf();
    commitInCheckout(path, { 'a.txt': 'finished work' });
    const { commit, ref } = await backend.snapshot(workspace, WHO);
    runGit(path, ['checkout', '-q', '--detach']);
    runGit(folder, ['branch', '-q', '-D', 'drover/one']);
    runGit(folder, ['worktree', 'remove', '--force', path]);
    expect(isKept(repository, 'finished work')).toBe(true);
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    expect((await listRefs(repository, ref)).map(({ id }) => id)).toEqual([commit]);
  });

  test('the branch moved on elsewhere: both ends are kept, and it stays where somebody stands on it', async () => {
    const { backend, repository, folder, home, path, workspace } = await oneOf();
    commitInCheckout(path, { 'a.txt': 'in the worktree' });
    runGit(path, ['checkout', '-q', '--detach']);
    commitInCheckout(path, { 'a.txt': 'detached' });
    runGit(folder, ['worktree', 'add', '-q', join(home, 'own'), 'drover/one']);
    commitInCheckout(join(home, 'own'), { 'a.txt': 'by the person' });
    expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    expect(runGit(join(home, 'own'), ['show', 'HEAD:a.txt'])).toBe('by the person');
    expect(isKept(repository, 'detached')).toBe(true);
  });
});

test('a copied file that nobody changed leaves no trace in the repository', async () => {
  const { backend, folder, repository, requestFor } = await workspaceStage(worktreeBackend);
  put(join(folder, 'own.local'), 'a secret');
  put(join(folder, 'two.local'), 'another');
  const seeds = ['own.local', 'two.local'].map((pattern) => ({ pattern, need: 'required' }) as const);
  const workspace = await madeBy(backend, requestFor('one', { seeds }));
  put(join(workspace.record.path, 'two.local'), 'changed');
  expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
  expect([isKept(repository, 'a secret'), isKept(repository, 'changed')]).toEqual([false, true]);
});

describe('killed', () => {
  const order = (stage: WorkspaceStage, id: string): WorkOrder => ({ backend: 'worktree', what: 'create', request: stage.requestFor(id) });

  /** The folders of later ones are there already. */
  async function readyStage() {
    const stage = await workspaceStage(worktreeBackend);
    pointsOfWork(program.file, stage, order(stage, 'first'));
    const points = pointsOfWork(program.file, stage, order(stage, 'second'));
    const killAt = (point: string) => {
      const env = { DROVER_CRASH_AT: String(points.indexOf(point) + 1) };
      expect([point, runWork(program.file, stage, order(stage, 'one'), env).signal]).toEqual([point, 'SIGKILL']);
    };
    return { ...stage, killAt };
  }

  // May take over 5 s: processes that are killed. Each point is met in test/faults/f20-killed-workspaces.test.ts.
  test('in the middle of its creation, nothing is left after the next call', async () => {
    const { killAt, ...stage } = await readyStage();
    const view = await personView(stage);
    for (const point of ['create:after', 'worktree-add:after', 'worktree-branch:after']) {
      killAt(point);
      expect((await stage.backend.list()).map(({ id }) => id)).toEqual(['first', 'second']);
      expect([point, await personView(stage)]).toEqual([point, view]);
      expect(readdirSync(join(stage.repository.commonDir, 'drover/workspaces')).filter((name) => name.startsWith('one'))).toEqual([]);
    }
  });

  test('before anything was made: what a person made at its place since is theirs', async () => {
    const { killAt, ...stage } = await readyStage();
    killAt('create:after');
    const path = join(stage.home, 'trees/one');
    runGit(stage.folder, ['worktree', 'add', '-q', '-b', 'drover/one', path]);
    put(join(path, 'own.txt'), 'of the person');
    expect((await stage.backend.list()).map(({ id }) => id)).toEqual(['first', 'second']);
    expect(readFileSync(join(path, 'own.txt'), 'utf8')).toBe('of the person');
    expect(runGit(stage.folder, ['branch', '--list', 'drover/one'])).toContain('drover/one');
  });

  test('while git was at it: the lock that git left is seen for what it is, and that of a person stays', async () => {
    const { killAt, ...stage } = await readyStage();
    const locked = join(stage.repository.commonDir, 'worktrees/one/locked');
    killAt('worktree-add:after');
    put(locked, 'on my stick');
    await stage.backend.list();
    expect(await stage.backend.create(stage.requestFor('one'))).toMatchObject({ kind: 'refused', reason: 'id-taken', said: expect.stringContaining('trees/one') as unknown });
    put(locked, 'initializing');
    expect(await stage.backend.create(stage.requestFor('one'))).toMatchObject({ kind: 'created' });
  });
});
