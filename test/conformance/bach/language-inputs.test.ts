import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { planned, projectOf, told } from './told.ts';

describe('inputs', () => {
  const affected = async (text: string, path: string, files: Readonly<Record<string, string>> = {}) =>
    (await projectOf(text, files).bach(['affected', path])).stdout;

  test('[bach-input] one path, several, and other inputs', async () => {
    const text = `input "file" "one" { src = "a.txt" }
input "file" "more" { srcs = ["b", "c/*.txt", input.file.one] }
shell "t" { inputs = [input.file.more] }
`;
    for (const path of ['a.txt', 'b/deep/x', 'c/y.txt']) expect(await affected(text, path)).toMatch(/^shell\/t\b/);
    expect(await affected(text, 'c/y.md')).toBe('');
    expect(await planned(text, 'shell/t')).toMatchObject({ inputs: ['file/more'] });
  });

  test('[bach-input-kind] the kind is free text', async () => {
    expect(await planned('input "schema" "api" { src = "Bachfile" }\nshell "t" { inputs = [input.schema.api] }\n', 'shell/t')).toMatchObject({
      inputs: ['schema/api'],
    });
  });

  test('[bach-input-raw] the name of an input as a text', async () => {
    const text = 'input "file" "source" { src = "a.txt" }\nshell "t" { inputs = ["file/source"] }\n';
    expect(await affected(text, 'a.txt')).toMatch(/^shell\/t\b/);
    expect(await affected(text, 'file/source')).toBe('');
  });

  test('[bach-input-both] src and srcs', async () => {
    expect(await told('input "file" "f" {\n  src  = "a"\n  «srcs» = ["b"]\n}\n')).toEqual(['input "file" "f" must use src or srcs, not both']);
  });

  test('[bach-input-duplicate] the same input, not the same name of another kind', async () => {
    expect(await told('input "file" "f" {}\n«input "file" "f"» {}\ninput "other" "f" {}\n')).toEqual(['[duplicate-input] duplicate input "file/f"']);
  });

  test('[bach-input-cycle] a set that leads back to itself', async () => {
    const text = `input "file" "a" { srcs = ["a.txt", input.file.b] }
input "file" "b" { srcs = ["b.txt", input.file.a] }
shell "t" { inputs = [input.file.a] }
`;
    expect(await told(text, { files: { 'a.txt': '', 'b.txt': '' } })).toEqual([]);
    for (const path of ['a.txt', 'b.txt']) expect(await affected(text, path)).toMatch(/^shell\/t\b/);
  });

  test.each([
    '.git', '.git/HEAD', './sub/.git', '.jj', '.bach', '.bach/state.db', '.bmad-loop', '.bacchus', '.ratchet/changes/x/.run',
    '.ratchet/batches/b/run',
  ])('[bach-input-state] %s', async (path) => {
    const message = 'names state, which is never an input';
    expect(await told(`input "file" "f" { src = «"${path}"» }\n`)).toEqual([`input "file" "f" "${path}" ${message}`]);
    expect(await told(`input "file" "f" { srcs = ["a.txt", «"${path}"»] }\n`)).toEqual([`input "file" "f" "${path}" ${message}`]);
    expect(await told(`shell "t" { inputs = [«"${path}"»] }\n`)).toEqual([`target "shell/t" inputs: "${path}" ${message}`]);
  });

  test('[bach-input-state] the state database where it was put, and what lies beside it', async () => {
    const project = 'project "p" {\n  backend {\n    config = { path = "kept/state.db" }\n  }\n}\n';
    expect(await told(`${project}shell "t" { inputs = [«"kept/state.db"», «"kept/runs/x"»] }\n`)).toEqual([
      'target "shell/t" inputs: "kept/state.db" names state, which is never an input',
      'target "shell/t" inputs: "kept/runs/x" names state, which is never an input',
    ]);
    expect(await told('shell "t" { inputs = ["kept/state.db"] }\n')).toEqual([]);
  });

  test.each(['..', '../x', 'a/../../x'])('[bach-input-outside] %s', async (path) => {
    expect(await told(`input "file" "f" { src = «"${path}"» }\n`)).toEqual([`input "file" "f" "${path}" must stay under the project root`]);
    expect(await told(`shell "t" { inputs = [«"${path}"»] }\n`)).toEqual([`target "shell/t" inputs: "${path}" must stay under the project root`]);
  });
});

