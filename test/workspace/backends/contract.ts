import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changedPaths, gitPath, listRefs, readCommit, readRef } from '../../../src/kernel/git/index.ts';
import type { BackendName, Workspace } from '../../../src/workspace/contract.ts';
import { put, WHO } from '../../support/git-repository.ts';
import {
  FILES,
  GIT_TOOLS,
  isKept,
  madeBy,
  OWNER,
  personView,
  workspaceStage,
  type MakeBackend,
  type WorkspaceTools,
} from '../../support/workspaces.ts';

/**
 * What every backend promises. `tools` is how an agent of such a workspace works; where git does not know its files,
 * commits are made by other means. In place there is one workspace at a time, and nothing of it goes with it.
 */
export function backendContract(name: BackendName, make: MakeBackend, tools: WorkspaceTools = GIT_TOOLS): void {
  const isOwn = name === 'in-place';
  const stage = () => workspaceStage(make);
  const text = ({ record }: Workspace, path: string) => readFileSync(join(record.path, path), 'utf8');

  describe(`${name}: creation`, () => {
    test('gives the files of the commit, and is found again by whoever comes later', async () => {
      const { backend, again, repository, folder, home, tip, requestFor } = await stage();
      expect(backend.name).toBe(name);
      const outcome = await backend.create(requestFor('one'));
      if (outcome.kind !== 'created') throw new TypeError(outcome.said);
      const { workspace, seeded } = outcome;
      expect(seeded).toEqual({ copied: [], present: [], dropped: [] });
      expect(workspace.record).toEqual({
        id: 'one',
        backend: name,
        path: isOwn ? folder : join(home, 'trees/one'),
        repository: repository.commonDir,
        base: tip,
        branch: workspace.record.branch,
        owner: OWNER,
        createdMs: workspace.record.createdMs,
      });
      if (name === 'worktree' || name === 'clone') expect(workspace.record.branch).toBe('refs/heads/drover/one');
      for (const [path, content] of Object.entries(FILES)) expect(text(workspace, path)).toBe(content);
      const later = await again();
      expect(await later.list()).toEqual([workspace.record]);
      const opened = await later.open(workspace.record);
      expect(opened.record).toEqual(workspace.record);
      expect(opened.checkout?.gitDir).toBe(workspace.checkout?.gitDir);
    });

    test('copies what is asked for, and tells what is there or missing', async () => {
      const { backend, folder, requestFor } = await stage();
      put(join(folder, 'own.local'), 'secret');
      const wanted = ['own.local', 'a.txt', 'none.local'].map((pattern) => ({ pattern, need: 'wanted' }) as const);
      const outcome = await backend.create(requestFor('one', { seeds: wanted }));
      if (outcome.kind !== 'created') throw new TypeError(outcome.said);
      const { copied, present, dropped } = outcome.seeded;
      expect([[...copied, ...present].sort(), dropped]).toEqual([['a.txt', 'own.local'], ['none.local']]);
      expect(text(outcome.workspace, 'own.local')).toBe('secret');
    });

    test('is refused with nothing changed', async () => {
      const all = await stage();
      const { backend, requestFor, home } = all;
      const first = await madeBy(backend, requestFor('one'));
      put(join(home, 'trees/taken'), 'a file');
      const before = await personView(all);
      const need = 'required' as const;
      const cases = [
        [requestFor('one', { path: join(home, 'trees/other'), branch: 'refs/heads/other' }), 'id-taken'],
        [requestFor('taken'), 'place-taken'],
        ...(isOwn
          ? []
          : ([
              [requestFor('two', { branch: 'refs/heads/main' }), 'branch-exists'],
              [requestFor('two', { seeds: [{ pattern: 'none.local', need }] }), 'seed-missing'],
              [requestFor('two', { base: 'ab'.repeat(20) }), 'repository-unfit'],
              [requestFor('two', { path: join(home, 'new/deep/two'), base: 'ab'.repeat(20) }), 'repository-unfit'],
            ] as const)),
      ] as const;
      for (const [request, reason] of cases) {
        expect(await backend.create(request)).toEqual({ kind: 'refused', reason, said: expect.stringMatching(/./) as unknown });
        expect([reason, await personView(all)]).toEqual([reason, before]);
        expect(await backend.list()).toEqual([first.record]);
      }
      expect(readFileSync(join(home, 'trees/taken'), 'utf8')).toBe('a file');
    });

    test('takes no id that is unfit for names', async () => {
      const all = await stage();
      const before = await personView(all);
      for (const id of ['', '..', 'a/b', '-x', 'x.lock', 'a b', '.hidden', 'x..y', 'a\nb', 'x'.repeat(101)]) {
        await expect(all.backend.create(all.requestFor('sound', { id }))).rejects.toMatchObject({ code: 'bad-workspace-id' });
      }
      expect(await personView(all)).toEqual(before);
    });

    test('an id is free again after removal', async () => {
      const { backend, requestFor } = await stage();
      await backend.remove(await madeBy(backend, requestFor('one')), WHO);
      expect(await backend.list()).toEqual([]);
      await madeBy(backend, requestFor('one'));
    });

    test('eight at once: each is made, or told why not', async () => {
      const { backend, again, requestFor } = await stage();
      const ids = Array.from({ length: 8 }, (_, at) => `w${at}`);
      const outcomes = await Promise.all(ids.map((id) => backend.create(requestFor(id))));
      const made = outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.workspace.record.id] : []));
      expect(made).toHaveLength(isOwn ? 1 : 8);
      for (const outcome of outcomes) {
        if (outcome.kind === 'refused') expect(outcome.reason).toMatch(/^(place-taken|busy)$/);
      }
      expect((await (await again()).list()).map(({ id }) => id).sort()).toEqual(made);
    });
  });

  describe(`${name}: snapshots`, () => {
    const changed = async ({ record }: Workspace) => {
      const head = await tools.commit(record.path, { 'a.txt': 'committed', 'new/c.txt': 'committed' });
      put(join(record.path, 'dir/b.txt'), 'dirty');
      put(join(record.path, 'untracked.txt'), 'untracked');
      put(join(record.path, 'ignored/out'), 'built');
      return head;
    };

    test('of an untouched workspace is its base', async () => {
      const { backend, tip, repository, requestFor } = await stage();
      const snapshot = await backend.snapshot(await madeBy(backend, requestFor('one')), WHO);
      expect(snapshot).toMatchObject({ head: tip, commits: 0, missed: [], tree: (await readCommit(repository, tip)).tree });
      expect((await readRef(repository, snapshot.ref))?.id).toBe(snapshot.commit);
    });

    test('has all files as they were, in the source, and moves nothing of the person', async () => {
      const all = await stage();
      const { backend, repository, requestFor, tip } = all;
      const workspace = await madeBy(backend, requestFor('one'));
      const head = await changed(workspace);
      const before = isOwn ? undefined : await personView(all);
      const snapshot = await backend.snapshot(workspace, WHO);
      if (!isOwn) expect(await personView(all)).toEqual(before);
      expect(snapshot).toMatchObject({ head, commits: 1, missed: [] });
      expect((await readRef(repository, snapshot.ref))?.id).toBe(snapshot.commit);
      expect((await readCommit(repository, snapshot.commit)).tree).toBe(snapshot.tree);
      const paths = (await changedPaths(repository, { before: tip, after: snapshot.commit })).map(({ path }) => path);
      expect(paths).toEqual(['a.txt', 'dir/b.txt', 'new/c.txt', 'untracked.txt'].map(gitPath));
      for (const content of ['committed', 'dirty', 'untracked']) expect([content, isKept(repository, content)]).toEqual([content, true]);
      expect(text(workspace, 'dir/b.txt')).toBe('dirty');
    });

    test('are gone back to, with what was there since kept, and forth again', async () => {
      const { backend, repository, requestFor } = await stage();
      const workspace = await madeBy(backend, requestFor('one'));
      await changed(workspace);
      const early = await backend.snapshot(workspace, WHO);
      const { path } = workspace.record;
      const late = await tools.commit(path, { 'a.txt': 'late', 'late.txt': 'late commit' });
      put(join(path, 'untracked.txt'), 'late dirt');
      put(join(path, 'stray/deep.txt'), 'stray');
      rmSync(join(path, 'dir'), { recursive: true });
      const back = await backend.restore(workspace, early, WHO);
      if (back.kind !== 'restored') throw new TypeError(`refused: ${back.reason}`);
      expect(back.kept.head).toBe(late);
      expect(['a.txt', 'new/c.txt', 'dir/b.txt', 'untracked.txt'].map((each) => text(workspace, each))).toEqual(['committed', 'committed', 'dirty', 'untracked']);
      expect([existsSync(join(path, 'late.txt')), existsSync(join(path, 'stray'))]).toEqual([false, false]);
      expect(text(workspace, 'ignored/out')).toBe('built');
      expect(await backend.snapshot(workspace, WHO)).toMatchObject({ head: early.head, tree: early.tree, branch: early.branch });
      for (const content of ['late commit', 'late dirt', 'stray']) expect([content, isKept(repository, content)]).toEqual([content, true]);
      expect(await backend.restore(workspace, back.kept, WHO)).toMatchObject({ kind: 'restored' });
      expect(text(workspace, 'stray/deep.txt')).toBe('stray');
      expect(await backend.snapshot(workspace, WHO)).toMatchObject({ head: late, tree: back.kept.tree });
    });

    test('are not gone back to over a file that a commit would not have', async () => {
      const { backend, requestFor } = await stage();
      const workspace = await madeBy(backend, requestFor('one'));
      const { path } = workspace.record;
      await tools.commit(path, { 'notes/x.txt': 'mine' });
      const early = await backend.snapshot(workspace, WHO);
      rmSync(join(path, 'notes'), { recursive: true });
      await tools.commit(path, { '.gitignore': 'notes\n' });
      put(join(path, 'notes'), 'an ignored file, where the folder was');
      const before = await backend.snapshot(workspace, WHO);
      expect(await backend.restore(workspace, early, WHO)).toMatchObject({ kind: 'refused', paths: [gitPath('notes')] });
      expect(text(workspace, 'notes')).toBe('an ignored file, where the folder was');
      expect(await backend.snapshot(workspace, WHO)).toMatchObject({ head: before.head, tree: before.tree });
    });
  });

  describe(`${name}: removal`, () => {
    test('takes away what was made, and keeps all that was done', async () => {
      const all = await stage();
      const { backend, repository, folder, requestFor } = all;
      const before = await personView(all);
      const workspace = await madeBy(backend, requestFor('one'));
      const { path } = workspace.record;
      await tools.commit(path, { 'a.txt': 'first' });
      await backend.snapshot(workspace, WHO);
      await tools.commit(path, { 'a.txt': 'since the snapshot' });
      put(join(path, 'dir/b.txt'), 'dirty');
      put(join(path, 'untracked.txt'), 'untracked');
      put(join(path, 'ignored/out'), 'ignored');
      const held = isOwn ? await personView(all) : before;
      const removal = await backend.remove(workspace, WHO);
      expect(removal.kind).toBe('removed');
      expect(await personView(all)).toEqual(isOwn ? held : { ...(before as object), beside: expect.anything() as unknown, trees: [] });
      expect(await backend.list()).toEqual([]);
      if (isOwn) return;
      expect([existsSync(path), existsSync(folder)]).toEqual([false, true]);
      for (const content of ['since the snapshot', 'dirty', 'untracked', 'ignored']) {
        expect([content, isKept(repository, content)]).toEqual([content, true]);
      }
      const { kept = '' } = removal as { kept?: string };
      expect(await readRef(repository, kept)).toBeDefined();
    });

    test('is refused without our marker, and where another stands', async () => {
      const all = await stage();
      const { backend, again, requestFor } = all;
      const workspace = await madeBy(backend, requestFor('one'));
      await tools.commit(workspace.record.path, { 'a.txt': 'work' });
      const before = await personView(all);
      const later = await again();
      const record = { ...workspace.record, id: 'another' };
      expect(await later.remove({ record }, WHO)).toMatchObject({ kind: 'refused', reason: expect.stringContaining('another') as unknown });
      await expect(later.open(record)).rejects.toMatchObject({ code: 'workspace-not-ours' });
      expect(await personView(all)).toEqual(before);
      expect(text(workspace, 'a.txt')).toBe('work');
    });

    test('of one whose files are gone: it is listed, told, and removed', async () => {
      if (isOwn) return;
      const all = await stage();
      const { again, requestFor } = all;
      const workspace = await madeBy(all.backend, requestFor('one'));
      const { record } = workspace;
      await tools.commit(record.path, { 'a.txt': 'work' });
      const { ref } = await all.backend.snapshot(workspace, WHO);
      rmSync(record.path, { recursive: true });
      const later = await again();
      expect(await later.list()).toEqual([record]);
      await expect(later.open(record)).rejects.toMatchObject({ code: 'workspace-missing' });
      expect(await later.remove({ record }, WHO)).toMatchObject({ kind: 'removed' });
      expect(await later.list()).toEqual([]);
      expect((await listRefs(all.repository, 'refs/heads')).map((each) => each.name)).toEqual(['refs/heads/main']);
      expect(await readRef(all.repository, ref)).toBeDefined();
      expect(isKept(all.repository, 'work')).toBe(true);
    });

    test('stays where something cannot be kept', async () => {
      if (isOwn) return;
      const { backend, requestFor } = await stage();
      const workspace = await madeBy(backend, requestFor('one'));
      const inner = join(workspace.record.path, 'inner');
      mkdirSync(join(inner, '.git'), { recursive: true });
      put(join(inner, 'precious.txt'), 'precious');
      expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'refused', paths: [gitPath('inner/')] });
      expect(text(workspace, 'inner/precious.txt')).toBe('precious');
      expect(await backend.list()).toEqual([workspace.record]);
      rmSync(inner, { recursive: true });
      expect(await backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    });

    test('a second one finds nothing to do', async () => {
      const { backend, requestFor } = await stage();
      const workspace = await madeBy(backend, requestFor('one'));
      await backend.remove(workspace, WHO);
      await expect(backend.open(workspace.record)).rejects.toMatchObject({ code: expect.stringMatching(/^workspace-(missing|not-ours)$/) as unknown });
      expect((await backend.remove(workspace, WHO)).kind).toBe('refused');
    });
  });
}

