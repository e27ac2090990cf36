import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  addWorktree,
  assertUnchanged,
  compareConfiguration,
  moveRef,
  snapshotConfiguration,
} from '../../../../src/kernel/git/index.ts';
import { commitInCheckout, emptyStage, put, runGit, stageWith, WHO } from '../../../support/git-repository.ts';

/** A worktree in which an agent works, and everything that it could turn. */
async function handedOver() {
  const stage = await stageWith({ a: '1', '.husky/pre-commit': '#!/bin/sh\n' });
  const { folder, home, repository, tip } = stage;
  put(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 0\n', 0o755);
  put(join(folder, '.git/info/attributes'), '*.bin -diff\n');
  put(join(folder, '.git/modules/libs/parser/HEAD'), 'ref: refs/heads/main\n');
  put(join(folder, '.git/modules/libs/parser/config'), '[core]\n\tbare = false\n');
  put(join(home, 'shared.gitconfig'), '[alias]\n\tx = status\n');
  runGit(folder, ['config', 'include.path', '../../shared.gitconfig']);
  const path = join(home, 'tree');
  const added = await addWorktree(repository, { path, commit: tip, who: WHO });
  if (added.kind !== 'added') throw new TypeError('not added');
  const snapshot = await snapshotConfiguration(added.worktree);
  // It is written down in between.
  return { ...stage, path, worktree: added.worktree, before: JSON.parse(JSON.stringify(snapshot)) as typeof snapshot };
}

type Handed = Awaited<ReturnType<typeof handedOver>>;

const inGit = ({ folder }: Handed, ...names: readonly string[]): string => join(folder, '.git', ...names);
const added = (file: string, text: string): string => {
  appendFileSync(file, text);
  return file;
};
const written = (file: string, text: string): string => {
  put(file, text, 0o755);
  return file;
};
const linked = (file: string, place: string): string => {
  renameSync(file, place);
  symlinkSync(place, file);
  return file;
};

/** Each changes one thing more and gives its path. */
const turns: readonly (readonly [string, (stage: Handed) => string, string])[] = [
  ['a monitor', (stage) => added(inGit(stage, 'config'), '[core]\n\tfsmonitor = /tmp/x\n'), 'runs-programs'],
  ['a filter', (stage) => added(inGit(stage, 'config'), '[filter "x"]\n\tclean = evil\n'), 'runs-programs'],
  ['a pager behind a harmless setting', (stage) => added(inGit(stage, 'config'), '[branch "x"]\nremote = y\n[core]pager=evil\n'), 'runs-programs'],
  ['an included file', ({ home }) => added(join(home, 'shared.gitconfig'), '[core]\n\teditor = evil\n'), 'runs-programs'],
  ['text that git would refuse', (stage) => added(inGit(stage, 'config'), '[x\n'), 'runs-programs'],
  ['settings of one checkout', ({ worktree }) => written(join(worktree.gitDir, 'config.worktree'), '[core]\n\tpager = x\n'), 'runs-programs'],
  ['a new hook', (stage) => written(inGit(stage, 'hooks/post-checkout'), '#!/bin/sh\n'), 'runs-programs'],
  ['the text of a hook', (stage) => added(inGit(stage, 'hooks/pre-commit'), 'evil\n'), 'runs-programs'],
  ['the mode of a hook', (stage) => {
    chmodSync(inGit(stage, 'hooks/pre-commit'), 0o644);
    return inGit(stage, 'hooks/pre-commit');
  }, 'runs-programs'],
  ['a hook that goes', (stage) => {
    rmSync(inGit(stage, 'hooks/pre-commit'));
    return inGit(stage, 'hooks/pre-commit');
  }, 'runs-programs'],
  ['a link for the hooks', (stage) => linked(inGit(stage, 'hooks'), join(stage.home, 'hooks')), 'runs-programs'],
  ['a link of the same content', (stage) => linked(inGit(stage, 'config'), join(stage.home, 'config')), 'runs-programs'],
  ['another target of the same content', (stage) => {
    copyFileSync(join(stage.home, 'config'), join(stage.home, 'config2'));
    rmSync(inGit(stage, 'config'));
    symlinkSync(join(stage.home, 'config2'), inGit(stage, 'config'));
    return inGit(stage, 'config');
  }, 'runs-programs'],
  ['a pipe', (stage) => {
    execFileSync('mkfifo', [inGit(stage, 'config.worktree')]);
    return inGit(stage, 'config.worktree');
  }, 'runs-programs'],
  ['attributes', (stage) => added(inGit(stage, 'info/attributes'), '* filter=x\n'), 'runs-programs'],
  ['alternates', (stage) => written(inGit(stage, 'objects/info/alternates'), '/tmp/evil\n'), 'leads-elsewhere'],
  ['the commondir of the worktree', ({ worktree }) => written(join(worktree.gitDir, 'commondir'), '/tmp/evil\n'), 'leads-elsewhere'],
  ['a commondir of the repository', (stage) => written(inGit(stage, 'commondir'), '/tmp/evil\n'), 'leads-elsewhere'],
  ['the .git file', ({ path }) => written(join(path, '.git'), 'gitdir: /tmp/evil\n'), 'leads-elsewhere'],
  ['a folder for the .git file', ({ path }) => {
    rmSync(join(path, '.git'));
    mkdirSync(join(path, '.git'));
    return join(path, '.git');
  }, 'leads-elsewhere'],
  ['grafts', (stage) => written(inGit(stage, 'info/grafts'), 'x\n'), 'leads-elsewhere'],
  ['an end of history', (stage) => written(inGit(stage, 'shallow'), `${stage.tip}\n`), 'leads-elsewhere'],
  ['exclusions', (stage) => written(inGit(stage, 'info/exclude'), '*\n'), 'hides-files'],
  ['a sparse checkout', ({ worktree }) => written(join(worktree.gitDir, 'info/sparse-checkout'), '/a\n'), 'hides-files'],
  ['the remote of a submodule', (stage) => added(inGit(stage, 'modules/libs/parser/config'), '[remote "o"]\nurl = ext::sh -c evil\n'), 'runs-programs'],
  ['a hook of a submodule', (stage) => written(inGit(stage, 'modules/libs/parser/hooks/post-checkout'), 'x'), 'runs-programs'],
];

describe('after an agent', () => {
  test('each turn is found by itself and by name; nothing runs any more', async () => {
    const stage = await handedOver();
    await assertUnchanged(stage.worktree, stage.before);
    for (const [name, turn, effect] of turns) {
      const before = await snapshotConfiguration(stage.worktree);
      const path = turn(stage);
      const changes = await compareConfiguration(stage.worktree, before);
      expect({ name, changes }).toEqual({ name, changes: expect.arrayContaining([expect.objectContaining({ path, effect })]) });
      const refused = { code: 'repository-tampered', message: expect.stringContaining(path) };
      await expect(assertUnchanged(stage.worktree, before)).rejects.toMatchObject(refused);
    }
  });

  test('work as usual changes nothing: commits, branches, our own moves, a sample of a hook', async () => {
    const { worktree, path, folder, repository, before, tip } = await handedOver();
    const work = commitInCheckout(path, { a: '2', '.gitattributes': '* filter=x\n' });
    runGit(path, ['branch', 'mine']);
    await moveRef(repository, { ref: 'refs/heads/landed', from: undefined, to: work, who: WHO, reason: 'x' });
    put(join(folder, '.git/hooks/x.sample'), 'x');
    runGit(folder, ['gc', '-q']);
    runGit(folder, ['reset', '-q', '--hard', tip]);
    expect(await compareConfiguration(worktree, before)).toEqual([]);
    await assertUnchanged(worktree, before);
  });

  test('what a person sets for a branch or for their name is told, and stops nobody', async () => {
    const { worktree, folder, before } = await handedOver();
    runGit(folder, ['config', 'branch.main.remote', 'origin']);
    runGit(folder, ['config', 'user.name', 'Person']);
    const settings = ['branch.main.remote', 'user.name'];
    expect(await compareConfiguration(worktree, before)).toEqual([{ path: join(folder, '.git/config'), change: 'changed', effect: 'none', settings }]);
    await assertUnchanged(worktree, before);
  });

  test('values are not told, since they may be secrets', async () => {
    const { worktree, folder, before } = await handedOver();
    runGit(folder, ['config', 'http.extraHeader', 'Authorization: hunter2']);
    const refused = await assertUnchanged(worktree, before).catch((error: unknown) => String(error));
    expect(refused).toContain('http.extraheader');
    expect(refused).not.toContain('hunter2');
  });

  test('the order of settings counts', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, '.git/config'), '[core]\n\teditor = a\n\teditor = b\n');
    const before = await snapshotConfiguration(repository);
    put(join(folder, '.git/config'), '[core]\n\teditor = b\n\teditor = a\n');
    expect(await compareConfiguration(repository, before)).toMatchObject([{ effect: 'runs-programs', settings: ['core.editor'] }]);
  });

  test('includes that lead round in a circle, or out of home, come to an end', async () => {
    const { repository, folder, home } = await emptyStage();
    appendFileSync(join(folder, '.git/config'), '[include]\n\tpath = config\n\tpath = ~/mine\n[includeIf "onbranch:x"]\n\tpath = other\n');
    put(join(folder, '.git/other'), '[include]\n\tpath = config\n');
    put(join(home, 'mine'), '[core]\n\tattributesFile = ~/attributes\n\texcludesFile = /nowhere\n');
    put(join(home, 'attributes'), '');
    const { items } = await snapshotConfiguration(repository);
    const paths = items.filter(({ role }) => role !== 'place').map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining([join(folder, '.git/other'), join(home, 'attributes'), join(home, 'mine')]));
  });

  test('hooks that are files of the checkout are part of the work', async () => {
    const stage = await stageWith({ '.husky/pre-commit': '#!/bin/sh\n' });
    runGit(stage.folder, ['config', 'core.hooksPath', '.husky']);
    const before = await snapshotConfiguration(stage.repository);
    appendFileSync(join(stage.folder, '.husky/pre-commit'), 'npm test\n');
    expect(await compareConfiguration(stage.repository, before)).toMatchObject([{ effect: 'part-of-the-work', change: 'changed' }]);
    await assertUnchanged(stage.repository, before);
    const counted = assertUnchanged(stage.repository, before, { hooksOfTheTree: 'count' });
    await expect(counted).rejects.toMatchObject({ code: 'repository-tampered' });
  });

  test('a hooks folder that fills up is refused, not read for ever', async () => {
    const { repository, folder } = await emptyStage();
    for (let n = 0; n < 2_000; n += 1) writeFileSync(join(folder, `.git/hooks/h${n}`), '');
    await expect(snapshotConfiguration(repository)).rejects.toMatchObject({ code: 'configuration-too-large' });
  });

  test('a large file counts by what it holds', async () => {
    const { repository, folder } = await emptyStage();
    put(join(folder, '.git/hooks/big'), Buffer.alloc(2 ** 20, 'a'), 0o755);
    const before = await snapshotConfiguration(repository);
    const bytes = Buffer.alloc(2 ** 20, 'a');
    bytes[2 ** 20 - 1] = 0x62;
    put(join(folder, '.git/hooks/big'), bytes);
    expect(await compareConfiguration(repository, before)).toHaveLength(1);
  });
});
