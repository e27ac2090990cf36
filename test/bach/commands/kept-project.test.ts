import { existsSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBachfile } from '../../../src/bach/commands/load-project.ts';
import { projectWorld } from '../../../src/bach/commands/project-world.ts';
import { runGit } from '../../support/git-repository.ts';
import { changeEntry, contextIn, keepingProject, makeFolder, type Ask, type KeepingProject } from '../store/kept/projects.ts';

interface Ingredient {
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
  /** Before the first load. */
  readonly prepare?: (project: KeepingProject) => void;
  readonly first?: (project: KeepingProject) => Ask;
  /** What is asked for after the change. */
  readonly change: (project: KeepingProject) => Ask | void;
  readonly before: string;
  readonly after: string;
}

function commit(folder: string): void {
  runGit(folder, ['add', '.']);
  runGit(folder, ['commit', '-m', 'one', '--allow-empty']);
}

function repository({ folder, write }: KeepingProject): void {
  write({ '.gitignore': '.bach/\n' });
  runGit(folder, ['init']);
  commit(folder);
}

const SEEN_VAR = 'shell "seen" { description = var.v }';

const INGREDIENTS: readonly (readonly [string, Ingredient])[] = [
  ['the Bachfile', {
    text: 'shell "seen" { description = "one" }',
    change: ({ write }) => write({ Bachfile: 'shell "seen" { description = "two" }' }),
    before: 'one',
    after: 'two',
  }],
  ['an imported file', {
    text: 'import "ci/a.bach"',
    files: { 'ci/a.bach': 'import "./b.bach"', 'ci/b.bach': 'shell "seen" { description = "one" }' },
    change: ({ write }) => write({ 'ci/b.bach': 'shell "seen" { description = "two" }' }),
    before: 'one',
    after: 'two',
  }],
  ['an import that is added to an import', {
    text: 'import "a.bach"',
    files: { 'a.bach': 'var "v" { default = "one" }\nshell "seen" { description = "${var.v}-" }', 'b.bach': 'shell "more" {}' },
    change: ({ write }) => write({ 'a.bach': 'import "./b.bach"\nvar "v" { default = "one" }\nshell "seen" { description = "${var.v}+" }' }),
    before: 'one-',
    after: 'one+',
  }],
  ['where an import leads', {
    text: 'import "ci/a.bach"',
    files: { 'x/a.bach': 'shell "seen" { description = "one" }', 'y/a.bach': 'shell "seen" { description = "two" }' },
    prepare: ({ folder }) => symlinkSync('x', join(folder, 'ci')),
    change: ({ folder }) => {
      unlinkSync(join(folder, 'ci'));
      symlinkSync('y', join(folder, 'ci'));
    },
    before: 'one',
    after: 'two',
  }],
  ['--var', {
    text: `var "v" { default = "one" }\n${SEEN_VAR}`,
    change: () => ({ vars: [{ name: 'v', value: 'two' }] }),
    before: 'one',
    after: 'two',
  }],
  ['the value of --var', {
    text: `var "v" { default = "none" }\n${SEEN_VAR}`,
    first: () => ({ vars: [{ name: 'v', value: 'one' }] }),
    change: () => ({ vars: [{ name: 'v', value: 'two' }] }),
    before: 'one',
    after: 'two',
  }],
  ['--profile', {
    text: 'env {\n A = "one"\n}\nprofile "s" {\n env {\n  A = "two"\n }\n}\nshell "seen" { description = A }',
    change: () => ({ profiles: ['s'] }),
    before: 'one',
    after: 'two',
  }],
  ['a variable of the environment that an expression names', {
    text: `var "v" { default = MODE }\n${SEEN_VAR}`,
    first: () => ({ env: { MODE: 'one' } }),
    change: () => ({ env: { MODE: 'two' } }),
    before: 'one',
    after: 'two',
  }],
  ['a variable that sets a var, and was not set', {
    text: `var "v" { default = "one" }\n${SEEN_VAR}`,
    change: () => ({ env: { BACH_VAR_V: 'two' } }),
    before: 'one',
    after: 'two',
  }],
  ['the commit of git', {
    text: `var "v" { default = git_short_sha() }\n${SEEN_VAR}`,
    prepare: repository,
    change: ({ folder }) => commit(folder),
    before: 'a commit',
    after: 'a commit',
  }],
  ['what git sees as changed', {
    text: `var "v" { default = "v\${git_dirty_suffix()}" }\n${SEEN_VAR}`,
    prepare: repository,
    change: ({ write }) => write({ other: '' }),
    before: 'v',
    after: 'v-dirty',
  }],
  ['a file of file_hash', {
    text: `var "v" { default = file_hash("lock") }\n${SEEN_VAR}`,
    files: { lock: 'one' },
    change: ({ write }) => write({ lock: 'two' }),
    before: 'a hash',
    after: 'a hash',
  }],
];

