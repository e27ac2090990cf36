import { rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chooseWorkflow } from '../../../src/bach/model/later/index.ts';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import type { CliOptions } from '../../support/cli.ts';
import { projectOf } from '../../bach/model/reading.ts';
import { personEnvironment, runGit } from '../../support/git-repository.ts';
import { faultsOf, linesOf, valueOf, type Fault } from './support.ts';

type Files = Readonly<Record<string, string>>;

function projectWith(text: string, files: Files = {}): BachProject {
  const project = bachProject(text);
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  return project;
}

/** What `validate` finds in a project of several files, as its lines. */
async function linesAbout(text: string, files: Files = {}): Promise<readonly string[]> {
  const { exit, stdout } = await projectWith(text, files).bach(['validate']);
  expect(exit).toBe(1);
  return stdout.trimEnd().split('\n');
}

async function targetsOf(project: BachProject, options?: CliOptions): Promise<readonly { readonly name: string; readonly description: string }[]> {
  const { stdout, stderr } = await project.bach(['list', '--json'], options);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { targets: readonly { name: string; description: string }[] }).targets;
}

/** Messages of a faulty Bachfile. */
async function messagesOf(text: string, options?: CliOptions): Promise<readonly string[]> {
  return (await faultsOf(text, options)).map(({ message }) => message);
}

function placesOf(faults: readonly Fault[]): readonly (readonly [line: number, column: number])[] {
  return faults.map(({ range: { start } }) => [start.line, start.column]);
}

