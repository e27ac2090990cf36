import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBachfile, loadProject, type ProjectWorld } from '../../../src/bach/commands/load-project.ts';
import { fileHash as hashOfFiles } from '../../../src/bach/store/index.ts';
import { formatDiagnostic } from '../../../src/kernel/text/index.ts';
import { neverStops, type VerbContext } from '../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { personEnvironment, runGit } from '../../support/git-repository.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

function contextIn(cwd: string): VerbContext {
  const out = {
    line: () => undefined,
    record: () => undefined,
    progress: () => undefined,
    raw: () => undefined,
    notice: () => undefined,
    drained: async () => undefined,
  };
  const env = personEnvironment(cwd);
  return { cwd, env, out, clock: systemClock(), secretNames: { extra: [], except: [] }, stop: neverStops() };
}

const INPUT = { file: 'Bachfile', vars: [], profiles: [], json: false, verbose: false };

interface Setting {
  readonly files?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  readonly world?: Partial<ProjectWorld>;
}

async function load(text: string, { files = {}, profiles = [], world = {} }: Setting = {}) {
  const folder = temporaryFolder();
  writeFiles(folder, { Bachfile: `project "p" {}\n${text}`, ...files });
  return { folder, ...(await loadProject({ ...INPUT, profiles }, contextIn(folder), world)) };
}

async function messagesOf(folder: string, world: Partial<ProjectWorld> = {}): Promise<readonly string[]> {
  return (await checkBachfile(INPUT, contextIn(folder), world)).diagnostics.map(formatDiagnostic);
}

describe('loading a project', () => {
  test('with imports from the disk, profiles and a place', async () => {
    const { folder, project, place } = await load('import "ci/a.bach"\nprofile "s" {\n env { A = "1" }\n}', {
      files: { 'ci/a.bach': 'import "./b.bach"', 'ci/b.bach': 'shell "b" {}' },
      profiles: ['s'],
    });
    expect([...project.targets.keys()]).toEqual(['shell/b']);
    expect(project.profiles.environment).toEqual([{ name: 'A', value: '1' }]);
    expect(place).toMatchObject({ root: folder, statePath: '.bach/state.db' });
    expect(project.targets.get('shell/b')?.file).toBe('ci/b.bach');
  });

  test('a missing import is told with its line', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { Bachfile: 'project "p" {}\n\nimport "./missing.bach"\n' });
    const [message = ''] = await messagesOf(folder);
    expect(message).toMatch(/^Bachfile:3:1: import "\.\/missing\.bach": .*missing\.bach/);
  });

  test('git answers for the repository of the root', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { Bachfile: 'project "p" {}\nvar "v" { default = "${git_short_sha()}${git_dirty_suffix()}" }\nshell "x" { description = var.v }' });
    runGit(folder, ['init']);
    expect(await messagesOf(folder)).toEqual([expect.stringContaining('"git_short_sha": the repository has no commit yet')]);
    runGit(folder, ['add', '.']);
    runGit(folder, ['commit', '-m', 'one']);
    const describeX = async () => (await loadProject(INPUT, contextIn(folder))).project.targets.get('shell/x')?.description;
    const sha = runGit(folder, ['rev-parse', 'HEAD']).slice(0, 12);
    expect(await describeX()).toBe(sha);
    writeFiles(folder, { other: '' });
    expect(await describeX()).toBe(`${sha}-dirty`);
  });

  test.each([
    ['where it always is', '', '.bach/state.db'],
    ['where the project puts it', ' {\n  backend {\n    config = { path = "kept/state.db" }\n  }\n}', 'kept/state.db'],
    ['beside the sources', ' {\n  backend {\n    config = { path = "state.db" }\n  }\n}', 'state.db'],
  ])('what runs leave, %s, makes nothing dirty and no other hash', async (_, body, statePath) => {
    const folder = temporaryFolder();
    const inSub = join(folder, 'sub');
    writeFiles(inSub, {
      Bachfile: `project "p"${body || ' {}'}\nvar "v" { default = "<\${git_dirty_suffix()}>\${file_hash(".")}" }\nshell "x" { description = var.v }`,
    });
    runGit(folder, ['init']);
    runGit(folder, ['add', '.']);
    runGit(folder, ['commit', '-m', 'one']);
    const describeX = async () => (await loadProject(INPUT, contextIn(inSub), { fileHash: (paths, root, at) => hashOfFiles(paths, { root, statePath: at }) })).project.targets.get('shell/x')?.description ?? '';
    const clean = await describeX();
    expect(clean).toMatch(/^<>[0-9a-f]{12}$/);
    writeFiles(inSub, { [statePath]: 'rows', [`${statePath}-wal`]: '', [join(dirname(statePath), 'runs/1/x.log')]: '' });
    expect(await describeX()).toBe(clean);
    writeFiles(inSub, { 'src/a': '' });
    expect(await describeX()).toMatch(/^<-dirty>/);
  });

  test('outside a repository the call is faulty', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { Bachfile: 'project "p" {}\nvar "v" { default = git_dirty_suffix() }' });
    expect((await messagesOf(folder))[0]).toMatch(/^Bachfile:2:21: decode Bachfile: Error in function call; "git_dirty_suffix": /);
  });

  test('hashes of files are asked for until nothing is open', async () => {
    const asked: string[] = [];
    const fileHash: ProjectWorld['fileHash'] = async (paths) => {
      asked.push(paths.join(' '));
      return { value: `h-${paths.join('-')}` };
    };
    const { project } = await load('var "a" { default = file_hash("x", "y") }\nvar "b" { default = file_hash(var.a) }\nshell "s" { description = var.b }', { world: { fileHash } });
    expect(project.targets.get('shell/s')?.description).toBe('h-h-x-y');
    expect(asked).toEqual(['x y', 'h-x-y']);
  });

  test('prompt files are looked at, and plugins run for a verb but not for a check', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { Bachfile: 'project "p" {}\nplugin "g" { command = ["g"] }\nprompt "a" { path = "a.md" }\nshell "x" {}\nshell "y" {}' });
    const world: Partial<ProjectWorld> = {
      promptProblem: (path, root) => (root === folder && path === 'gone.md' ? 'must be a regular file' : undefined),
      runGraphPlugins: async ({ plugins }) => {
        const targets = new Map([['shell/x', { dependsOn: ['shell/y'], inputs: [] }]]);
        return [...plugins.keys()].map((plugin) => ({ plugin, inputs: new Map(), targets }));
      },
    };
    expect((await loadProject(INPUT, contextIn(folder), world)).project.targets.get('shell/x')?.dependsOn).toEqual(['shell/y']);
    expect((await checkBachfile(INPUT, contextIn(folder), world)).project?.targets.get('shell/x')?.dependsOn).toEqual([]);
    writeFiles(folder, { Bachfile: 'project "p" {}\nprompt "a" { path = "gone.md" }' });
    expect(await messagesOf(folder, world)).toEqual(['Bachfile:2:21: prompt "a" path "gone.md" must be a regular file']);
  });

  test('a circle through groups is refused, also one that producers close', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, { Bachfile: 'project "p" {}\nimport "x.bach"', 'x.bach': 'resource "r" {}\ngroup "g" {\n targets = [shell.a]\n produces = [resource.r]\n}\nshell "a" { inputs = [resource.r] }' });
    expect(await messagesOf(folder)).toEqual(['x.bach:2:1: composite target cycle includes "group/g"']);
  });
});
