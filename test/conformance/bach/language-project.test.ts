import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf } from './support.ts';
import { projectOf, told } from './told.ts';

const A = 'shell "a" { command = ["true"] }\n';

describe('the project block', () => {
  test('[bach-project-one] a second one', async () => {
    expect(await told('project "p" {}\n«project "q"» {}\n')).toEqual(['duplicate project block']);
  });

  test('[bach-labels] a label that is missing, too many, or empty', async () => {
    expect(await told('«project» {}\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Missing name for project; /)]);
    expect(await told('shell "a" «"b"» {}\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Extraneous label for shell; /)]);
    expect(await told('shell «""» {}\n')).toEqual(['shell name must not be empty or hold control characters']);
    expect(await told('«input "file"» {}\n')).toEqual([expect.stringMatching(/Missing name for input; .*2 labels: its kind and its name/)]);
  });

  test('[bach-project-default-alias] the default may be an alias', async () => {
    const project = projectOf(`project "p" { default = short }\nalias "short" { target = shell.a }\n${A}`);
    expect((await project.bach(['run'])).stdout).toMatch(/ success target=shell\/a /);
    const quoted = projectOf(`project "p" { default = "short" }\nalias "short" { target = shell.a }\n${A}`);
    expect((await quoted.bach(['run'])).stdout).toMatch(/ success target=shell\/a /);
  });

  test('[bach-project-default-invalid] no reference', async () => {
    expect(await told(`project "p" { default = «"nothing"» }\n${A}`)).toEqual([
      'project default: invalid target reference "nothing": use type.name, for example shell.test',
    ]);
    expect(await told(`project "p" { default = «["a"]» }\n${A}`)).toEqual(['project default: entries must be target references']);
  });

  test('[bach-validate-printed] the document that the reference prints', async () => {
    const project = projectOf('project "example" {\n  default = "shell/test"\n}\n');
    const { exit, stdout } = await project.bach(['validate', '--json']);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      files: ['Bachfile'],
      summary: { targets: 0, aliases: 0, inputs: 0, profiles: 0 },
      diagnostics: [
        {
          severity: 'error',
          file: 'Bachfile',
          range: { start: { line: 2, column: 13 }, end: { line: 2, column: 25 } },
          message: 'obsolete target reference "shell/test": use type.name, for example shell.test',
          code: 'obsolete-target-reference',
        },
      ],
    });
  });

  test('[bach-validate-counts] what is declared', async () => {
    const text = `${A}shell "b" {}
alias "x" { target = shell.a }
alias "y" { target = shell.a }
input "file" "f" { src = "Bachfile" }
profile "one" {}
profile "two" {}
profile "three" {}
`;
    const project = projectOf(text);
    expect((await project.bach(['validate'])).stdout).toBe('Bachfile valid: 2 targets, 2 aliases, 1 inputs, 3 profiles\n');
    const { summary } = JSON.parse((await project.bach(['validate', '--json'])).stdout) as { readonly summary: unknown };
    expect(summary).toEqual({ targets: 2, aliases: 2, inputs: 1, profiles: 3 });
  });
});

describe('the backend', () => {
  const backend = (body: string) => `project "p" {\n  backend {\n${body}\n  }\n}\n${A}`;

  test('[bach-backend-external] another command, where it is allowed', async () => {
    expect(await told(backend('external = true\ncommand = ["my", "own"]\nconfig = { url = "x" }'))).toEqual([]);
    expect(await told(backend('external = false\ncommand = «["my", "own"]»'))).toEqual([
      'project backend: unsupported command ["my", "own"] (only ["bach", "backend", "sqlite"] is supported)',
    ]);
  });

  test('[bach-backend-config] an object whose path is a string', async () => {
    expect(await told(backend('config = «["x"]»'))).toEqual(['project backend: config must be an object with a path that is a string']);
    expect(await told(backend('config = «{ path = true }»'))).toEqual(['project backend: config must be an object with a path that is a string']);
    expect(await told(backend('config = «{ pth = "x" }»'))).toEqual(['project backend: config has no "pth"; did you mean "path"?']);
  });

  test('[bach-backend-config] without path the state is at its usual place', async () => {
    const project = projectOf(backend('config = {}'));
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(0);
    expect(existsSync(project.at('.bach/state.db'))).toBe(true);
  });
});

describe('diagnostics', () => {
  test('[bach-several-faults] all faults of a file in one run, in its order', async () => {
    const text = `shell "a" {
  cost       = «"tiny"»
  depends_on = [«shell.zzzzzz»]
  timeout    = «"later"»
  «colour»     = "red"
}
alias "x" { target = «shell.yyyyyy» }
var "v" { default = «["x"]» }
`;
    expect(await told(text)).toEqual([
      'target "shell/a" has invalid cost "tiny"; want low, medium, or high',
      '[unknown-target-reference] target "shell/a" depends on missing target "shell/zzzzzz"',
      'target "shell/a" timeout "later" is invalid: want a duration such as 30s, 5m or 1h',
      '[hcl-decode-error] decode Bachfile: Unsupported argument; An argument named "colour" is not expected here',
      '[unknown-target-reference] alias "x" points to unknown target "shell/yyyyyy"',
      'variable "v" default: must be a string',
    ]);
  });

  test.each([
    ['shell "test" {}\nshell "a" { depends_on = [«shell.tset»] }', 'did you mean "shell/test"?'],
    ['shell "a" { «comand» = ["true"] }', 'did you mean "command"?'],
    ['«shel» "a" {}', 'did you mean "shell"?'],
    ['shell "lint" {}\nalias "x" { target = «shell.lnit» }', 'did you mean "shell/lint"?'],
    ['resource "made" {}\nshell "a" { produces = [«"resource/mode"»] }', 'did you mean "resource/made"?'],
    ['var "colour" {}\nshell "a" { description = var.«color» }', 'did you mean "colour"?'],
  ])('[bach-suggestion] %s', async (text, hint) => {
    expect(await told(`${text}\n`)).toEqual([expect.stringContaining(hint)]);
  });

  test('[bach-suggestion] nothing where no name is near', async () => {
    const [message] = await told('shell "test" {}\nshell "a" { depends_on = [«image.publish-all»] }\n');
    expect(message).toBe('[unknown-target-reference] target "shell/a" depends on missing target "image/publish-all"');
  });

  test.each([
    'project "p" {\n«x» = 1\n}\n',
    'project "p" {\nbackend {\n«x» = 1\n}\n}\n',
    'var "a" { «x» = 1 }\n',
    'profile "a" { «x» = 1 }\n',
    'input "file" "a" { «x» = 1 }\n',
    'resource "a" { «x» = 1 }\n',
    'prompt "a" {\npath = "Bachfile"\n«x» = 1\n}\n',
    'plugin "a" { «x» = 1 }\n',
    'shell "b" {}\nalias "a" {\ntarget = shell.b\n«x» = 1\n}\n',
    'shell "a" { «x» = 1 }\n',
    'image "a" { «x» = 1 }\n',
    'group "a" { «x» = 1 }\n',
    'pipeline "a" { «x» = 1 }\n',
    'shell "a" {\nretry {\nattempts = 1\n«x» = 1\n}\n}\n',
    'shell "a" {\nfail_when {\nfile_exists = "a"\n«x» = 1\n}\n}\n',
    'provider "a" {\ntype = "opencode"\n«x» = 1\n}\n',
    'policy "a" { «x» = 1 }\n',
    'policy "a" {\nquality_gate {\nmetric = "m"\nmin = 1\n«x» = 1\n}\n}\n',
    'shell "a" {}\nquality "a" { «x» = 1 }\n',
    'shell "a" {}\nquality "a" {\njunit {\npath = "a"\n«x» = 1\n}\n}\n',
    'shell "a" {}\nquality "a" {\nrego_policy {\npath = "a"\npackage = "p"\n«x» = 1\n}\n}\n',
  ])('[bach-unknown-everywhere] %j', async (text) => {
    expect(await told(text)).toEqual(['[hcl-decode-error] decode Bachfile: Unsupported argument; An argument named "x" is not expected here']);
  });

  test.each([
    'project "p" {\n«x» {}\n}\n',
    'env {\n«x» {}\n}\n',
    'shell "a" {\n«x» {}\n}\n',
    'group "a" {\n«env» {}\n}\n',
    'shell "a" {\n«improve» {}\n}\n',
    'image "a" {\n«workspace» {}\n}\n',
  ])('[bach-unknown-everywhere, bach-improve-agents-only] %j', async (text) => {
    expect(await told(text)).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Unsupported block type; /)]);
  });

  test.each([
    ['shell "a" {}\n«shell "a"» {}', 'duplicate-target'],
    ['alias "x" { target = shell.a }\n«alias "x"» { target = shell.a }\nshell "a" {}', 'duplicate-alias'],
    ['input "file" "a" {}\n«input "file" "a"» {}', 'duplicate-input'],
    ['shell "a" { depends_on = [«"shell/a"»] }', 'obsolete-target-reference'],
    ['shell "a" { depends_on = [«shell.qqq»] }', 'unknown-target-reference'],
    ['alias "x" { target = «shell.qqq» }', 'unknown-target-reference'],
    ['project "p" { default = «shell.qqq» }', 'unknown-target-reference'],
    ['shell "a" { depends_on = [«shelf.a»] }', 'unknown-target-reference'],
    ['shell "a" { description = var.«x» }', 'hcl-decode-error'],
  ])('[bach-codes] %s', async (text, code) => {
    expect(await told(`${text}\n`)).toEqual([expect.stringMatching(new RegExp(`^\\[${code}\\] `))]);
  });

  test('[bach-warning-valid] a warning leaves the file valid and lets it run', async () => {
    const text = 'group "g" {\n  targets = [shell.a]\n  «retry» { attempts = 2 }\n}\nshell "a" { command = ["true"] }\n';
    expect(await told(text)).toEqual(['warning: target "group/g" retry has no effect on a group; it belongs to its targets']);
    const { exit, stdout } = await projectOf(text).bach(['validate']);
    expect({ exit, last: linesOf(stdout).at(-1) }).toEqual({ exit: 0, last: 'Bachfile valid: 2 targets, 0 aliases, 0 inputs, 0 profiles' });
    expect((await projectOf(text).bach(['run', 'group/g'])).exit).toBe(0);
  });
});
