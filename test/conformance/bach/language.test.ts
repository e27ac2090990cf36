import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { faultOf, faultsOf, linesOf, valueOf } from './support.ts';

describe('syntax', () => {
  test('[bach-modeline, bach-hcl-comments] comments of every kind, the first for an editor', async () => {
    const text = '# vim: set ft=hcl :\nproject "test" {} // one\n/* two\n three */\nshell /* four */ "a" { # five\n}\n';
    expect(await faultsOf(text)).toEqual([]);
  });

  test.each([
    ['"${var.n}-${1 + 1}"', 'v-2'],
    ['"$${var.n} %%{ if }"', '${var.n} %{ if }'],
    ['"%{ if var.n == "v" }yes%{ else }no%{ endif }"', 'yes'],
  ])('[bach-hcl-templates] %s', async (expression, value) => {
    expect(await valueOf(expression, 'var "n" { default = "v" }')).toBe(value);
  });

  test('[bach-hcl-heredocs] with and without indentation', async () => {
    expect(await valueOf('<<EOT\n  a\n    b\nEOT\n')).toBe('  a\n    b\n');
    expect(await valueOf('<<-EOT\n    a\n      b\n    EOT\n')).toBe('a\n  b\n');
  });

  test.each([
    ['"${(1 + 2) * 3 - 8 / 4 - 7 % 4}"', '4'],
    ['"${1 < 2 && 2 >= 2 && !(3 <= 2) || 1 > 2}"', 'true'],
    ['"a" == "b" ? "same" : ("a" != "b" ? "other" : "never")', 'other'],
    ['"${-1}"', '-1'],
  ])('[bach-hcl-operators] %s', async (expression, value) => {
    expect(await valueOf(expression)).toBe(value);
  });

  test.each([
    ['[for x in ["a", "b", "c"] : "${x}!" if x != "a"][1]', 'c!'],
    ['[for i, x in ["a", "b"] : "${i}${x}"][1]', '1b'],
    ['{ for k, v in { one = "1" } : v => k }["1"]', 'one'],
    ['([{ n = "a" }, { n = "b" }][*].n)[1]', 'b'],
    ['{ a = { b = "deep" } }.a.b', 'deep'],
  ])('[bach-hcl-for-and-splat] %s', async (expression, value) => {
    expect(await valueOf(expression)).toBe(value);
  });

  test('[bach-hcl-collections] a trailing comma over several lines', async () => {
    const project = bachProject('shell "a" {\n  command = [\n    "echo",\n    "one",\n  ]\n  outputs = {\n    first = "1",\n    second = "2",\n  }\n}\n');
    project.write('1', '');
    project.write('2', '');
    expect(linesOf((await project.bach(['run', 'shell/a'])).stdout).slice(0, 2)).toEqual(['[shell/a] (stale: no cache record) echo one', '[shell/a] one']);
  });

  test('[bach-hcl-unquoted-label, bach-hcl-one-line-block] var bla {}', async () => {
    expect(await valueOf('"<${var.bla}>${var.foobar}"', 'var bla {}\nvar foobar { default = "foo" }')).toBe('<>foo');
  });

  test('[bach-hcl-dash-in-name] a name with dashes is one name', async () => {
    const project = bachProject('shell "build-release" { command = ["true"] }\nshell all { depends_on = [shell.build-release] }\n');
    expect(linesOf((await project.bach(['run', 'shell/all'])).stdout)[0]).toBe('[shell/build-release] true');
  });

  test('[bach-unknown-function] a function that does not exist', async () => {
    const [fault] = await faultsOf('shell "a" { description = join(",", ["a"]) }\n');
    expect(fault?.code).toBe('hcl-decode-error');
    expect(fault?.message).toContain('join');
  });
});

