import { describe, expect, test } from 'vitest';
import { promptDiagnostics } from '../../../src/bach/model/index.ts';
import { faults, projectOf, read, shell } from './reading.ts';

describe('inputs and resources', () => {
  test('sets of one path and of several, with other sets among them', () => {
    const text = `var "dir" { default = "cmd" }
input "file" "one" { src = "go.mod" }
input "file" "all" { srcs = [input.file.one, var.dir, "internal/**/*.go"] }
input "gen" "none" {}
resource "deps" {}`;
    const { inputs, resources } = projectOf(text);
    expect([...inputs.values()]).toEqual([
      { name: 'file/one', sources: ['go.mod'] },
      { name: 'file/all', sources: ['file/one', 'cmd', 'internal/**/*.go'] },
      { name: 'gen/none', sources: [] },
    ]);
    expect([...resources]).toEqual(['deps']);
  });

  test('a raw text is the same as a reference', () => {
    const set = 'input "file" "source" { src = "src" }\n';
    const inputsOf = (entry: string) => projectOf(`${set}shell "x" { inputs = [${entry}] }`).targets.get('shell/x')?.inputs;
    expect(inputsOf('"file/source"')).toEqual(inputsOf('input.file.source'));
  });

  test.each([
    ['input "file" "a" {\n  src = "a"\n  srcs = ["b"]\n}', '4:3: input "file" "a" must use src or srcs, not both'],
    ['input "file" "a" {}\ninput "file" "a" {}', '3:1: duplicate input "file/a"'],
    ['input "file" {}', '2:1: decode Bachfile: Missing name for input; This block needs 2 labels: its kind and its name'],
    ['input "file" "a" "b" {}', '2:18: decode Bachfile: Extraneous label for input; This block takes only 2 labels: its kind and its name.'],
    ['input "" "a" {}', '2:7: input kind must not be empty or hold control characters'],
    ['input "file" "a" { paths = [] }', expect.stringContaining('Unsupported argument')],
    ['input "file" "a" { srcs = "a" }', expect.stringContaining('Incorrect attribute value type; input "file" "a" srcs: ')],
    ['resource "a" {}\nresource "a" {}', '3:1: duplicate resource "resource/a"'],
    ['input "resource" "a" {}\nresource "a" {}', '3:1: duplicate resource "resource/a"'],
    ['resource "a" { src = "x" }', expect.stringContaining('Unsupported argument')],
  ])('%j is refused', (text, message) => {
    expect(faults(text).map((fault) => fault.replace(/(kind and its name)\.?$/, '$1'))).toEqual([
      typeof message === 'string' ? message.replace(/(kind and its name)\.?$/, '$1') : message,
    ]);
  });

  test.each(['.git/HEAD', 'a/../.git', 'sub/.jj/x', '.bach', '.bach/agents/x', '.bmad-loop', '.bacchus/tasks.yaml',
    '.ratchet/batches/b/run/events.jsonl', '.ratchet/changes/c/.run', 'state/bach.db', './state/bach.db-wal', 'state/runs', 'state/runs/x'])(
    'state is no input: %s',
    (path) => {
      const text = `project "p" {\n backend {\n config = { path = "state/bach.db" }\n }\n}\n`;
      const quoted = JSON.stringify(path);
      const found = (rest: string) => read(text + rest).diagnostics.map(({ message }) => message);
      const tail = `${quoted} names state, which is never an input`;
      expect(found(`shell "x" { inputs = [${quoted}] }`)).toEqual([`target "shell/x" inputs: ${tail}`]);
      expect(found(`input "file" "x" { srcs = [${quoted}] }`)).toEqual([`input "file" "x" ${tail}`]);
      expect(found(`plugin "x" { inputs = [${quoted}] }`)).toEqual([`plugin "x" inputs ${tail}`]);
    },
  );

  test.each(['.github', '.gitignore', '.ratchet/batches/b/batch.yaml', '.ratchet/batches/b/runner', 'runs', 'state', '.bachrc', '/abs/elsewhere', '.', '**/*.ts'])(
    '%s is one',
    (path) => {
      expect(shell(`inputs = [${JSON.stringify(path)}]`)?.inputs).toEqual([path]);
    },
  );

  test.each([['../x'], ['a/../../x'], ['..']])('%s is outside the root', (path) => {
    const quoted = JSON.stringify(path);
    expect(faults(`shell "x" { inputs = ["a", ${quoted}] }`)).toEqual([`2:28: target "shell/x" inputs: ${quoted} must stay under the project root`]);
  });

  test('a malformed pattern is refused at its own place', () => {
    const tail = 'is a malformed pattern: it has a [ that is not closed';
    expect(faults('shell "x" { inputs = ["a", "src/[ab"] }')).toEqual([`2:28: target "shell/x" inputs: "src/[ab" ${tail}`]);
    expect(faults('input "file" "x" { srcs = ["/abs/[a", "b"] }')).toEqual([`2:28: input "file" "x" "/abs/[a" ${tail}`]);
    expect(faults('plugin "x" { inputs = ["[a"] }')).toEqual([`2:24: plugin "x" inputs "[a" ${tail}`]);
  });

  test('the name of a set is no path, whatever its letters', () => {
    projectOf('input "file" "[a" { src = "a" }\ninput ".git" "x" { srcs = ["file/[a"] }\nshell "x" { inputs = ["file/[a", ".git/x"] }');
  });

  test('an empty input is refused', () => {
    expect(faults('shell "x" { inputs = [""] }')).toEqual(['2:23: target "shell/x" inputs: "" must not be empty']);
  });
});

