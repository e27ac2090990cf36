import { symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { linesOf } from './support.ts';
import { projectOf, told, type Told } from './told.ts';

type Files = NonNullable<Told['files']>;

async function listed(text: string, files: Files): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await projectOf(text, files).bach(['list']);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.split('\n').filter((line) => line !== '');
}

describe('what an import does', () => {
  test('[bach-import] the blocks of the file are there, and name blocks of the importing file', async () => {
    const files = { 'bach/go.bach': 'shell "test" { depends_on = [shell.setup] }\n' };
    const text = 'import "./bach/go.bach"\nshell "setup" {}\n';
    expect(await listed(text, files)).toEqual(['shell/setup', 'shell/test']);
    const { stdout } = await projectOf(text, files).bach(['run', '-d', 'shell/test']);
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/setup] noop', '[shell/test] aggregate']);
  });

  test.each(['# why', '// why', ''])('[bach-import-comment] import "x.bach" %s', async (comment) => {
    expect(await listed(`import "x.bach" ${comment}\n`, { 'x.bach': 'shell "x" {}\n' })).toEqual(['shell/x']);
  });

  test('[bach-import-nested] a path starts at the folder of the file that has the import', async () => {
    const files = { 'ci/x.bach': 'import "./y.bach"\nimport "../z.bach"\n', 'ci/y.bach': 'shell "y" {}\n', 'z.bach': 'shell "z" {}\n' };
    expect(await listed('import "ci/x.bach"\n', files)).toEqual(['shell/y', 'shell/z']);
    expect(await told('import "ci/x.bach"\n', { files: { 'ci/x.bach': '«import "ci/y.bach"»\n' } })).toEqual([
      expect.stringMatching(/^import "ci\/y\.bach": .*ci\/ci\/y\.bach/),
    ]);
  });

  test('[bach-import-once] by another path, by a link, and from another file', async () => {
    const project = projectOf('import "x.bach"\nimport "./ci/../x.bach"\nimport "link.bach"\nimport "y.bach"\n', {
      'x.bach': 'shell "x" {}\n',
      'y.bach': 'import "x.bach"\n',
      'ci/other': '',
    });
    symlinkSync('x.bach', project.at('link.bach'));
    expect(await project.bach(['list'])).toEqual({ exit: 0, stdout: 'shell/x\n', stderr: '' });
  });

  test('[bach-import-fragment-holds, bach-project-default-alias] every block but project is in effect', async () => {
    const fragment = `var "v" { default = "value" }
env { KEY = "k-\${var.v}" }
profile "p" {
  env { OVER = "p-\${KEY}" }
}
input "file" "src" { src = "src" }
resource "made" {}
plugin "g" { sources = { s = ["a"] } }
prompt "words" { path = "words.md" }
provider "someone" {
  type    = "agent"
  command = ["someone"]
}
agent_template "t" { provider = provider.someone }
policy "checks" { required_targets = [shell.build] }
factory "f" {
  workflow "w" {}
}
alias "old" { target = shell.build }
shell "build" {
  inputs   = [input.file.src, plugin.g.s, resource.made]
  shell    = "echo $KEY $OVER"
}
shell "maker" { produces = [resource.made] }
image "i" { tags = ["1"] }
group "all" { targets = [shell.build] }
pipeline "lane" { steps = [shell.build] }
quality "nothing" {}
shell "nothing" {}
`;
    const project = projectOf('project "p" { default = old }\nimport "parts/all.bach"\n', { 'parts/all.bach': fragment, 'words.md': 'w', 'src/a': 'a' });
    expect((await project.bach(['validate'])).stdout).toContain('Bachfile valid: 6 targets, 1 aliases, 1 inputs, 1 profiles\n');
    const { exit, stdout } = await project.bach(['--profile', 'p', 'run']);
    expect(exit).toBe(0);
    expect(linesOf(stdout)).toContain('[shell/build] k-value p-k-value');
  });

  test.each([
    ['a heredoc', 'shell "a" {\n  shell = <<EOT\nimport "x.bach"\nEOT\n}\n'],
    ['a block', 'shell "a" {\n  env {\n    import = "x"\n  }\n}\n'],
    ['a comment', '/*\nimport "x.bach"\n*/\nshell "a" {}\n'],
    ['a line comment', '# import "x.bach"\nshell "a" {}\n'],
  ])('[bach-import-text] within %s it is text', async (_, text) => {
    expect(await listed(text, {})).toEqual(['shell/a']);
  });

  test('[bach-import-text] nothing is read for it', async () => {
    const { stdout } = await projectOf('shell "a" {\nimport "missing.bach"\n}\n').bach(['validate']);
    expect(stdout).toMatch(/^Bachfile:\d+:\d+: parse Bachfile: /);
    expect(stdout).not.toContain('import "missing.bach":');
  });

  test('[bach-import-text] braces in comments hide no import', async () => {
    expect(await listed('# {\n// { {\n/* { */\nimport "x.bach"\n', { 'x.bach': 'shell "x" {}\n' })).toEqual(['shell/x']);
  });
});

