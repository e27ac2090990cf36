import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { faultOf, faultsOf, linesOf } from './support.ts';

const A = 'shell "a" { command = ["true"] }\n';

describe('references', () => {
  test('[bach-reference-forms] as a traversal and as a string', async () => {
    const forms = (a: string, b: string) =>
      `project "p" { default = ${b} }\n${A}shell "b" { depends_on = [${a}] }\ngroup "g" { targets = [${a}] }\npipeline "q" { steps = [${a}] }\n`;
    expect(await faultsOf(forms('shell.a', 'shell.b'))).toEqual([]);
    expect(await faultsOf(forms('"shell.a"', '"shell.b"'))).toEqual([]);
  });

  test.each([
    ['shell "b" { depends_on = ["shell/a"] }'],
    ['group "b" { targets = ["shell/a"] }'],
    ['pipeline "b" { steps = ["shell/a"] }'],
  ])('[bach-reference-obsolete] %s', async (target) => {
    const [fault] = await faultsOf(`${A}${target}\n`);
    expect(fault?.code).toBe('obsolete-target-reference');
    expect(fault?.message).toContain('obsolete target reference "shell/a": use type.name, for example shell.a');
  });

  test('[bach-reference-without-dot, bach-reference-place] its target and field are told', async () => {
    const wanted = 'target "shell/b" depends_on: invalid target reference "x": use type.name, for example shell.test';
    expect(await faultOf('shell "b" { depends_on = ["x"] }\n')).toBe(wanted);
    expect(await faultOf('shell "b" { depends_on = [x] }\n')).toBe(wanted);
  });

  test('[bach-reference-unknown-type] a type that does not exist', async () => {
    expect(await faultOf('shell "b" { depends_on = [shelf.a] }\n')).toContain('invalid target reference "shelf.a": unknown target type "shelf"');
  });

  test('[bach-reference-not-policy] a policy', async () => {
    expect(await faultOf('shell "b" { depends_on = [policy.a] }\n')).toContain('policy');
  });

  test('[bach-reference-entries] no reference at all', async () => {
    expect(await faultOf('shell "b" { depends_on = [1 + 1] }\n')).toContain('entries must be target references');
  });

  test('[bach-depends-on-missing] a dependency that does not exist', async () => {
    const [fault] = await faultsOf('shell "b" { depends_on = [shell.zzzzzz] }\n');
    expect(fault).toMatchObject({ message: 'target "shell/b" depends on missing target "shell/zzzzzz"', code: 'unknown-target-reference' });
  });

  test('[bach-pipeline-step-missing, bach-code-otherwise] a step that does not exist', async () => {
    const [fault] = await faultsOf('pipeline "b" { steps = [shell.zzzzzz] }\n');
    expect(fault).toMatchObject({ message: 'target "pipeline/b" has missing pipeline step "shell/zzzzzz"', code: 'bachfile-validation-error' });
  });

  test('[bach-group-member-missing] a member that does not exist', async () => {
    expect(await faultOf('group "b" { targets = [shell.zzzzzz] }\n')).toBe('target "group/b" has missing group member "shell/zzzzzz"');
  });
});

describe('project', () => {
  const where = 'shell "x" { command = ["pwd"] }\n';

  test('[bach-project-root-default] the folder of the Bachfile', async () => {
    const project = bachProject(where);
    project.write('sub/file', '');
    const { stdout } = await project.bach(['-f', '../Bachfile', 'run', 'shell/x'], { cwd: project.at('sub') });
    expect(linesOf(stdout)).toContain(`[shell/x] ${project.folder}`);
  });

  test('[bach-project-root-relative] counts from where bach was started', async () => {
    const project = bachProject(`project "p" { root = "." }\n${where}`);
    project.write('sub/file', '');
    const { stdout } = await project.bach(['-f', '../Bachfile', 'run', 'shell/x'], { cwd: project.at('sub') });
    expect(linesOf(stdout)).toContain(`[shell/x] ${project.at('sub')}`);
    expect(existsSync(project.at('sub/.bach/state.db'))).toBe(true);
  });

  test('[bach-project-root-home] the home folder', async () => {
    const project = bachProject(`project "p" { root = "~/work" }\n${where}`);
    project.write('work/file', '');
    const { stdout } = await project.bach(['run', 'shell/x'], { env: { PATH: process.env['PATH'] ?? '', HOME: project.folder } });
    expect(linesOf(stdout)).toContain(`[shell/x] ${project.at('work')}`);
  });

  test('[bach-project-root-string] no string', async () => {
    expect(await faultOf('project "p" { root = ["."] }\n')).toBe('project root: must be a string');
  });

  test('[bach-project-default] runs when no target is named', async () => {
    const project = bachProject(`project "p" { default = shell.x }\n${where}`);
    expect((await project.bach(['run'])).stdout).toContain(' success target=shell/x ');
  });

  test('[bach-project-default-missing] one that does not exist', async () => {
    const [fault] = await faultsOf('project "p" { default = shell.zzzzzz }\n');
    expect(fault).toMatchObject({ message: 'default target "shell/zzzzzz" does not exist', code: 'unknown-target-reference' });
  });

  test('[bach-project-state-refused] state', async () => {
    const wanted = 'project state is no longer supported; omit it to use the default backend or configure project backend';
    expect(await faultOf('project "p" { state = ".bach/state.db" }\n')).toBe(wanted);
  });
});