describe('loading', () => {
  test('[bach-parse-failure] a block without an end', async () => {
    const [fault] = await faultsOf('shell "a" {\n  command = ["true"]\n');
    expect(fault).toMatchObject({ severity: 'error', code: 'hcl-parse-error', file: 'Bachfile' });
    expect(fault?.message).toMatch(/^parse Bachfile: /);
    expect(fault?.range.start.line).toBeGreaterThan(0);
  });

  test('[bach-decode-failure, bach-unsupported-argument] an attribute that a block does not have', async () => {
    const [fault] = await faultsOf('project "p" {\n  colour = "red"\n}\n');
    expect(fault?.code).toBe('hcl-decode-error');
    expect(fault?.message).toMatch(/^decode Bachfile: Unsupported argument/);
  });

  test('[bach-unsupported-block] a block that the language does not have', async () => {
    expect(await faultOf('shelf "a" {}\n')).toMatch(/^decode Bachfile: Unsupported block type/);
  });

  test.each(['shell', 'group', 'pipeline'])('[bach-unknown-target-attribute] of a %s', async (kind) => {
    expect(await faultOf(`${kind} "a" { comandd = ["true"] }\n`)).toMatch(/Unsupported argument.*"comandd"/);
  });

  test('[bach-missing-project] a file without a project', async () => {
    const project = bachProject('');
    project.write('Bachfile', 'shell "a" {}\n');
    const { exit, stdout } = await project.bach(['validate', '--json']);
    expect(exit).toBe(1);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly object[] };
    expect(diagnostics).toMatchObject([{ message: 'Bachfile: missing project block', code: 'missing-project-block' }]);
  });
});

describe('what an expression sees', () => {
  const env = { PATH: process.env['PATH'] ?? '', OUTSIDE: 'outer' };

  test('[bach-context-root] the root: nothing', async () => {
    expect(await faultsOf('project "p" { root = var.place }\nvar "place" { default = "." }\n')).toHaveLength(1);
    expect(await faultsOf('project "p" { root = OUTSIDE }\n', { env })).toHaveLength(1);
  });

  test('[bach-context-var] a default: variables and the process', async () => {
    expect(await valueOf('var.b', 'var a { default = "${OUTSIDE}!" }\nvar b { default = "${var.a}?" }', { env })).toBe('outer!?');
  });

  test('[bach-context-env] a value of env: variables, the process, other keys', async () => {
    const before = 'var v { default = "v" }\nenv {\n  ONE = "${var.v}${OUTSIDE}"\n  TWO = "${ONE}2"\n}\n';
    expect(await valueOf('TWO', before, { env })).toBe('vouter2');
  });

  test('[bach-context-target-env] a value of a target env: all of these and the project env', async () => {
    const project = bachProject(
      'var v { default = "v" }\nenv { SHARED = "s" }\nshell "a" {\n  env {\n    SECOND = "${FIRST}2"\n    FIRST = "${var.v}${OUTSIDE}${SHARED}"\n  }\n  command = ["echo", "$SECOND"]\n}\n',
    );
    expect(linesOf((await project.bach(['run', 'shell/a'], { env })).stdout)).toContain('[shell/a] vouters2');
  });

  test('[bach-context-general] other attributes: variables and env keys, not the process', async () => {
    expect(await valueOf('"${var.v}${KEY}"', 'var v { default = "v" }\nenv { KEY = "k" }')).toBe('vk');
    expect(await faultsOf('shell "a" { description = OUTSIDE }\n', { env })).toMatchObject([{ code: 'hcl-decode-error' }]);
  });

  test('[bach-context-references] other targets', async () => {
    const before = 'shell "b" { outputs = { bin = "dist/b" } }\ngroup "g" { targets = [shell.b] }\npipeline "p-1" { steps = [shell.b] }\n';
    expect(await valueOf('"${shell.b.outputs.bin} ${group.g} ${pipeline.p-1}"', before)).toBe('dist/b group.g pipeline.p-1');
  });

  test('[bach-context-literals] outputs: nothing', async () => {
    expect(await faultsOf('var v { default = "v" }\nshell "a" { outputs = [var.v] }\n')).toHaveLength(1);
  });
});

