import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn } from '../../support/bach-project.ts';
import { commitInCheckout, runGit } from '../../support/git-repository.ts';
import { linesOf, printedBy, refusalOf, rowsOf, runIdOf, shell } from './support.ts';

describe('before anything starts', () => {
  const FILE = `${shell('risky', 'touch ran', 'requires_confirmation = true', 'tools = [{ name = "nonesuch" }]')}shell "circle" { depends_on = [shell.circle, shell.risky] }\n`;

  test.each([
    ['the plan', ['shell/circle'], 'dependency cycle includes "shell/circle"'],
    ['then confirmation', ['shell/risky'], 'target "shell/risky" requires confirmation'],
    ['then environment files', ['shell/risky', '--yes'], '.env:1: expected KEY=value'],
  ])('[bach-run-order-of-checks] %s', async (_, argv, told) => {
    const project = bachProject(FILE);
    project.write('.env', 'nonsense\n');
    expect(await refusalOf(project, 1, 'run', ...argv)).toContain(told);
    expect(readdirSync(project.folder).toSorted()).toEqual(['.env', 'Bachfile']);
  });

  test.each([['-d'], ['-d', '--json']])('[bach-dry-run-json-dotenv] a faulty environment file fails %s %s', async (...flags) => {
    const project = bachProject(FILE);
    project.write('.env', 'nonsense\n');
    expect(await refusalOf(project, 1, 'run', 'shell/risky', ...flags)).toContain('.env:1: expected KEY=value');
  });
});

describe('what is recorded', () => {
  test('[bach-run-recorded] a row for each target, and none for anything else', async () => {
    const project = bachProject(`${shell('a', 'true')}shell "nothing" {}\nshell "all" { depends_on = [shell.a, shell.nothing] }\ngroup "g" { targets = [shell.all] }\npipeline "p" { steps = [shell.a, group.g] }\n`);
    const id = await runIdOf(project, 'pipeline/p');
    expect(rowsOf(project, 'SELECT run_id, target, status, exit_code FROM target_runs ORDER BY target')).toEqual(
      ['group/g', 'pipeline/p', 'shell/a', 'shell/all', 'shell/nothing'].map((target) => ({ run_id: id, target, status: 'success', exit_code: target === 'shell/a' ? 0 : null })),
    );
  });

  test('[bach-runs-list-mode] a forced run', async () => {
    const project = bachProject(shell('a', 'true'));
    const id = runIdIn(await printedBy(project, 'run', '--force', 'shell/a'));
    expect(await printedBy(project, 'runs', 'list')).toMatch(new RegExp(`^${id} success  run,force    shell/a                  started=`));
    expect(rowsOf(project, 'SELECT dry_run, force FROM runs')).toEqual([{ dry_run: 0, force: 1 }]);
  });
});

describe('the text of an operation', () => {
  test('[bach-expansion-special] signs and digits go, what is no name stays', async () => {
    const stdout = await printedBy(bachProject(shell('x', 'echo [$12][$?][$$x][$*][$@][$#][$!][$-] [$(echo inner)] 5$ $')), 'run', 'shell/x');
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/x] sh -c echo [2][][x][][][][][] [$(echo inner)] 5$ $', '[shell/x] [2][][x][][][][][] [inner] 5$ $']);
  });

  test('[bach-git-env-lists] lists of lines, each kind by itself and all together', async () => {
    const project = bachProject('shell "x" { command = ["sh", "show.sh"] }\n');
    project.write('show.sh', 'for kind in STAGED UNSTAGED UNTRACKED CHANGED; do printenv "BACH_GIT_${kind}_FILES" | tr "\\n" "," ; echo; done\n');
    project.write('old', 'old\n');
    runGit(project.folder, ['init', '-q']);
    runGit(project.folder, ['add', '.']);
    commitInCheckout(project.folder, {});
    project.write('staged.txt', '');
    runGit(project.folder, ['add', 'staged.txt']);
    project.write('old', 'changed\n');
    project.write('one.txt', '');
    project.write('two.txt', '');
    const lines = linesOf(await printedBy(project, '-f', project.at('Bachfile'), 'run', 'shell/x')).slice(1, 5);
    expect(lines).toEqual(['staged.txt,', 'old,', 'one.txt,two.txt,', 'old,one.txt,staged.txt,two.txt,'].map((text) => `[shell/x] ${text}`));
  });
});

describe('images', () => {
  const IMAGE = 'image "app" {\n  builder = "container"\n  image = "example/app"\n  tags = ["v1", "v2"]\n  push = true\n  platform = "linux/amd64"\n  dockerfile = "deploy/Dockerfile"\n  context = "deploy"\n  build_args_list = ["Z=1"]\n  build_args = {\n    B = "2"\n    A = "1"\n  }\n}\n';
  const BUILD = 'container build --platform linux/amd64 --file deploy/Dockerfile --tag example/app:v1 --tag example/app:v2 --build-arg Z=1 --build-arg A=1 --build-arg B=2 deploy';

  test('[bach-image-args, bach-image-push-container] the words of every command, in their order', async () => {
    const [line] = linesOf(await printedBy(bachProject(IMAGE), 'run', '-d', 'image/app'));
    expect(line).toBe(`[image/app] ${BUILD} && container image push example/app:v1 && container image push example/app:v2`);
  });
});

describe('the document of a dry run', () => {
  const documentOf = async (text: string, ...targets: readonly string[]): Promise<Record<string, unknown>> =>
    JSON.parse(await printedBy(bachProject(text), 'run', '--dry-run', '--json', ...targets)) as Record<string, unknown>;

  test('[bach-dry-run-json-absent] what is not there has no key', async () => {
    const document = await documentOf(shell('a', 'true'), 'shell/a');
    expect(Object.keys(document)).toEqual(['target', 'requested_targets', 'selected_profiles', 'target_order', 'dependency_edges', 'effective_risk', 'targets']);
    expect(document).toMatchObject({ selected_profiles: [], dependency_edges: [] });
    const [target] = document['targets'] as readonly object[];
    expect(Object.keys(target ?? {})).toEqual(['name', 'type', 'operation', 'risks', 'cache']);
  });

  test('[bach-dry-run-json-edge-order] by their end, then by their beginning, as the plan has them', async () => {
    const document = await documentOf(`${shell('z', 'true')}${shell('m', 'true')}${shell('b', 'true', 'depends_on = [shell.z, shell.m]')}${shell('a', 'true', 'depends_on = [shell.m, shell.z]')}`, 'shell/b', 'shell/a');
    expect(document['target_order']).toEqual(['shell/z', 'shell/m', 'shell/b', 'shell/a']);
    expect(document['dependency_edges']).toEqual([
      { from: 'shell/z', to: 'shell/b' },
      { from: 'shell/m', to: 'shell/b' },
      { from: 'shell/z', to: 'shell/a' },
      { from: 'shell/m', to: 'shell/a' },
    ]);
  });
});

test('[bach-run-later] a dry run tells it, too, and nothing is made', async () => {
  const project = bachProject('provider "p" {\n  type = "agent"\n  command = ["p"]\n}\nagent "x" {\n  provider = "p"\n  mode = "review"\n}\n');
  expect(await refusalOf(project, 1, 'run', '-d', 'agent/x')).toContain('not in this release of bach: agent targets (agent/x)');
  expect(existsSync(project.at('.bach'))).toBe(false);
});