describe('imports', () => {
  test('L01 two files that import each other', async () => {
    const [line = ''] = await linesAbout('import "a.bach"\n', { 'a.bach': 'import "./b.bach"\n', 'b.bach': '\nimport "./a.bach"\n' });
    expect(line).toMatch(/^b\.bach:2:1: import cycle: \S+\/a\.bach -> \S+\/b\.bach -> \S+\/a\.bach$/);
  });

  test('L01 a file that imports itself, and the Bachfile again', async () => {
    expect((await linesAbout('import "./Bachfile"\n'))[0]).toMatch(/^Bachfile:2:1: import cycle: \S+\/Bachfile -> \S+\/Bachfile$/);
    const project = bachProject('import "other.bach"\n');
    symlinkSync('Bachfile', project.at('other.bach'));
    expect((await project.bach(['validate'])).stdout).toMatch(/^Bachfile:2:1: import cycle: /);
  });

  test('L02 one that is not there', async () => {
    const [line = ''] = await linesAbout('project "p" {}\n\nimport "./missing.bach"\n');
    expect(line).toMatch(/^Bachfile:3:1: import "\.\/missing\.bach": .*missing\.bach/);
  });

  test('L03 a path that is no literal', async () => {
    for (const path of ['var.some_path', '"${var.x}.bach"', 'x.bach', '']) {
      expect((await linesAbout(`import ${path}\n`))[0]).toMatch(/^Bachfile:2:\d+: import path must be a string literal$/);
    }
  });

  test('L04 one file twice, by two ways, is loaded once', async () => {
    const project = projectWith('import "x.bach"\nimport "./y/../x.bach"\nimport "link.bach"\n', { 'x.bach': 'shell "x" {}\n', 'y/z': '' });
    symlinkSync('x.bach', project.at('link.bach'));
    expect((await targetsOf(project)).map(({ name }) => name)).toEqual(['shell/x']);
  });

  test('L05 a path starts at the file that imports', async () => {
    const project = projectWith('import "ci/a.bach"\n', { 'ci/a.bach': 'import "deep/b.bach"\n', 'ci/deep/b.bach': 'import "../c.bach"\n', 'ci/c.bach': 'shell "c" {}\n' });
    expect((await targetsOf(project)).map(({ name }) => name)).toEqual(['shell/c']);
  });

  test('L06 a project block in a fragment', async () => {
    const [line = ''] = await linesAbout('import "x.bach"\n', { 'x.bach': '\nproject "other" {}\n' });
    expect(line).toMatch(/^x\.bach:2:1: \S+\/x\.bach: imported Bachfile must not declare a project block$/);
  });

  test('L07 one target in two files', async () => {
    expect(await linesAbout('shell "test" {}\nimport "x.bach"\n', { 'x.bach': 'shell "test" {}\n' })).toEqual([
      'x.bach:1:1: duplicate target "shell/test": Bachfile:2:1 has it already',
    ]);
  });

  test('L08 the word in a heredoc', async () => {
    const file = 'shell "x" {\n  shell = <<EOT\nimport "gone.bach"\nEOT\n}\nvar "v" {\n  default = <<-EOT\n  import "gone.bach"\n  EOT\n}\n';
    expect(await faultsOf(file)).toEqual([]);
  });

  test('L09 braces in comments and texts', async () => {
    const file = '# } {\n// {{{\n/* { import "gone.bach" {\n */\nvar "v" { default = "{ }} \\" {" } # {\nimport "x.bach"\n';
    const project = projectWith(file, { 'x.bach': 'shell "x" { description = var.v }\n' });
    expect(await targetsOf(project)).toMatchObject([{ name: 'shell/x', description: '{ }} " {' }]);
  });

  test('L10 all that a fragment may hold counts', async () => {
    const fragment = `var "v" { default = "v" }
env { E = "e" }
profile "s" {
  env { P = "p" }
}
input "file" "i" { src = "x.bach" }
resource "r" {}
plugin "g" { sources = { all = ["x.bach"] } }
shell "make" { produces = [resource.r] }
quality "make" {
  junit { path = "report.xml" }
}
alias "old" { target = shell.use }
`;
    const text = `project "p" { default = "old" }
import "x.bach"
shell "use" {
  inputs  = [input.file.i, resource.r, plugin.g.all]
  command = ["echo", "\${var.v}\${E}$P"]
}
shell "alone" { command = ["echo", "\${var.v}\${E}$P"] }
`;
    const project = projectWith(text, { 'x.bach': fragment });
    const { stdout, exit } = await project.bach(['explain', 'old']);
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining('Depends on:\n  - shell/make\nInputs:\n  - file/i\n  - resource/r\n  - plugin/g/all\n') });
    expect(stdout).toContain('Canonical target: shell/use\n');
    expect(linesOf((await project.bach(['--profile', 's', 'run', 'shell/alone'])).stdout)).toContain('[shell/alone] vep');
    const plan = await project.bach(['run', '--dry-run']);
    expect(plan.stderr).toContain('not in this release of bach: targets with a quality block (shell/make)');
  });

  test.each([
    ['import "*.bach"', /glob imports are not supported/],
    ['import "ci/?.bach"', /glob imports are not supported/],
    ['import "ci/[ab].bach"', /glob imports are not supported/],
    ['import "/abs.bach"', /import path "\/abs\.bach" must be a local relative path/],
    ['import "https://example.com/x.bach"', /must be a local relative path/],
    ['import ""', /import path must not be empty/],
    ['import "x.bach" "y.bach"', /import declaration must contain only a path/],
    ['import "bad \\q"', /import path must be a valid string literal/],
    ['import "open', /import path must be a valid string literal/],
  ])('L03 %s', async (line, words) => {
    const [first = ''] = await linesAbout(`${line}\n`, { 'x.bach': '', 'y.bach': '' });
    expect(first).toMatch(/^Bachfile:2:\d+: /);
    expect(first).toMatch(words);
  });
});