describe('the backend of a project', () => {
  const backend = (...blocks: readonly string[]) => `project "p" {\n${blocks.map((body) => `  backend {\n${body}\n  }\n`).join('')}}\n${A}`;
  const standard = 'type = "stdio"\ncommand = ["bach", "backend", "sqlite"]\nconfig = {\n  path = ".bach/state.db"\n}';

  test('[bach-backend-defaults] written out', async () => {
    const project = bachProject(backend(standard));
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(0);
    expect(existsSync(project.at('.bach/state.db'))).toBe(true);
  });

  test('[bach-backend-path] another place', async () => {
    const project = bachProject(backend('config = { path = "custom/state.db" }'));
    const { stdout } = await project.bach(['run', 'shell/a']);
    expect(stdout).toContain(' logs=custom/runs/');
    expect([existsSync(project.at('custom/state.db')), existsSync(project.at('.bach/state.db'))]).toEqual([true, false]);
  });

  test('[bach-backend-one] two', async () => {
    expect(await faultOf(backend('', ''))).toBe('project backend: only one backend block is allowed');
  });

  test('[bach-backend-type] another type', async () => {
    expect(await faultOf(backend('type = "http"'))).toBe('project backend: unsupported type "http" (only stdio is supported)');
  });

  test('[bach-backend-command] another command', async () => {
    expect(await faultOf(backend('command = ["my", "own"]'))).toBe(
      'project backend: unsupported command ["my", "own"] (only ["bach", "backend", "sqlite"] is supported)',
    );
  });

  test.each(['../state.db', '/state.db'])('[bach-backend-path-outside] %s', async (path) => {
    expect(await faultOf(backend(`config = { path = "${path}" }`))).toBe('project backend: backend config.path must stay under the project root');
  });
});