describe('resources and what targets produce', () => {
  test('[bach-resource, bach-produces-implicit] who consumes one runs after who produces it', async () => {
    const text = 'resource "deps" {}\nshell "test" { inputs = [resource.deps] }\nshell "install" { produces = [resource.deps] }\n';
    expect(await planned(text, 'shell/test')).toMatchObject({ depends_on: ['shell/install'], inputs: ['resource/deps'] });
  });

  test('[bach-resource] the block is empty', async () => {
    expect(await told('resource "deps" { «path» = "x" }\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] .*Unsupported argument/)]);
  });

  test('[bach-produces-implicit] through named inputs', async () => {
    const text = `input "file" "made" { src = "made.txt" }
input "file" "all" { srcs = ["a.txt", input.file.made] }
shell "use" { inputs = [input.file.all] }
shell "make" { produces = [input.file.made] }
`;
    expect(await planned(text, 'shell/use')).toMatchObject({ depends_on: ['shell/make'] });
  });

  test('[bach-produces-implicit] through what a graph plugin gives', async () => {
    const emitted = JSON.stringify({ inputs: { s: ['resource/deps'] } });
    const text = `resource "deps" {}
plugin "g" {
  shell   = "echo '${emitted.replaceAll('"', '\\"')}'"
  sources = { s = ["a"] }
}
shell "use" { inputs = [plugin.g.s] }
shell "make" { produces = [resource.deps] }
shell "other" { produces = [plugin.g.s] }
`;
    expect(await planned(text, 'shell/use')).toMatchObject({ depends_on: ['shell/other', 'shell/make'] });
  });

  test('[bach-produces-implicit] who consumes what it produces does not wait for itself', async () => {
    const text = 'resource "deps" {}\nshell "a" {\n  inputs = [resource.deps]\n  produces = [resource.deps]\n}\n';
    expect(await planned(text, 'shell/a')).not.toHaveProperty('depends_on');
  });

  test('[bach-resource-duplicate] a name that is taken', async () => {
    expect(await told('resource "r" {}\n«resource "r"» {}\n')).toEqual(['duplicate resource "resource/r"']);
  });

  test('[bach-produces-missing] an input and a resource', async () => {
    expect(await told('shell "a" { produces = [«"file/zzzz"», «"resource/zzzz"»] }\n')).toEqual([
      'target "shell/a" produces missing input "file/zzzz"',
      'target "shell/a" produces missing resource "resource/zzzz"',
    ]);
  });

  test('[bach-produces-two] of two targets', async () => {
    const text = 'input "file" "i" {}\nshell "a" { produces = [input.file.i] }\nshell "b" { produces = [«input.file.i»] }\n';
    expect(await told(text)).toEqual(['input "file/i" produced by both "shell/a" and "shell/b"']);
  });
});

describe('aliases', () => {
  test.each(['shell.build', '"shell.build"'])('[bach-alias] target = %s', async (target) => {
    const project = projectOf(`shell "build" {}\nalias "compile" {\n  target     = ${target}\n  deprecated = "Say shell/build."\n}\n`);
    const { stdout, stderr } = await project.bach(['explain', 'compile']);
    expect(stdout).toMatch(/^Alias: compile\nCanonical target: shell\/build\nDeprecated: Say shell\/build\.\nTarget: shell\/build\n/);
    expect(stderr).toBe('alias "compile" resolves to "shell/build". Say shell/build.\n');
  });

  test.each(['shell.a', 'shell/a'])('[bach-alias-conflict] %s', async (name) => {
    expect(await told(`shell "a" {}\n«alias "${name}"» { target = shell.a }\n`)).toEqual([`alias "${name}" conflicts with target`]);
  });

  test('[bach-alias-duplicate] a name that is taken', async () => {
    expect(await told('shell "a" {}\nalias "x" { target = shell.a }\n«alias "x"» { target = shell.a }\n')).toEqual([
      '[duplicate-alias] duplicate alias "x"',
    ]);
  });

  test('[bach-alias-chain] an alias of an alias', async () => {
    expect(await told('shell "a" {}\nalias "x" { target = shell.a }\nalias "y" { target = «"x"» }\n')).toEqual([
      'alias "y" points to alias "x"; alias chains are not supported',
    ]);
  });

  test('[bach-alias-unknown] an alias of nothing', async () => {
    expect(await told('alias "x" { target = «shell.gone» }\n')).toEqual([
      '[unknown-target-reference] alias "x" points to unknown target "shell/gone"',
    ]);
  });

  test('[bach-alias-target] no reference, and none at all', async () => {
    expect(await told('alias "x" { target = «"gone"» }\n')).toEqual([
      'alias "x" target: invalid target reference "gone": use type.name, for example shell.test',
    ]);
    expect(await told('shell "a" {}\nalias "x" { target = «"shell/a"» }\n')).toEqual([
      '[obsolete-target-reference] alias "x" target: obsolete target reference "shell/a": use type.name, for example shell.a',
    ]);
    expect(await told('«alias "x"» {}\n')).toEqual(['alias "x" target is required']);
  });
});

describe('prompts', () => {
  test('[bach-prompt] path, description and version', async () => {
    const text = 'prompt "p" {\n  path        = "prompts/p.md"\n  description = "Default"\n  version     = "v1"\n}\n';
    expect(await told(text, { files: { 'prompts/p.md': 'x' } })).toEqual([]);
  });

  test.each([
    ['«prompt "p"» {}', 'prompt "p" path is required'],
    ['prompt "p" { path = «""» }', 'prompt "p" path is required'],
    ['prompt "p" { path = «"/etc/hosts"» }', 'prompt "p" path "/etc/hosts": prompt path must stay under the project root'],
    ['prompt "p" { path = «"../p.md"» }', 'prompt "p" path "../p.md": prompt path must stay under the project root'],
  ])('[bach-prompt-path] %s', async (text, message) => {
    expect(await told(`${text}\n`)).toEqual([message]);
  });

  test.each(['missing.md', 'folder'])('[bach-prompt-file] %s', async (path) => {
    const found = await told(`prompt "p" { path = «"${path}"» }\n`, { files: { 'folder/x': '' } });
    expect(found).toEqual([`prompt "p" path "${path}" must be a regular file`]);
  });

  test('[bach-prompt-file] a link out of the root', async () => {
    const project = projectOf('prompt "p" { path = "p.md" }\n');
    symlinkSync('/etc/hosts', project.at('p.md'));
    expect(await project.bach(['validate'])).toMatchObject({
      exit: 1,
      stdout: 'Bachfile:2:21: prompt "p" path "p.md" must stay within project root\n',
    });
  });

  test('[bach-prompt-duplicate] a name that is taken', async () => {
    expect(await told('prompt "p" { path = "Bachfile" }\n«prompt "p"» { path = "Bachfile" }\n')).toEqual(['duplicate prompt "p"']);
  });

  test('[bach-prompt-passive] a prompt is no input of a target', async () => {
    const project = projectOf('prompt "p" { path = "p.md" }\nshell "a" { inputs = ["a.txt"] }\n', { 'p.md': '', 'a.txt': '' });
    expect((await project.bach(['affected', 'p.md'])).stdout).toBe('');
    expect((await project.bach(['affected', 'a.txt'])).stdout).toMatch(/^shell\/a\b/);
  });
});