describe('the project', () => {
  test.each(['.bach/state.db', '/state.db', '../state.db'])('L11 state = "%s"', async (path) => {
    const faults = await faultsOf(`project "p" {\n  state = "${path}"\n}\n`);
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^project state is no longer supported; /)]);
    expect(placesOf(faults)).toEqual([[2, 3]]);
  });

  test('L12 a backend with a path of its own', async () => {
    const backend = 'backend {\n    type = "stdio"\n    command = ["bach", "backend", "sqlite"]\n    config = { path = "custom/state.db" }\n  }';
    const project = bachProject(`project "p" {\n  ${backend}\n}\nshell "x" { shell = "true" }\n`);
    expect((await project.bach(['run', 'shell/x'])).exit).toBe(0);
    expect(project.read('custom/state.db').startsWith('SQLite format 3')).toBe(true);
    expect((await project.bach(['runs', 'list'])).stdout).toContain(' success ');
  });

  test('L20 a default that is nothing', async () => {
    expect(await messagesOf('project "p" { default = shell.gone }\nshell "x" {}\n')).toEqual([expect.stringMatching(/^default target "shell\/gone" does not exist/)]);
  });
});

describe('targets', () => {
  test.each([
    ['L13 an invalid cost', 'cost = "tiny"', /^target "shell\/test" has invalid cost "tiny"; want low, medium, or high$/],
    ['L14 the form of the command line', 'depends_on = ["shell/setup"]', /obsolete target reference "shell\/setup": use type\.name, for example shell\.setup$/],
    ['L21 a timeout that is none', 'timeout = "later"', /^target "shell\/test" timeout "later" is invalid: /],
    ['L21 a timeout of nothing', 'timeout = "0s"', /^target "shell\/test" timeout must be greater than zero$/],
    ['L21 no attempts', 'retry {\n attempts = 0\n}', /^target "shell\/test" retry attempts must be greater than zero$/],
    ['L21 a negative backoff', 'retry {\n attempts = 2\n backoff = "-1s"\n}', /^target "shell\/test" retry backoff must not be negative$/],
    ['L22 a preflight without command', 'preflights = [{ name = "p" }]', /^target "shell\/test" preflight "p" must set command$/],
    ['L22 a tool without name', 'tools = [{ command = ["x"] }]', /^target "shell\/test" tool requirement must set name$/],
    ['L22 a contract with two checks', 'success_when {\n file_exists = "a"\n output_contains = "b"\n}', /^target "shell\/test" success_when must set exactly one of output_contains, file_exists, or command$/],
    ['L22 a contract with none', 'fail_when {}', /^target "shell\/test" fail_when must set exactly one of /],
  ])('%s', async (_, line, message) => {
    const faults = await faultsOf(`shell "test" {\n${line}\n}\nshell "setup" {}\n`);
    expect(faults.map((fault) => fault.message)).toEqual([expect.stringMatching(message)]);
    expect(faults[0]?.range.start.line).toBeGreaterThanOrEqual(3);
  });

  test('L14 a reference as a text', async () => {
    const project = bachProject('shell "test" { depends_on = ["shell.setup"] }\nshell "setup" { shell = "true" }\n');
    expect((await project.bach(['run', '--dry-run', 'shell/test'])).stdout).toContain('[shell/setup] ');
    expect((await faultsOf('shell "test" { depends_on = ["shell/setup"] }\nshell "setup" {}\n'))[0]?.code).toBe('obsolete-target-reference');
  });

  test('L19 steps that are missing, nested, or in a circle', async () => {
    expect(await messagesOf('pipeline "p" { steps = [shell.gone] }\n')).toEqual([expect.stringMatching(/^target "pipeline\/p" has missing pipeline step "shell\/gone"/)]);
    expect(await messagesOf('group "g" { targets = [shell.gone] }\n')).toEqual([expect.stringMatching(/^target "group\/g" has missing group member "shell\/gone"/)]);
    expect(await faultsOf('shell "a" {}\npipeline "in" { steps = [shell.a] }\npipeline "out" { steps = [pipeline.in, shell.a] }\n')).toEqual([]);
    expect(await messagesOf('pipeline "a" { steps = [pipeline.b] }\npipeline "b" { steps = [pipeline.a] }\n')).toEqual([
      'composite target cycle includes "pipeline/a"',
    ]);
  });

  test('L20 an alias of an alias, of nothing, and of the name of a target', async () => {
    const before = 'shell "x" {}\nalias "one" { target = shell.x }\n';
    expect(await messagesOf(`${before}alias "two" { target = "one" }\n`)).toEqual(['alias "two" points to alias "one"; alias chains are not supported']);
    const [fault] = await faultsOf(`${before}alias "two" { target = shell.gone }\n`);
    expect(fault).toMatchObject({ code: 'unknown-target-reference', message: expect.stringMatching(/^alias "two" points to unknown target "shell\/gone"/) });
    expect(await messagesOf(`${before}alias "shell/x" { target = shell.x }\n`)).toEqual(['alias "shell/x" conflicts with target']);
  });

  test('L23 inputs of plugins and what is produced lead to dependencies', async () => {
    const plugin = `console.log(JSON.stringify({ inputs: { all: ["file/made"] }, targets: { "shell.second": { inputs: ["resource/deps"] } } }))`;
    const project = projectWith(
      `plugin "p" {
  command = ["node", "plugin.mjs"]
  sources = { all = ["src"] }
}
input "file" "made" { src = "made" }
resource "deps" {}
shell "make" { produces = [input.file.made] }
shell "install" { produces = [resource.deps] }
shell "first" { inputs = [plugin.p.all] }
shell "second" {}
`,
      { 'plugin.mjs': plugin },
    );
    const { edges } = JSON.parse((await project.bach(['graph', '--format', 'json'])).stdout) as { edges: readonly { from: string; to: string }[] };
    expect(edges.map(({ from, to }) => `${from} ${to}`)).toEqual(['shell/first shell/make', 'shell/second shell/install']);
  });

  test('L24 validate runs no graph plugin', async () => {
    const project = bachProject('plugin "p" { shell = "touch ran; exit 1" }\nshell "x" {}\n');
    expect((await project.bach(['validate'])).exit).toBe(0);
    expect(() => project.read('ran')).toThrow();
    const { exit, stderr } = await project.bach(['list']);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^plugin "p" failed: /) });
  });

  test('L35 a text is the same as a reference', async () => {
    const text = (entry: string) => `input "file" "source" { src = "src" }\nshell "x" { inputs = [${entry}] }\n`;
    const explained = await Promise.all(['"file/source"', 'input.file.source'].map((entry) => bachProject(text(entry)).bach(['explain', 'shell/x'])));
    expect(explained[0]).toEqual(explained[1]);
    expect(explained[0]?.stdout).toContain('Inputs:\n  - file/source\n');
    const affected = await bachProject(text('"file/source"')).bach(['affected', 'src/a.ts']);
    expect(affected.stdout).toBe('shell/x 1 src\n');
  });
});

