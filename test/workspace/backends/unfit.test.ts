import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '../../../src/kernel/git/index.ts';
import { commitInCheckout, emptyStage, put, runGit, stageWith, WHO, type Stage } from '../../support/git-repository.ts';
import { FILES, personView, stageOver } from '../../support/workspaces.ts';
import { MAKERS } from './programs/work.ts';

type Name = keyof typeof MAKERS;
type Tipped = Stage & { readonly tip: string };

async function cloneAt(stage: Stage, name: string): Promise<Tipped> {
  const folder = join(stage.home, name);
  const repository = await openRepository(stage.repository.git, folder);
  return { ...stage, folder, repository, tip: runGit(folder, ['rev-parse', 'HEAD']) };
}

const STAGES: Readonly<Record<string, () => Promise<Tipped>>> = {
  async shallow() {
    const stage = await stageWith(FILES);
    commitInCheckout(stage.folder, { 'a.txt': 'second' });
    runGit(stage.home, ['clone', '-q', '--depth=1', `file://${stage.folder}`, 'copy']);
    return cloneAt(stage, 'copy');
  },
  async partial() {
    const stage = await stageWith(FILES);
    runGit(stage.folder, ['config', 'uploadpack.allowFilter', 'true']);
    runGit(stage.home, ['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${stage.folder}`, 'copy']);
    return cloneAt(stage, 'copy');
  },
  async bare() {
    const stage = await stageWith(FILES);
    runGit(stage.home, ['clone', '-q', '--bare', stage.folder, 'copy']);
    return cloneAt(stage, 'copy');
  },
  async sparse() {
    const stage = await stageWith(FILES);
    runGit(stage.folder, ['sparse-checkout', 'set', '--no-cone', '/a.txt']);
    return stage;
  },
  async unborn() {
    const stage = await emptyStage();
    return { ...stage, tip: 'ab'.repeat(20) };
  },
  async detached() {
    const stage = await stageWith(FILES);
    runGit(stage.folder, ['checkout', '-q', '--detach']);
    return stage;
  },
  async 'mid-rebase'() {
    const stage = await stageWith(FILES);
    runGit(stage.folder, ['checkout', '-q', '-b', 'other']);
    commitInCheckout(stage.folder, { 'a.txt': 'other' });
    runGit(stage.folder, ['checkout', '-q', 'main']);
    const tip = commitInCheckout(stage.folder, { 'a.txt': 'main' });
    expect(() => runGit(stage.folder, ['rebase', 'other'])).toThrow();
    return { ...stage, tip };
  },
  async 'with a submodule'() {
    const stage = await stageWith(FILES);
    const library = join(stage.home, 'library');
    mkdirSync(library);
    runGit(library, ['init', '-q']);
    commitInCheckout(library, { z: '1' });
    runGit(stage.folder, ['submodule', '--quiet', 'add', library, 'lib']);
    return { ...stage, tip: commitInCheckout(stage.folder, {}) };
  },
  async 'LFS pointers without LFS'() {
    const stage = await stageWith(FILES);
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`;
    return { ...stage, tip: commitInCheckout(stage.folder, { '.gitattributes': '*.bin filter=lfs -text\n', 'x.bin': pointer }) };
  },
  async 'LFS set up, its program missing'() {
    const stage = await STAGES['LFS pointers without LFS']?.() as Tipped;
    runGit(stage.folder, ['config', 'filter.lfs.smudge', 'no-such-program %f']);
    runGit(stage.folder, ['config', 'filter.lfs.clean', 'cat']);
    runGit(stage.folder, ['config', 'filter.lfs.required', 'true']);
    return stage;
  },
  async 'index.lock left'() {
    const stage = await stageWith(FILES);
    put(join(stage.repository.gitDir, 'index.lock'), '');
    return stage;
  },
  async 'lock of the branch left'() {
    const stage = await stageWith(FILES);
    put(join(stage.repository.gitDir, 'refs/heads/drover/one.lock'), '');
    return stage;
  },
};

const WORKS = 'created';
/** What comes of it: worktree, clone, in place. */
const OUTCOMES: Readonly<Record<string, readonly [string, string, string]>> = {
  shallow: [WORKS, WORKS, WORKS],
  partial: ['repository-unfit', 'repository-unfit', WORKS],
  bare: [WORKS, WORKS, 'repository-unfit'],
  sparse: [WORKS, WORKS, WORKS],
  unborn: ['repository-unfit', 'repository-unfit', 'repository-unfit'],
  detached: [WORKS, WORKS, WORKS],
  'mid-rebase': [WORKS, WORKS, 'repository-unfit'],
  'with a submodule': [WORKS, WORKS, WORKS],
  'LFS pointers without LFS': [WORKS, WORKS, WORKS],
  'LFS set up, its program missing': ['repository-unfit', WORKS, WORKS],
  'index.lock left': [WORKS, WORKS, 'busy'],
  'lock of the branch left': ['busy', WORKS, WORKS],
};

// May take over 5 s in all: a repository is made for each of the three.
describe.each(Object.entries(OUTCOMES))('a repository %s', (kind, outcomes) => {
  test.each((['worktree', 'clone', 'in-place'] as const).map((name, at) => [name, outcomes[at] ?? ''] as const))('%s: %s', async (name: Name, expected) => {
    const all = await stageOver((await STAGES[kind]?.()) as Tipped, MAKERS[name]);
    const before = await personView(all);
    const outcome = await all.backend.create(all.requestFor('one'));
    expect(outcome.kind === 'refused' ? outcome.reason : outcome.kind).toBe(expected);
    if (outcome.kind === 'refused') {
      expect(outcome.said).toMatch(kind === 'partial' ? /partial clone: .*git -C .* fetch/ : /.{20}/);
      expect(await personView(all)).toEqual(before);
      expect(existsSync(join(all.home, 'trees'))).toBe(false);
      return;
    }
    const { workspace } = outcome;
    if (name !== 'in-place') {
      expect(await all.backend.snapshot(workspace, WHO)).toMatchObject({ commits: 0, head: all.tip, commit: all.tip, missed: [] });
      put(join(workspace.record.path, 'new.txt'), 'work');
    }
    expect(await all.backend.remove(workspace, WHO)).toMatchObject({ kind: 'removed' });
    rmSync(join(all.home, 'trees'), { recursive: true, force: true });
    expect(await personView(all)).toEqual(before);
  });
});