describe('variables', () => {
  const file = 'var "release" { default = "default" }\nvar "empty" {}\n';
  const value = (env: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
    const project = bachProject(`${file}shell "a" { description = "<\${var.release}\${var.empty}>" }\n`);
    return project.bach([...argv, 'list'], { env }).then(({ stdout }) => /<.*>/.exec(stdout)?.[0]);
  };

  test('[bach-var-precedence] from the command line down to the empty string', async () => {
    const upper = { BACH_VAR_RELEASE: 'upper' };
    const exact = { ...upper, BACH_VAR_release: 'exact' };
    expect(await value(exact, '--var', 'release=given')).toBe('<given>');
    expect(await value(exact)).toBe('<exact>');
    expect(await value(upper)).toBe('<upper>');
    expect(await value({})).toBe('<default>');
  });

  test('[bach-var-any-order] a default that uses a later one', async () => {
    expect(await valueOf('var.a', 'var a { default = "${var.b}a" }\nvar b { default = "${var.c}b" }\nvar c { default = "c" }')).toBe('cba');
  });

  test('[bach-var-only-default] another attribute', async () => {
    expect(await faultOf('var a { type = "string" }\n')).toMatch(/Unsupported argument/);
  });

  test('[bach-var-duplicate] twice', async () => {
    expect(await faultOf('var a {}\nvar a {}\n')).toBe('duplicate variable "a"');
  });

  test('[bach-var-string] no string', async () => {
    expect(await faultOf('var a { default = ["x"] }\n')).toBe('variable "a" default: must be a string');
  });

  test('[bach-var-unresolved] a circle', async () => {
    const messages = (await faultsOf('var a { default = var.b }\nvar b { default = var.a }\n')).map(({ message }) => message);
    expect(messages).toContain('variable "a" default could not be resolved');
  });

  test('[bach-var-undeclared] a value for none', async () => {
    const { exit, stdout, stderr } = await bachProject('').bach(['--var', 'x=1', 'list']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('override provided for undeclared variable "x"');
  });

  test('[bach-var-form] no equals sign', async () => {
    const { exit, stderr } = await bachProject('').bach(['list', '--var', 'x']);
    expect(exit).toBe(2);
    expect(stderr).toContain('expected name=value');
  });
});

describe('env', () => {
  test('[bach-env-merge] two blocks', async () => {
    expect(await valueOf('"${A}${B}"', 'env { A = "a" }\nenv { B = "b" }')).toBe('ab');
  });

  test('[bach-env-duplicate] a key in both', async () => {
    expect(await faultOf('env { A = "a" }\nenv { A = "b" }\n')).toBe('duplicate env "A"');
  });

  test.each([
    'env {\n  ENV_1 = "b"\n  ENV_2 = "${ENV_1} b ${var.bla}"\n}\nvar bla {}\n',
    'var bla {}\nenv {\n  ENV_2 = "${ENV_1} b ${var.bla}"\n  ENV_1 = "b"\n}\n',
  ])('[bach-env-any-order] in any order', async (before) => {
    const project = bachProject(`${before}shell "a" { shell = "echo \\"<$ENV_2>\\"" }\n`);
    expect(linesOf((await project.bach(['run', 'shell/a'])).stdout)).toContain('[shell/a] <b b >');
  });

  test('[bach-env-unresolved] a circle', async () => {
    const messages = (await faultsOf('env {\n  A = B\n  B = A\n}\n')).map(({ message }) => message);
    expect(messages).toContain('env "A" could not be resolved');
  });

  test('[bach-target-env-list] the list wins over the block', async () => {
    const project = bachProject('shell "a" {\n  env { A = "block" }\n  env = ["A=list", "B=two"]\n  command = ["echo", "$A $B"]\n}\n');
    expect(linesOf((await project.bach(['run', 'shell/a'])).stdout)).toContain('[shell/a] list two');
  });
});