describe('values', () => {
  const path = { PATH: process.env['PATH'] ?? '' };

  test('L15 a variable from the command line, the environment, its default', async () => {
    const text = 'var "release" { default = "default" }\nshell "x" { description = var.release }\n';
    const value = async (argv: readonly string[], env: Files) => (await bachProject(text).bach([...argv, 'list'], { env: { ...path, ...env } })).stdout.split(/\s+/)[1];
    const env = { BACH_VAR_RELEASE: 'upper' };
    expect([await value(['--var', 'release=given'], env), await value([], env), await value([], {})]).toEqual(['given', 'upper', 'default']);
    const { exit, stderr } = await bachProject(text).bach(['--var', 'other=1', 'list']);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('override provided for undeclared variable "other"') });
  });

  test('L16 an environment value of another one and a variable without value', async () => {
    const values = ['var bla {}', 'env {\n  ENV_2 = "${ENV_1} b ${var.bla}"\n  ENV_1 = "b"\n}'];
    for (const before of [values.join('\n'), values.toReversed().join('\n')]) expect(await valueOf('"<${ENV_2}>"', before)).toBe('<b b >');
  });

  test('L17 a profile stands between the project and the target', async () => {
    const project = bachProject('env {\n  A = "project"\n  B = "project"\n  C = "project"\n}\nprofile "s" {\n  env {\n    B = "profile"\n    C = "profile"\n  }\n}\nshell "x" {\n  env { C = "target" }\n  command = ["echo", "$A $B $C"]\n}\n');
    expect(linesOf((await project.bach(['--profile', 's', 'run', 'shell/x'])).stdout)).toContain('[shell/x] project profile target');
    const { exit, stderr } = await project.bach(['--profile', 'gone', 'list']);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringContaining('unknown profile "gone"') });
  });

  test('L18 file_hash of a folder, and whether the work tree is dirty', async () => {
    const project = projectWith('var "h" { default = "<${git_dirty_suffix()}>${file_hash("src")}" }\nshell "x" {\n  description = var.h\n  shell = "true"\n}\n', { 'src/b': 'b', 'src/a/c': 'c' });
    const env = personEnvironment(project.folder);
    const value = async () => (await targetsOf(project, { env }))[0]?.description ?? '';
    runGit(project.folder, ['init']);
    runGit(project.folder, ['add', '.']);
    runGit(project.folder, ['commit', '-m', 'one']);
    const clean = await value();
    expect(clean).toMatch(/^<>[0-9a-f]{12}$/);
    expect((await project.bach(['run', 'shell/x'], { env })).exit).toBe(0);
    expect(await value()).toBe(clean);
    project.write('src/b', 'B');
    const dirty = await value();
    expect(dirty).toMatch(/^<-dirty>[0-9a-f]{12}$/);
    expect(dirty.slice(-12)).not.toBe(clean.slice(-12));
    project.write('src/b', 'b');
    expect(await value()).toBe(clean);
  });
});