describe('targets', () => {
  test('[bach-cost] the three words, and another', async () => {
    for (const cost of ['low', 'medium', 'high']) expect(await faultsOf(`shell "a" { cost = "${cost}" }\n`)).toEqual([]);
    expect(await faultOf('shell "a" { cost = "tiny" }\n')).toBe('target "shell/a" has invalid cost "tiny"; want low, medium, or high');
  });

  test('[bach-metadata] at every kind', async () => {
    const metadata = '  description = "d"\n  when = "before"\n  cost = "low"\n';
    const text = `shell "a" {\n${metadata}}\ngroup "g" {\n${metadata}  targets = [shell.a]\n}\npipeline "p" {\n${metadata}  steps = [shell.a]\n}\n`;
    const { exit, stdout } = await bachProject(text).bach(['run', 'shell/a']);
    expect(exit).toBe(0);
    expect(linesOf(stdout)[0]).toBe('[shell/a] noop');
  });

  test.each(['shell', 'group', 'pipeline'])('[bach-timeout-duration, bach-timeout-positive] of a %s', async (kind) => {
    expect(await faultsOf(`${kind} "a" { timeout = "1h30m" }\n`)).toEqual([]);
    expect(await faultOf(`${kind} "a" { timeout = "later" }\n`)).toMatch(new RegExp(`^target "${kind}/a" timeout "later" is invalid: .`));
    expect(await faultOf(`${kind} "a" { timeout = "0s" }\n`)).toBe(`target "${kind}/a" timeout must be greater than zero`);
  });

  test('[bach-command-argv] words reach the program as they stand', async () => {
    const project = bachProject('shell "a" { command = ["printf", "%s|", "two words", "*", "; echo no"] }\n');
    expect(linesOf((await project.bach(['run', 'shell/a'])).stdout)[1]).toBe('[shell/a] two words|*|; echo no|');
  });

  test('[bach-shell-string] a shell reads the text', async () => {
    const project = bachProject('shell "a" { shell = "printf 1; false || printf 2 && echo 3 | cat" }\n');
    const { stdout } = await project.bach(['run', 'shell/a']);
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/a] sh -c printf 1; false || printf 2 && echo 3 | cat', '[shell/a] 123']);
  });

  test('[bach-command-or-shell] both', async () => {
    const text = 'shell "a" {\n  command = ["true"]\n  shell = "true"\n}\n';
    expect(await faultOf(text)).toBe('target "shell/a" must use command or shell, not both');
  });

  test('[bach-workdir] from the root', async () => {
    const project = bachProject('shell "a" {\n  workdir = "sub"\n  command = ["pwd"]\n}\nshell "b" { command = ["pwd"] }\n');
    project.write('sub/file', '');
    const { stdout } = await project.bach(['run', 'shell/a', 'shell/b']);
    expect(linesOf(stdout)).toEqual(expect.arrayContaining([`[shell/a] ${project.at('sub')}`, `[shell/b] ${project.folder}`]));
  });

  test('[bach-outputs-forms] a list and an object', async () => {
    expect(await faultsOf('shell "a" { outputs = ["x", "y"] }\nshell "b" { outputs = { junit = "r/junit.xml" } }\n')).toEqual([]);
  });

  test.each([
    ['[["x"]]', 'list values must be strings'],
    ['{ a = ["x"] }', 'map values must be strings'],
    ['true', 'must be a list or object'],
  ])('[bach-outputs-strings] %s', async (outputs, message) => {
    expect(await faultOf(`shell "a" { outputs = ${outputs} }\n`)).toBe(`target "shell/a" outputs: ${message}`);
  });

  test('[bach-duplicate-target] twice', async () => {
    const [fault] = await faultsOf(`${A}${A}`);
    expect(fault).toMatchObject({ message: 'duplicate target "shell/a"', code: 'duplicate-target' });
  });

  test('[bach-run-directory-placeholder] in command, shell and outputs', async () => {
    const project = bachProject(
      'shell "a" {\n  command = ["touch", "$(RUN_DIRECTORY)/from-command"]\n  outputs = ["$(RUN_DIRECTORY)/from-command"]\n}\nshell "b" {\n  shell = "touch $(RUN_DIRECTORY)/from-shell"\n  outputs = ["$(RUN_DIRECTORY)/from-shell"]\n}\n',
    );
    const { exit, stdout } = await project.bach(['run', 'shell/a', 'shell/b']);
    expect(exit).toBe(0);
    expect(stdout).not.toContain('missing output');
    const folder = project.at(/logs=(\S+)/.exec(stdout)?.[1] ?? '');
    expect([existsSync(`${folder}/shell__a/from-command`), existsSync(`${folder}/shell__b/from-shell`)]).toEqual([true, true]);
  });

  test('[bach-composite-nesting] each kind in each', async () => {
    const text = `${A}group "g" { targets = [shell.a, pipeline.p] }\npipeline "p" { steps = [group.h, shell.a] }\ngroup "h" { targets = [shell.a] }\npipeline "q" { steps = [pipeline.p, group.g] }\n`;
    expect((await bachProject(text).bach(['run', 'pipeline/q'])).exit).toBe(0);
  });

  test.each([
    'pipeline "p" { steps = [pipeline.q] }\npipeline "q" { steps = [pipeline.p] }\n',
    'group "g" { targets = [shell.b] }\nshell "b" { depends_on = [group.g] }\n',
  ])('[bach-composite-cycle] is refused by every verb', async (text) => {
    expect(await faultOf(text)).toMatch(/^composite target cycle includes "/);
    const { exit, stdout, stderr } = await bachProject(text).bach(['list']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('composite target cycle includes "');
  });

  test('[bach-validate-range] the range of what is wrong', async () => {
    const [fault] = await faultsOf('project "x" {\n  default = "shell/test"\n}\n');
    expect(fault?.range).toEqual({ start: { line: 2, column: 13 }, end: { line: 2, column: 25 } });
  });
});