describe('what targets produce', () => {
  const declared = 'input "file" "gen" { src = "gen" }\nresource "deps" {}\nplugin "g" { sources = { s = [] } }\n';

  test('inputs, resources and sources of plugins', () => {
    const { targets } = projectOf(`${declared}shell "x" { produces = [input.file.gen, resource.deps, plugin.g.s] }`);
    expect(targets.get('shell/x')?.produces).toEqual(['file/gen', 'resource/deps', 'plugin/g/s']);
  });

  test.each([
    ['shell "x" { produces = ["file/gne"] }', '5:25: target "shell/x" produces missing input "file/gne"; did you mean "file/gen"?'],
    ['shell "x" { produces = ["resource/none"] }', '5:25: target "shell/x" produces missing resource "resource/none"; did you mean "resource/deps"?'],
    ['shell "a" { produces = [resource.deps] }\nshell "b" { produces = [resource.deps] }', '6:25: input "resource/deps" produced by both "shell/a" and "shell/b"'],
  ])('%s', (text, message) => {
    expect(faults(declared + text)).toEqual([message]);
  });

  test('to name it twice is to produce it once', () => {
    expect(projectOf(`${declared}shell "x" { produces = [resource.deps, resource.deps] }`).targets.get('shell/x')?.produces).toEqual(['resource/deps']);
  });
});

describe('prompts', () => {
  test('what one says', () => {
    const text = 'prompt "p" {\n  path = "prompts/p.md"\n  description = "d"\n  version = "v1"\n}';
    expect(projectOf(text).prompts.get('p')).toEqual({ name: 'p', path: 'prompts/p.md', description: 'd', version: 'v1' });
  });

  test.each([
    ['prompt "p" {}', '2:1: prompt "p" path is required'],
    ['prompt "p" { path = "" }', '2:21: prompt "p" path is required'],
    ['prompt "p" { path = "/etc/p.md" }', '2:21: prompt "p" path "/etc/p.md": prompt path must stay under the project root'],
    ['prompt "p" { path = "../p.md" }', '2:21: prompt "p" path "../p.md": prompt path must stay under the project root'],
    ['prompt "p" { path = ["p"] }', expect.stringContaining('Incorrect attribute value type')],
    ['prompt "p" { path = "a" }\nprompt "p" { path = "b" }', '3:1: duplicate prompt "p"'],
    ['prompt "p" {\n  path = "a"\n  versoin = "1"\n}', expect.stringContaining('did you mean "version"?')],
  ])('%s', (text, message) => {
    expect(faults(text)).toEqual([message]);
  });

  test('what the disk says of their files is told at the path', () => {
    const { decoded } = read('project "p" {}\nprompt "a" { path = "a.md" }\nimport "x.bach"', { files: { 'x.bach': 'prompt "b" {\n path = "b.md"\n}' } });
    if (decoded === undefined) throw new Error('nothing was read');
    const found = promptDiagnostics(decoded, (path) => (path === 'b.md' ? 'must be a regular file' : undefined));
    expect(found).toMatchObject([
      { file: 'x.bach', severity: 'error', message: 'prompt "b" path "b.md" must be a regular file', range: { start: { line: 2, column: 9 } } },
    ]);
  });
});