describe('a project that is kept', () => {
  test.each(INGREDIENTS)('is not used when %s alone changed', async (_name, { text, files, prepare, first, change, before, after }) => {
    const project = keepingProject(text, files);
    prepare?.(project);
    const ask = first?.(project) ?? {};
    const was = await project.run(ask);
    expect(project.entries()).toHaveLength(1);
    project.mark();
    expect(await project.look(ask)).toMatchObject({ source: 'kept', seen: was.seen });

    const changed = change(project) ?? ask;
    const now = await project.look(changed);
    expect(now.source).toBe('files');
    expect(now.seen).not.toBe(was.seen);
    if (before !== 'a commit' && before !== 'a hash') expect([was.seen, now.seen]).toEqual([before, after]);

    // The run that finds it keeps it, and the next one uses that.
    await project.run(changed);
    expect(await project.look(changed)).toMatchObject({ seen: now.seen });
  });

  test('is not used from another working folder, where a relative root begins', async () => {
    const project = keepingProject('project "p" { root = "." }\nshell "seen" {}');
    const file = join(project.folder, 'Bachfile');
    await project.run({ file });
    project.mark();
    expect(await project.look({ file })).toMatchObject({ source: 'kept', place: { root: project.folder } });
    const cwd = makeFolder(join(project.folder, 'sub'));
    expect(await project.look({ file, cwd })).toMatchObject({ source: 'files', place: { root: cwd } });
  });

  test('is not used by another build', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    project.mark();
    changeEntry(project.entryPath(), (rest) => rest.replace(/"key":"[0-9a-f]{8}/, '"key":"00000000'));
    expect((await project.look()).source).toBe('files');
    await project.run();
    expect(project.entries()).toHaveLength(1);
    project.mark();
    expect((await project.look()).source).toBe('kept');
  });

  test('is kept where HOME says, and not used when HOME is another folder', async () => {
    const project = keepingProject('project "p" {\n  root = "~/work"\n}\nshell "seen" {}');
    const homes = ['one', 'two'].map((name) => makeFolder(join(project.folder, name, 'work')));
    const envs = ['one', 'two'].map((name) => ({ HOME: join(project.folder, name) }));
    for (const env of envs) await project.run({ env });
    expect(homes.map((home) => existsSync(join(home, '.bach/cache')))).toEqual([true, true]);
    expect(existsSync(join(project.folder, '.bach'))).toBe(false);
    expect((await project.look({ env: envs[1] ?? {} })).place.root).toBe(homes[1]);
    expect((await project.look({ env: envs[0] ?? {} })).place.root).toBe(homes[0]);
    // What one home has is not for the other.
    renameSync(join(project.folder, 'one/work/.bach'), join(project.folder, 'kept'));
    unlinkAll(join(project.folder, 'two/work/.bach'));
    renameSync(join(project.folder, 'kept'), join(project.folder, 'two/work/.bach'));
    expect((await project.look({ env: envs[1] ?? {} })).place.root).toBe(homes[1]);
  });

  test('is used when something changed that its evaluation never looked at', async () => {
    const project = keepingProject('shell "seen" { description = "one" }', { other: '' });
    repository(project);
    await project.run({ env: { MODE: 'one' } });
    project.mark();
    project.write({ other: 'changed' });
    commit(project.folder);
    expect((await project.look({ env: { MODE: 'two', BACH_VAR_X: '1', HOME: '/' } })).source).toBe('kept');
  });

  test('is the project before graph plugins, which are asked each time', async () => {
    const project = keepingProject('plugin "g" { command = ["g"] }\nshell "seen" {}\nshell "a" {}\nshell "b" {}');
    const world = (name: string): Ask => ({
      world: { runGraphPlugins: async () => [{ plugin: 'g', inputs: new Map(), targets: new Map([['shell/seen', { dependsOn: [name], inputs: [] }]]) }] },
    });
    expect((await project.run(world('shell/a'))).project.targets.get('shell/seen')?.dependsOn).toEqual(['shell/a']);
    project.mark();
    const now = await project.look(world('shell/b'));
    expect(now.source).toBe('kept');
    expect(now.project.targets.get('shell/seen')?.dependsOn).toEqual(['shell/b']);
  });

  test('shows its warnings again, and what its prompt files lack', async () => {
    const project = keepingProject('prompt "a" { path = "a.md" }\ngroup "seen" {\n  targets = [shell.mark]\n  retry {\n    attempts = 2\n  }\n}', { 'a.md': '' });
    const { notices } = await project.run();
    expect(notices).toEqual([expect.stringContaining('retry has no effect on a group')]);
    project.mark();
    expect(await project.look()).toMatchObject({ source: 'kept', notices });
    unlinkSync(join(project.folder, 'a.md'));
    await expect(project.look()).rejects.toThrow(/a\.md" must be a regular file/);
  });

  test('is never used by validate', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.run();
    project.mark();
    const context = contextIn(project.folder, {});
    const input = { file: 'Bachfile', vars: [], profiles: [], json: false, verbose: false };
    const { project: checked } = await checkBachfile(input, context, projectWorld(context));
    expect(checked?.targets.get('shell/mark')?.description).toBe('from the files');
  });

  test('is written by nobody who only looks, nor for a faulty file', async () => {
    const project = keepingProject('shell "seen" {}');
    await project.look();
    expect(existsSync(join(project.folder, '.bach'))).toBe(false);
    project.write({ Bachfile: 'shell "seen" { nonsense = 1 }' });
    await expect(project.run()).rejects.toThrow(/nonsense/);
    expect(existsSync(join(project.folder, '.bach'))).toBe(false);
  });
});

function unlinkAll(path: string): void {
  renameSync(path, `${path}-away`);
}
