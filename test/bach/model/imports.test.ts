import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kernel/text/index.ts';
import { environmentOf, faults, projectOf, read } from './reading.ts';

const names = (text: string, files: Readonly<Record<string, string>>): readonly string[] => [
  ...projectOf(text, { files }).targets.keys(),
];
const shell = (name: string): string => `shell "${name}" {}\n`;

describe('imports', () => {
  test('blocks stand where they are imported', () => {
    const text = `${shell('a')}import "./x.bach" # a comment\n${shell('b')}import "y.bach" // another\n`;
    const files = { 'x.bach': shell('x'), 'y.bach': shell('y') };
    expect(names(text, files)).toEqual(['shell/a', 'shell/x', 'shell/b', 'shell/y']);
  });

  test('a path starts at the folder of the file that imports', () => {
    const files = { 'ci/x.bach': 'import "y.bach"\nimport "../z.bach"\n', 'ci/y.bach': shell('y'), 'z.bach': shell('z') };
    expect(names('import "./ci/x.bach"', files)).toEqual(['shell/y', 'shell/z']);
  });

  test('a file is loaded once, whoever imports it', () => {
    const files = { 'x.bach': 'import "./z.bach"', 'y.bach': 'import "./sub/../z.bach"', 'z.bach': shell('z') };
    expect(names('import "x.bach"\nimport "y.bach"\nimport "z.bach"\nimport "z.bach"', files)).toEqual(['shell/z']);
  });

  test('everything that fragments may hold works in the root', () => {
    const fragment = `var "v" { default = "v" }
env { E = var.v }
profile "p" {
  env { P = "\${E}p" }
}
input "file" "src" { src = "src" }
resource "deps" {}
plugin "g" { sources = { s = ["a"] } }
alias "old" { target = shell.build }
shell "build" { inputs = [input.file.src, resource.deps, plugin.g.s] }
quality "build" {}
`;
    const { project, diagnostics } = read('project "p" { default = old }\nimport "x.bach"', { files: { 'x.bach': fragment }, profiles: ['p'] });
    expect(diagnostics.map(formatDiagnostic)).toEqual([]);
    expect(project?.defaultTarget).toBe('shell/build');
    expect(project?.targets.get('shell/build')?.inputs).toEqual(['file/src', 'resource/deps', 'plugin/g/s']);
    expect(environmentOf(project?.profiles)).toEqual(['P=vp']);
    expect([...(project?.qualities.keys() ?? [])]).toEqual(['shell/build']);
  });

  test.each([
    ['import var.some_path', '2:8: import path must be a string literal'],
    ['import', '2:1: import path must be a string literal'],
    ['import {\n}', '2:8: import path must be a string literal'],
    ['import "${var.x}"', '2:8: import path must be a string literal'],
    ['import "%{if true}x%{endif}"', '2:8: import path must be a string literal'],
    ['import <<EOT\nx\nEOT\n', '2:8: import path must be a string literal'],
    ['import "a\\q"', '2:8: import path must be a valid string literal'],
    ['import "a\\u0000"', '2:8: import path must be a valid string literal'],
    ['import "./a.bach\nshell "b" {}', '2:8: import path must be a valid string literal'],
    ['import "a" "b"', '2:8: import declaration must contain only a path'],
    ['import "a" {\n x = 1\n}', '2:8: import declaration must contain only a path'],
    ['import ""', '2:8: import path must not be empty'],
    ['import "/etc/x.bach"', '2:8: import path "/etc/x.bach" must be a local relative path'],
    ['import "https://example.org/x.bach"', '2:8: import path "https://example.org/x.bach" must be a local relative path'],
    ['import "./*.bach"', '2:8: glob imports are not supported'],
    ['import "./[ab].bach"', '2:8: glob imports are not supported'],
    ['import "./missing.bach"', '2:1: import "./missing.bach": cannot read /p/missing.bach: no such file'],
    ['import "./Bachfile"', '2:1: import cycle: /p/Bachfile -> /p/Bachfile'],
  ])('%j is refused', (text, message) => {
    expect(faults(text)).toEqual([message]);
  });

  test('a cycle names each file of it, at the import that closes it', () => {
    const files = { 'a.bach': 'import "b.bach"', 'b.bach': '\nimport "./a.bach"' };
    expect(faults('import "a.bach"', { files })).toEqual(['b.bach:2:1: import cycle: /p/a.bach -> /p/b.bach -> /p/a.bach']);
  });

  test('imports nest to a bound', () => {
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`${index}.bach`, `import "${index + 1}.bach"`]));
    expect(faults('import "0.bach"', { files })).toEqual(['99.bach:1:1: import "100.bach": imports are more than 100 deep']);
  });

  test.each([
    ['project "q" {}', 'ci/x.bach:1:1: /p/ci/x.bach: imported Bachfile must not declare a project block'],
    ['a = 1', 'ci/x.bach:1:1: decode ci/x.bach: Unsupported argument; An argument named "a" is not expected here'],
    ['\nshell "root" {}', 'ci/x.bach:2:1: duplicate target "shell/root": Bachfile:2:1 has it already'],
    ['shell "x" {\n  cost = "tiny"\n}', 'ci/x.bach:2:10: target "shell/x" has invalid cost "tiny"; want low, medium, or high'],
    ['é = "é" é', expect.stringMatching(/^ci\/x\.bach:1:9: parse ci\/x\.bach: /)],
    ['shell "x" {\n', expect.stringMatching(/^ci\/x\.bach:1:11: parse ci\/x\.bach: Unclosed configuration block/)],
  ])('what is wrong with an imported file is told with its name: %j', (fragment, message) => {
    expect(faults(`${shell('root')}import "ci/x.bach"`, { files: { 'ci/x.bach': fragment } })).toEqual([message]);
  });

  test.each([
    ['var "v" {}', 'duplicate variable "v"', 1],
    ['env { A = "1" }', 'duplicate env "A"', 11],
    ['profile "s" {}', 'duplicate profile "s"', 1],
    ['input "file" "i" {}', 'duplicate input "file/i"', 1],
    ['resource "r" {}', 'duplicate resource "resource/r"', 1],
    ['prompt "p" { path = "p.md" }', 'duplicate prompt "p"', 1],
    ['plugin "g" {}', 'duplicate plugin "g"', 1],
    ['provider "o" { type = "opencode" }', 'duplicate provider "o"', 1],
    ['policy "j" { required_targets = [shell.root] }', 'duplicate policy "j"', 1],
    ['policy "j" {\n subject = "agent.x"\n required_targets = [shell.root]\n}', 'duplicate policy "j"', 1],
    ['quality "root" {}', 'duplicate quality block for target "shell/root"', 1],
    ['factory "f" {\n workflow "w" {}\n}', 'duplicate factory "f"', 1],
    ['alias "a" { target = shell.root }', 'duplicate alias "a"', 1],
    ['shell "twice" {}', 'duplicate target "shell/twice"', 1],
  ])('what stands in two files is told with both places: %s', (block, message, column) => {
    const files = { 'a/x.bach': block, 'b/y.bach': `\n${block}` };
    const found = faults(`${shell('root')}import "a/x.bach"\nimport "b/y.bach"`, { files });
    const at = column === 1 ? 1 : 7;
    expect(found).toContain(`b/y.bach:2:${at}: ${message}: a/x.bach:1:${column} has it already`);
  });

  test('two producers in two files are told with both places', () => {
    const files = { 'x.bach': 'resource "r" {}\nshell "x" { produces = [resource.r] }', 'y.bach': 'shell "y" { produces = [resource.r] }' };
    expect(faults('import "x.bach"\nimport "y.bach"', { files })).toEqual([
      'y.bach:1:25: input "resource/r" produced by both "shell/x" and "shell/y": x.bach:2:25 has it already',
    ]);
  });

  test('faults of several files are told at once, the Bachfile first', () => {
    const files = { 'x.bach': 'shell {}', 'y.bach': 'import "gone.bach"\nshell "y" {' };
    const found = faults('import "x.bach"\nimport "y.bach"\nimport "/z"\n', { files }).map((fault) => fault.split(': ')[0]);
    expect(found).toEqual(['4:8', 'y.bach:1:1', 'y.bach:2:11']);
  });

  test('the place of a target is in its own file', () => {
    const { targets } = projectOf('import "x.bach"\nshell "a" {}', { files: { 'x.bach': '\n\n  shell "x" {}' } });
    expect(targets.get('shell/x')).toMatchObject({ file: 'x.bach', range: { start: { line: 3, column: 3, byte: 4 } } });
    expect(targets.get('shell/a')).toMatchObject({ file: 'Bachfile', range: { start: { line: 3, column: 1 } } });
  });

  test.each([
    'shell "x" {\n  shell = <<EOT\nimport "./a.bach"\nEOT\n}',
    '/*\nimport "./b.bach"\n*/\n# import "./c.bach"\nshell "x" { shell = "import \\"./a.bach\\"\\n" }',
    'shell "x" { # {\n  /* { */ shell = "import \\"./a.bach\\"\\n"\n}',
  ])('an import line in a block, a heredoc or a comment is text: %j', (text) => {
    expect(projectOf(text).targets.get('shell/x')?.operation).toEqual({ kind: 'shell', script: 'import "./a.bach"\n' });
  });

  test('braces in comments do not hide an import', () => {
    expect(names('# {\n/* { */\nimport "x.bach"\n', { 'x.bach': shell('x') })).toEqual(['shell/x']);
  });

  test('an imported file that is no UTF-8 is told with its own place', () => {
    const { diagnostics } = read('project "p" {}\nimport "x.bach"', { files: { 'x.bach': '\n\ufffd' } });
    expect(diagnostics[0]).toMatchObject({ file: 'x.bach', code: 'hcl-parse-error' });
  });

  test('what was imported is on record', () => {
    const { reads } = read('project "p" {}\nimport "ci/x.bach"\n', { files: { 'ci/x.bach': 'import "../y.bach"', 'y.bach': '' } });
    expect(reads.imports).toEqual([
      { importer: '/p/Bachfile', path: 'ci/x.bach', canonical: '/p/ci/x.bach' },
      { importer: '/p/ci/x.bach', path: '../y.bach', canonical: '/p/y.bach' },
    ]);
  });
});