describe('plugins', () => {
  test('a graph plugin', () => {
    const text = `var "mode" { default = "fast" }
plugin "g" {
  command = ["node", "g.mjs", var.mode]
  workdir = "tools"
  inputs  = ["package.json"]
  env     = ["MODE=\${var.mode}"]
  sources = {
    b = ["b/**/*.ts"]
    a = ["a", "\${var.mode}.ts"]
  }
}`;
    expect(projectOf(text).plugins.get('g')).toEqual({
      name: 'g',
      type: 'graph',
      operation: { kind: 'command', argv: ['node', 'g.mjs', 'fast'] },
      workdir: 'tools',
      inputs: ['package.json'],
      sources: new Map([
        ['a', ['a', 'fast.ts']],
        ['b', ['b/**/*.ts']],
      ]),
      environment: [{ name: 'MODE', value: 'fast' }],
      timeoutMs: undefined,
    });
  });

  test('a quality plugin, and a graph plugin that only names its sources', () => {
    const { plugins } = projectOf('plugin "q" {\n  type = "quality"\n  shell = "parse"\n  timeout = "10s"\n}\nplugin "g" { sources = { s = [] } }');
    expect(plugins.get('q')).toMatchObject({ type: 'quality', operation: { kind: 'shell', script: 'parse' }, timeoutMs: 10_000 });
    expect(plugins.get('g')?.operation).toBeUndefined();
  });

  test.each([
    ['command = ["a"]\nshell = "b"', '4:1: plugin "p" must use command or shell, not both'],
    ['type = "lint"', '3:8: plugin "p" has unsupported type "lint"; want graph or quality'],
    ['timeout = "5s"', '3:1: plugin "p" graph plugins do not support timeout'],
    ['type = "quality"\nshell = "x"\nsources = {}', '5:1: plugin "p" quality plugins do not support sources'],
    ['type = "quality"\nshell = "x"\ninputs = []', '5:1: plugin "p" quality plugins do not support inputs'],
    ['type = "quality"\nshell = "x"\ntimeout = "soon"', expect.stringMatching(/^5:11: plugin "p" timeout "soon" is invalid: /)],
    ['type = "quality"\nshell = "x"\ntimeout = "0s"', '5:11: plugin "p" timeout must be greater than zero'],
    ['type = "quality"', expect.stringContaining('2:1: plugin "p" must set command or shell')],
    ['sources = ["a"]', '3:11: plugin "p" sources must be an object of lists'],
    ['sources = { a = "b" }', '3:11: plugin "p" sources "a" must be a list of strings'],
    ['env = ["novalue"]', '3:7: env entry "novalue": expected KEY=value'],
    ['output = "x"', expect.stringContaining('Unsupported argument')],
  ])('%s', (body, message) => {
    expect(faults(`plugin "p" {\n${body}\n}`)).toEqual([message]);
  });

  test('a name stands once', () => {
    expect(faults('plugin "p" {}\nplugin "p" {}')).toEqual(['3:1: duplicate plugin "p"']);
  });
});

describe('aliases', () => {
  const text = 'shell "test" {}\n';

  test('lead to a target, with a word about what to use', () => {
    const { aliases, defaultTarget } = projectOf(`${text}alias "old" {\n  target = shell.test\n  deprecated = "Use shell.test."\n}\nalias "t" { target = "shell.test" }`);
    expect([...aliases.values()]).toEqual([
      { name: 'old', target: 'shell/test', deprecated: 'Use shell.test.' },
      { name: 't', target: 'shell/test', deprecated: '' },
    ]);
    expect(defaultTarget).toBeUndefined();
  });

  test.each(['t', '"t"', '"old.test"', 'old.test'])('the default target may be the alias %s', (name) => {
    const { project } = read(`project "p" { default = ${name} }\n${text}alias "t" { target = shell.test }\nalias "old.test" { target = shell.test }`);
    expect(project?.defaultTarget).toBe('shell/test');
  });

  test.each([
    ['alias "shell/test" { target = shell.test }', '3:1: alias "shell/test" conflicts with target', 'bachfile-validation-error'],
    ['alias "shell.test" { target = shell.test }', '3:1: alias "shell.test" conflicts with target', 'bachfile-validation-error'],
    ['alias "a" { target = shell.test }\nalias "a" { target = shell.test }', '4:1: duplicate alias "a"', 'duplicate-alias'],
    ['alias "a" { target = shell.test }\nalias "b" { target = a }', '4:22: alias "b" points to alias "a"; alias chains are not supported', 'bachfile-validation-error'],
    ['alias "shell/a" { target = shell.test }\nalias "b" { target = shell.a }', '4:22: alias "b" points to alias "shell/a"; alias chains are not supported', 'bachfile-validation-error'],
    ['alias "a" { target = shell.tset }', '3:22: alias "a" points to unknown target "shell/tset"; did you mean "shell/test"?', 'unknown-target-reference'],
    ['alias "a" { target = "shell/test" }', '3:22: alias "a" target: obsolete target reference "shell/test": use type.name, for example shell.test', 'obsolete-target-reference'],
    ['alias "a" { target = 5 }', '3:22: alias "a" target: entries must be target references', 'bachfile-validation-error'],
    ['alias "a" {}', '3:1: alias "a" target is required', 'bachfile-validation-error'],
    ['alias "" { target = shell.test }', '3:7: alias name must not be empty or hold control characters', 'bachfile-validation-error'],
    ['alias "a" {\n  target = shell.test\n  note = "x"\n}', expect.stringContaining('Unsupported argument'), 'hcl-decode-error'],
  ])('%s', (alias, message, code) => {
    expect(faults(text + alias)).toEqual([message]);
    expect(read(`project "p" {}\n${text}${alias}`).diagnostics.map((each) => each.code)).toEqual([code]);
  });
});