describe('faults of the text', () => {
  test('L25 a block without an end, in the Bachfile and in a fragment', async () => {
    const open = 'shell "x" {\n  command = ["true"]\n';
    const [fault] = await faultsOf(open);
    expect(fault).toMatchObject({ code: 'hcl-parse-error', file: 'Bachfile', message: expect.stringMatching(/^parse Bachfile: /) });
    expect(fault?.range.start.line).toBeGreaterThan(0);
    expect((await linesAbout('import "ci/x.bach"\n', { 'ci/x.bach': open }))[0]).toMatch(/^ci\/x\.bach:[123]:\d+: parse ci\/x\.bach: /);
  });

  test('L26 a prompt that is missing, absolute, a folder, outside, or a link that leads out', async () => {
    const about = async (path: string, arrange: (project: BachProject) => void = () => {}) => {
      const project = bachProject(`prompt "p" { path = "${path}" }\n`);
      arrange(project);
      const { exit, stdout } = await project.bach(['validate']);
      expect(exit).toBe(1);
      return stdout.trimEnd();
    };
    expect(await about('gone.md')).toBe('Bachfile:2:21: prompt "p" path "gone.md" must be a regular file');
    expect(await about('/abs.md')).toBe('Bachfile:2:21: prompt "p" path "/abs.md": prompt path must stay under the project root');
    expect(await about('../x.md')).toContain('prompt path must stay under the project root');
    expect(await about('.')).toContain('must be a regular file');
    expect(await about('link.md', (project) => symlinkSync('/etc/hostname', project.at('link.md')))).toContain('must stay within project root');
    expect(await about('round.md', (project) => symlinkSync('round.md', project.at('round.md')))).toContain('must be a regular file');
  });
});

const PROVIDERS = 'provider "run" {\n  type = "agent"\n  command = ["run"]\n}\nprovider "code" { type = "opencode" }\npolicy "gate" { required_targets = [shell.x] }\nshell "x" {}\n';
const template = (lines: string): string => `${PROVIDERS}agent_template "t" {\n${lines}\n}\n`;
const agent = (lines: string): string => `${PROVIDERS}agent "a" {\n${lines}\n}\n`;
const WITH_PROVIDER = 'provider = provider.run\n';