describe('faulty imports', () => {
  test.each(['var.some_path', '"${var.x}.bach"', '"%{ if true }x%{ endif }"'])('[bach-import-literal] %s', async (path) => {
    expect(await told(`import «${path}»\n`)).toEqual(['import path must be a string literal']);
  });

  test('[bach-import-valid-literal] an escape that does not exist', async () => {
    expect(await told('import «"a\\q"»\n')).toEqual(['import path must be a valid string literal']);
  });

  test.each(['"a.bach" "b.bach"', '"a.bach" as x'])('[bach-import-only-path] %s', async (path) => {
    expect(await told(`import «${path}»\n`)).toEqual(['import declaration must contain only a path']);
  });

  test('[bach-import-empty] no path', async () => {
    expect(await told('import «""»\n')).toEqual(['import path must not be empty']);
  });

  test.each(['/etc/x.bach', 'https://a.test/x', 'git://a.test/x'])('[bach-import-local] %s', async (path) => {
    expect(await told(`import «"${path}"»\n`)).toEqual([`import path "${path}" must be a local relative path`]);
  });

  test.each(['./*.bach', 'a?.bach', '[ab].bach'])('[bach-import-glob] %s', async (path) => {
    expect(await told(`import «"${path}"»\n`)).toEqual(['glob imports are not supported']);
  });

  test('[bach-import-local] a name of the environment in a path is a part of it', async () => {
    const { exit, stdout } = await projectOf('import "$HOME/x.bach"\n').bach(['validate'], { env: { HOME: '/' } });
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: expect.stringMatching(/^Bachfile:2:1: import "\$HOME\/x\.bach": .*\$HOME\/x\.bach/) });
  });

  test('[bach-import-missing] with the line and the path', async () => {
    expect(await told('\n«import "./missing.bach"»\n')).toEqual([expect.stringMatching(/^import "\.\/missing\.bach": .*missing\.bach.*no such file/)]);
    const { exit, stdout, stderr } = await projectOf('\nimport "./missing.bach"\n').bach(['list']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^Bachfile:3:1: import "\.\/missing\.bach": /m);
  });

  test('[bach-import-project] a project block of its own', async () => {
    const files = { 'x.bach': '«project "other"» {}\n' };
    expect(await told('import "x.bach"\n', { files })).toEqual([expect.stringMatching(/^\/.*\/x\.bach: imported Bachfile must not declare a project block$/)]);
  });

  test('[bach-import-cycle] all its files', async () => {
    const files = { 'a.bach': 'import "b.bach"\n', 'b.bach': '«import "a.bach"»\n' };
    expect(await told('import "a.bach"\n', { files })).toEqual([
      expect.stringMatching(/^import cycle: (\/.*\/a\.bach) -> \/.*\/b\.bach -> \1$/),
    ]);
    expect(await told('«import "Bachfile"»\n')).toEqual([expect.stringMatching(/^import cycle: (\/.*\/Bachfile) -> \1$/)]);
  });

  test('[bach-import-attributes] an attribute at top level', async () => {
    expect(await told('import "x.bach"\n', { files: { 'x.bach': '«colour» = "red"\n' } })).toEqual([
      '[hcl-decode-error] decode x.bach: Unsupported argument; An argument named "colour" is not expected here',
    ]);
  });

  test.each([
    ['shell "x" {}', '«shell "x"» {}', '[duplicate-target] duplicate target "shell/x"'],
    ['var "x" {}', '«var "x"» {}', 'duplicate variable "x"'],
    ['env { X = "1" }', 'env { «X» = "2" }', 'duplicate env "X"'],
    ['profile "x" {}', '«profile "x"» {}', 'duplicate profile "x"'],
    ['input "file" "x" {}', '«input "file" "x"» {}', '[duplicate-input] duplicate input "file/x"'],
    ['resource "x" {}', '«resource "x"» {}', 'duplicate resource "resource/x"'],
    ['plugin "x" {}', '«plugin "x"» {}', 'duplicate plugin "x"'],
    ['shell "a" {}\nalias "x" { target = shell.a }', '«alias "x"» { target = shell.a }', '[duplicate-alias] duplicate alias "x"'],
  ])('[bach-import-duplicates] %s in two files', async (here, there, message) => {
    const faults = await told(`${here}\nimport "x.bach"\n`, { files: { 'x.bach': `\n${there}\n` } });
    expect(faults.map((fault) => fault.replace(/Bachfile:\d+:\d+/, 'THERE'))).toEqual([`${message}: THERE has it already`]);
  });

  test('[bach-import-range] a fault has the name of its file and its place there', async () => {
    const files = { 'ci/x.bach': 'shell "x" {\n  cost = «"tiny"»\n}\n' };
    expect(await told('import "ci/x.bach"\n', { files })).toEqual(['target "shell/x" has invalid cost "tiny"; want low, medium, or high']);
    const { diagnostics } = JSON.parse((await projectOf('import "ci/x.bach"\n', { 'ci/x.bach': 'shell "x" {\n' }).bach(['validate', '--json'])).stdout);
    expect(diagnostics).toMatchObject([{ code: 'hcl-parse-error', file: 'ci/x.bach', message: expect.stringMatching(/^parse ci\/x\.bach: /) }]);
    expect(diagnostics[0].range.start).toEqual({ line: 1, column: 11 });
  });
});