describe('blocks of later releases', () => {
  test.each([
    ['no provider', template('role = "r"'), 'agent_template "t" provider is required'],
    ['an invalid mode', template(`${WITH_PROVIDER}mode = "think"`), 'agent_template "t" mode must be implement, review, or merge'],
    ['an unknown prompt', template(`${WITH_PROVIDER}prompt = prompt.gone`), /Unsupported attribute|unknown prompt "gone"/],
    ['an unknown policy', template(`${WITH_PROVIDER}policy = "gone"`), /^agent_template "t" references unknown policy "gone"/],
    ['a policy of a review', template(`${WITH_PROVIDER}mode = "review"\npolicy = policy.gate`), 'agent_template "t" policy is supported only for implement mode'],
    ['a placeholder in a role', template(`${WITH_PROVIDER}role = "\${plan.id}"`), 'agent_template "t" role must not contain placeholders'],
    ['an unsupported placeholder', template(`${WITH_PROVIDER}workspace {\n path = ".bach/agents/$\${plan.name}"\n}`), /^agent_template "t" workspace\.path contains unsupported placeholder "\$\{plan\.name\}"/],
    ['an unknown field', template(`${WITH_PROVIDER}colour = "red"`), /Unsupported argument/],
    ['an unknown template', agent('template = agent_template.gone\nplan = "p.md"'), /unknown agent_template "gone"|Unsupported attribute/],
    [
      'a placeholder that nobody fills',
      `${template(`${WITH_PROVIDER}workspace {\n path = ".bach/agents/\${plan.id}"\n}`)}agent "a" {\n  template = agent_template.t\n  plan = "p.md"\n}\n`,
      'target "agent/a" workspace.path must not contain agent template placeholders',
    ],
  ])('L27 an agent template: %s', async (_, text, message) => {
    expect(await messagesOf(text)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  test.each([
    ['with a command', 'provider "o" {\n type = "opencode"\n command = ["x"]\n}\n', 'provider "o" command is not supported for opencode providers'],
    [
      'for a merge',
      `${agent('provider = provider.run\nplan = "p.md"\npolicy = policy.gate')}agent "m" {\n mode = "merge"\n provider = provider.code\n subject = agent.a\n}\n`,
      'target "agent/m" opencode provider is supported only for implement mode',
    ],
  ])('L28 the provider of opencode %s', async (_, text, message) => {
    expect(await messagesOf(text)).toEqual([message]);
  });

  test('L29 what an agent says itself stands instead of what its template says, block by block', async () => {
    const both = `${template(`${WITH_PROVIDER}policy = policy.gate\nworkspace {\n path = ".bach/agents/of-t"\n}`)}
agent "a" {
  template = agent_template.t
  plan     = "a.md"
}
agent "b" {
  template = agent_template.t
  plan     = "b.md"
  workspace {}
}
`;
    const explained = async (name: string) => (await bachProject(both).bach(['explain', `policy/gate@agent.${name}`])).stdout;
    expect(await explained('a')).toContain('subject_workspace: .bach/agents/of-t\n');
    expect(await explained('b')).toContain('subject_workspace: .bach/agents/b\n');
  });

  test.each([
    ['a parser that is a graph plugin', 'plugin "g" { command = ["g"] }\nshell "x" {}\nquality "x" {\n lint {\n path = "l"\n parser = plugin.g\n}\n}\n', 'target "shell/x" report "lint" parser plugin "g" must have type = "quality"'],
    ['an unknown target', 'quality "gone" {}\n', /^quality block references unknown target "shell\/gone"/],
    ['rego without a path', 'shell "x" {}\nquality "x" {\n rego_policy {\n package = "p"\n}\n}\n', 'target "shell/x" rego_policy must set path'],
  ])('L30 quality: %s', async (_, text, message) => {
    expect(await messagesOf(text)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  const phases = 'plan {\n agent_template = agent_template.t\n path = "p.md"\n}\nimplement { agent_template = agent_template.t }\n';
  const workflow = (name: string): string => `workflow "${name}" {\n${phases}}\n`;
  const factory = (inner: string): string => `${template(WITH_PROVIDER)}factory "f" {\n${inner}}\n`;
  const trigger = (inner: string, name = 't'): string => `triggers {\nprovider "${name}" {\n${inner}\n}\n}\n`;
  const COMMAND = 'command = ["x"]\n';

  test.each([
    ['no workflow', factory(''), 'factory "f" must declare at least one workflow'],
    ['two factories of one name', `${factory(workflow('w'))}factory "f" {\n${workflow('w')}}\n`, 'duplicate factory "f"'],
    ['two workflows of one name', factory(workflow('w') + workflow('w')), 'factory "f" has duplicate workflow "w"'],
    ['two blocks of triggers', factory(`${workflow('w')}triggers {}\ntriggers {}\n`), 'factory "f" must have at most one triggers block'],
    ['two manual triggers', factory(`${workflow('w')}triggers {\nmanual {}\nmanual {}\n}\n`), 'factory "f" must have at most one manual trigger'],
    ['an unknown field', factory(`${workflow('w')}colour = "red"\n`), /Unsupported argument/],
    ['a trigger without command', factory(workflow('w') + trigger('')), 'factory "f" provider trigger "t" command is required'],
    ['an interval that is none', factory(workflow('w') + trigger(`${COMMAND}poll_interval = "soon"`)), /^factory "f" provider trigger "t" poll_interval is not a valid duration/],
    ['no routes for several workflows', factory(workflow('v') + workflow('w') + trigger(COMMAND)), 'factory "f" provider trigger "t" requires route rules because the factory has multiple workflows'],
    ['a route to no workflow', factory(workflow('w') + trigger(`${COMMAND}route {\n label = "l"\n workflow = "gone"\n}`)), /^factory "f" provider trigger "t" route\.workflow "gone" is not a declared workflow/],
    ['two triggers of one name', factory(`${workflow('w')}triggers {\nprovider "t" {\n${COMMAND}}\nprovider "t" {\n${COMMAND}}\n}\n`), 'factory "f" has duplicate provider trigger "t"'],
  ])('L31 a factory: %s', async (_, text, message) => {
    expect(await messagesOf(text)).toEqual([typeof message === 'string' ? message : expect.stringMatching(message)]);
  });

  test('L32 which workflow is meant', () => {
    const workflows = ['one', 'two'].map((name) => ({ name, plan: undefined, implement: undefined, merge: undefined, deploys: [], verifies: [] }));
    const choose = (wanted: string) => chooseWorkflow({ name: 'f', workflows, manualTrigger: true, providerTriggers: [] }, wanted);
    expect(choose('')).toEqual({ fault: expect.stringContaining('--workflow is required') });
    expect(choose('missing')).toEqual({ fault: expect.stringContaining('workflow "missing"') });
    expect(choose('two')).toEqual({ workflow: workflows[1] });
  });

  test.each([
    ['', 300_000],
    ['poll_interval = "5m"', 300_000],
    ['poll_interval = "100ms"', 1000],
    ['poll_interval = "90s"', 90_000],
  ])('L33 the interval of a trigger: %s', (line, ms) => {
    const { factories } = projectOf(factory(workflow('w') + trigger(COMMAND + line)));
    expect(factories.get('f')?.providerTriggers.map(({ pollIntervalMs }) => pollIntervalMs)).toEqual([ms]);
  });

  test.each(['${work_item.id}', '$${work_item.id}'])('L34 %s in the path of a workspace stays as it is', async (written) => {
    const text = `${template(`${WITH_PROVIDER}workspace {\n path = ".bach/agents/${written}"\n}`)}shell "y" { description = "<${written}>" }\n`;
    expect(await faultsOf(text)).toEqual([]);
    expect((await targetsOf(bachProject(text))).find(({ name }) => name === 'shell/y')?.description).toBe('<${work_item.id}>');
  });
});

test('L02 a Bachfile that is itself a link has its imports beside the file that it leads to', async () => {
  const project = projectWith('', { 'ci/real.bach': 'project "p" {}\nimport "x.bach"\n', 'ci/x.bach': 'shell "x" {}\n' });
  rmSync(project.at('Bachfile'));
  symlinkSync('ci/real.bach', project.at('Bachfile'));
  expect((await targetsOf(project)).map(({ name }) => name)).toEqual(['shell/x']);
});
