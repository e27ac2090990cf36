import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../../../src/kernel/text/index.ts';
import { environmentOf, faults, read, shell, targets, type Facts } from './reading.ts';

function codes(text: string): readonly string[] {
  return read(text).diagnostics.map(({ code }) => code);
}

describe('a whole file', () => {
  const text = `# vim: set ft=hcl :
project "shop" {
  root    = "app"
  default = group.ci
  backend {
    type    = "stdio"
    command = ["bach", "backend", "sqlite"]
    config  = { path = "state/bach.db" }
  }
}
shell "build" {
  description = "Compile"
  when        = "after lint"
  cost        = "low"
  command     = ["make", "dist"]
  workdir     = "src"
  lock        = "compiler"
  timeout     = "1m30s"
  outputs     = { binary = "dist/app", a = "dist/a" }
}
shell "test" {
  depends_on = [shell.build, "shell.build"]
  shell      = "./app \${shell.build.outputs.binary}"
}
pipeline "release" {
  steps = [shell.test, group.ci]
}
group "ci" {
  targets = [shell.test]
}
`;

  test('is decoded', () => {
    const { project, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect(project).toMatchObject({
      name: 'shop',
      file: 'Bachfile',
      root: 'app',
      defaultTarget: 'group/ci',
      backend: { command: ['bach', 'backend', 'sqlite'], external: false, statePath: 'state/bach.db' },
      environment: [],
    });
    expect([...(project?.targets.keys() ?? [])]).toEqual(['shell/build', 'shell/test', 'pipeline/release', 'group/ci']);
    expect(project?.targets.get('shell/build')).toMatchObject({
      kind: 'shell',
      description: 'Compile',
      operation: { kind: 'command', argv: ['make', 'dist'] },
      runnable: true,
      workdir: 'src',
      lock: 'compiler',
      timeoutMs: 90_000,
      outputs: [
        { name: 'a', path: 'dist/a' },
        { name: 'binary', path: 'dist/app' },
      ],
      range: { start: { line: 11, column: 1 }, end: { line: 11, column: 14 } },
    });
    expect(project?.targets.get('shell/test')).toMatchObject({
      dependsOn: ['shell/build'],
      operation: { kind: 'shell', script: './app dist/app' },
    });
    expect(project?.targets.get('pipeline/release')).toMatchObject({ children: ['shell/test', 'group/ci'], runnable: false });
  });

  test('unquoted labels and one-line blocks are the same', () => {
    expect(read('project p {}\nshell build { command = ["make"] }\n').project?.targets.has('shell/build')).toBe(true);
  });

  test('a byte order mark and CRLF change nothing', () => {
    const { project, diagnostics } = read(`\uFEFF${text.replaceAll('\n', '\r\n')}`);
    expect(diagnostics).toEqual([]);
    expect(project?.targets.get('shell/test')).toMatchObject({ operation: { script: './app dist/app' } });
  });

  test('an identifier with a dash is one name', () => {
    expect(targets('shell "build-release" {}\nshell "x" { depends_on = [shell.build-release] }').get('shell/x')?.dependsOn).toEqual([
      'shell/build-release',
    ]);
  });
});

describe('variables', () => {
  const text = 'var "Mode" { default = "plain" }\nshell "x" { command = ["run", var.Mode] }';
  const valueWith = (facts: Facts): unknown => {
    const operation = targets(text, facts).get('shell/x')?.operation;
    return operation?.kind === 'command' ? operation.argv[1] : undefined;
  };

  test('the first that is set counts', () => {
    const upper = { BACH_VAR_MODE: 'upper' };
    const exact = { ...upper, BACH_VAR_Mode: 'exact' };
    expect(valueWith({ vars: { Mode: 'flag' }, environment: exact })).toBe('flag');
    expect(valueWith({ environment: exact })).toBe('exact');
    expect(valueWith({ environment: upper })).toBe('upper');
    expect(valueWith({})).toBe('plain');
  });

  test('null is no default', () => {
    expect(targets('var a { default = null }\nshell "x" { command = ["a${var.a}b"] }').get('shell/x')?.operation).toMatchObject({ argv: ['ab'] });
  });

  test('a variable without a default is empty', () => {
    expect(targets('var none {}\nshell "x" { command = ["a${var.none}b"] }').get('shell/x')?.operation).toEqual({
      kind: 'command',
      argv: ['ab'],
    });
  });

  test('defaults may name each other in any order, and the environment of the process', () => {
    const chain = 'var "a" { default = "${var.b}!" }\nvar "b" { default = "${var.c}${HOME}" }\nvar "c" { default = "c" }\n';
    const target = targets(`${chain}shell "x" { command = [var.a] }`, { environment: { HOME: '/h' } }).get('shell/x');
    expect(target?.operation).toEqual({ kind: 'command', argv: ['c/h!'] });
  });

  test.each([
    ['var "a" {}\nvar "a" {}', ['3:1: duplicate variable "a"']],
    ['var "a" { default = 5 }', ['2:21: variable "a" default: must be a string']],
    ['var "a" { default = "${var.a}" }', ['2:21: variable "a" default could not be resolved']],
    ['var "a" { default = B }', [expect.stringMatching(/^2:21: variable "a" default could not be resolved: decode Bachfile: Unknown variable; /)]],
    ['var "a" { default = var.b }', [expect.stringMatching(/^2:25: variable "a" default could not be resolved: decode Bachfile: Unsupported attribute; /)]],
    [
      'var "a" { default = var.b }\nvar "b" { default = var.a }\nvar "c" { default = var.a }',
      ['2:21: variable "a" default could not be resolved', '3:21: variable "b" default could not be resolved'],
    ],
  ])('%s', (file, expected) => {
    expect(faults(file).toSorted()).toEqual(expected);
  });

  test('what names a variable without a value is not told as well', () => {
    const circle = 'var "a" { default = var.b }\nvar "b" { default = var.a }\nenv { E = var.a }\nshell "x" { command = ["${var.a}", "${E}"] }';
    expect(faults(circle).length).toBe(2);
  });

  test('a value given for a variable that does not exist is refused', () => {
    const { project, diagnostics, misnamed } = read('project "p" {}\nvar "here" {}', { vars: { gone: '1' } });
    expect({ project, diagnostics }).toEqual({ project: undefined, diagnostics: [] });
    expect(misnamed).toEqual([{ option: '--var', message: 'override provided for undeclared variable "gone"', declared: ['here'] }]);
  });
});

describe('environment', () => {
  test('the example of the reference, whatever the order', () => {
    const { project } = read('project "p" {}\nvar bla {}\nenv {\n  ENV_2 = "${ENV_1} b ${var.bla}"\n  ENV_1 = "b"\n}\n');
    expect(project?.environment).toEqual([
      { name: 'ENV_1', value: 'b' },
      { name: 'ENV_2', value: 'b b ' },
    ]);
  });

  test('blocks merge, numbers and booleans become text, a key that names itself means the one outside', () => {
    const facts = { environment: { PATH: '/bin' } };
    const { project } = read('project "p" {}\nenv { B = 8080 }\nenv {\n  A = true\n  PATH = "${PATH}:x"\n}\n', facts);
    expect(project?.environment.map(({ name, value }) => `${name}=${value}`)).toEqual(['A=true', 'B=8080', 'PATH=/bin:x']);
  });

  test('a target adds its own; the list form wins over the block', () => {
    const text = 'env { TOP = "t" }\nshell "x" {\n  env {\n    A = "${TOP}1"\n    B = "${A}2"\n  }\n  env = ["B=list", "C=a=b"]\n}';
    expect(environmentOf(targets(text).get('shell/x'))).toEqual(['A=t1', 'B=list', 'C=a=b']);
  });

  test('the process is not seen by general attributes, the project is', () => {
    expect(targets('env { A = "1" }\nshell "x" { command = ["${A}"] }').get('shell/x')?.operation).toMatchObject({ argv: ['1'] });
    const [fault = ''] = faults('shell "x" { command = ["${HOME}"] }', { environment: { HOME: '/h' } });
    expect(fault).toMatch(/^2:27: decode Bachfile: Unknown variable; /);
  });

  test.each([
    ['env { A = "1" }\nenv { A = "2" }', ['3:7: duplicate env "A"']],
    ['env { A = "${B}" }', ['2:14: env "A" could not be resolved: decode Bachfile: Unknown variable; There is no variable named "B".']],
    ['shell "x" {\n env { A = "${B}" }\n}', [expect.stringMatching(/^3:15: env "A" could not be resolved: decode Bachfile: Unknown variable; /)]],
    ['env { A = var.b }', [expect.stringMatching(/^2:15: env "A" could not be resolved: decode Bachfile: Unsupported attribute; /)]],
    ['env { A = join("b") }', [expect.stringMatching(/^2:11: decode Bachfile: Call to unknown function; /)]],
    ['env {\n  A = "${B}"\n  B = "${A}"\n}', ['3:7: env "A" could not be resolved', '4:7: env "B" could not be resolved']],
    ['env { A = ["x"] }', [expect.stringContaining('2:11: decode Bachfile: Incorrect attribute value type; env "A"')]],
    ['shell "x" { env = ["novalue"] }', ['2:19: env entry "novalue": expected KEY=value']],
    ['env "x" {}', [expect.stringContaining('Extraneous label for env')]],
  ])('%s', (file, expected) => {
    expect(faults(file).toSorted()).toEqual(expected);
  });
});

describe('references', () => {
  test.each([
    ['depends_on = [shell.gone]', '3:15: target "shell/x" depends on missing target "shell/gone"', 'unknown-target-reference'],
    ['depends_on = ["shell/y"]', '3:15: target "shell/x" depends_on: obsolete target reference "shell/y": use type.name, for example shell.y', 'obsolete-target-reference'],
    ['depends_on = [make.all]', '3:15: target "shell/x" depends_on: invalid target reference "make.all": unknown target type "make"', 'unknown-target-reference'],
    ['depends_on = ["y"]', '3:15: target "shell/x" depends_on: invalid target reference "y": use type.name, for example shell.test', 'bachfile-validation-error'],
    ['depends_on = [5]', '3:15: target "shell/x" depends_on: entries must be target references', 'bachfile-validation-error'],
    ['depends_on = shell.y', '3:14: target "shell/x" depends_on: must be a list of target references', 'bachfile-validation-error'],
  ])('%s', (attribute, message, code) => {
    const text = `project "p" {}\nshell "x" {\n${attribute}\n}`;
    expect(read(text).diagnostics.map((each) => formatDiagnostic(each).replace(/^Bachfile:/, ''))).toEqual([message]);
    expect(codes(text)).toEqual([code]);
  });

  test('a near name is suggested', () => {
    expect(faults('shell "build" {}\ngroup "g" { targets = [shell.biuld] }')).toEqual([
      '3:24: target "group/g" has missing group member "shell/biuld"; did you mean "shell/build"?',
    ]);
    expect(faults('pipeline "p" { steps = [shell.gone] }')).toEqual(['2:25: target "pipeline/p" has missing pipeline step "shell/gone"']);
  });

  test.each([
    ['1 + 1', 'project default: entries must be target references'],
    ['"x"', 'project default: invalid target reference "x": use type.name, for example shell.test'],
    ['"shell/x"', 'obsolete target reference "shell/x": use type.name, for example shell.x'],
  ])('the default target %s is no reference', (value, message) => {
    expect(read(`project "p" { default = ${value} }`).diagnostics.map((each) => each.message)).toEqual([message]);
  });

  test('the default target must exist', () => {
    expect(read('project "p" { default = shell.gone }').diagnostics.map(({ message }) => message)).toEqual([
      'default target "shell/gone" does not exist',
    ]);
  });
});

describe('targets', () => {
  test.each([
    ['shell "x" {}\nshell "x" {}', '3:1: duplicate target "shell/x"'],
    ['shell "x" { cost = "tiny" }', '2:20: target "shell/x" has invalid cost "tiny"; want low, medium, or high'],
    ['shell "x" { timeout = "0s" }', '2:23: target "shell/x" timeout must be greater than zero'],
    ['shell "x" { timeout = "-1s" }', '2:23: target "shell/x" timeout must be greater than zero'],
    ['shell "x" { command = [""] }', '2:23: target "shell/x" command must not start with an empty string'],
    ['shell "" {}', '2:7: shell name must not be empty or hold control characters'],
    ['shell "a\\nb" {}', '2:7: shell name must not be empty or hold control characters'],
    ['shell "x" { workdir = "a\\u0000b" }', '2:23: target "shell/x" workdir: must not contain a NUL character'],
    ['shell "x" { outputs = "dist" }', '2:23: target "shell/x" outputs: must be a list or object'],
    ['shell "x" { outputs = [5] }', '2:23: target "shell/x" outputs: list values must be strings'],
    ['shell "x" { outputs = { a = 5 } }', '2:23: target "shell/x" outputs: map values must be strings'],
  ])('%s', (file, message) => {
    expect(faults(file)).toEqual([message]);
  });

  test('a timeout that is no duration', () => {
    expect(faults('shell "x" { timeout = "later" }')[0]).toMatch(/^2:23: target "shell\/x" timeout "later" is invalid: /);
  });

  test('command and shell together', () => {
    expect(faults('shell "x" {\n  command = ["a"]\n  shell = "b"\n}')).toEqual([
      '4:3: target "shell/x" must use command or shell, not both',
    ]);
  });

  test.each([
    ['command = "make"', 'Incorrect attribute value type; target "shell/x" command: '],
    ['command = ["a", ["b"]]', 'Incorrect attribute value type; target "shell/x" command: '],
    ['shell = ["a"]', 'Incorrect attribute value type; target "shell/x" shell: '],
    ['comand = ["a"]', 'Unsupported argument; An argument named "comand" is not expected here; did you mean "command"?'],
    ['targets = []', 'Unsupported argument; An argument named "targets" is not expected here'],
    ['step {}', 'Unsupported block type; Blocks of type "step" are not expected here'],
    ['command { }', 'Unsupported block type; Blocks of type "command" are not expected here; write it as an argument: command = …'],
    ['command = [git()]', 'Call to unknown function; '],
  ])('%s', (attribute, message) => {
    const [fault = ''] = faults(`shell "x" {\n${attribute}\n}`);
    expect(fault).toContain(`decode Bachfile: ${message}`);
  });

  test('null means not set', () => {
    expect(shell('command = null\nworkdir = null\ndepends_on = null')).toMatchObject({ runnable: false, workdir: '' });
    expect(shell('command = ["a"]\nshell = null')?.operation).toEqual({ kind: 'command', argv: ['a'] });
  });
});

describe('the project block', () => {
  test.each([
    ['', 'Bachfile: missing project block', 'missing-project-block'],
    ['project "p" { state = "x" }', 'project state is no longer supported; ', 'bachfile-validation-error'],
    ['project "p" { root = 5 }', 'project root: must be a string', 'bachfile-validation-error'],
    ['project "p" { root = var.x }', 'decode Bachfile: ', 'hcl-decode-error'],
    ['project "p" {}\nproject "q" {}', 'duplicate project block', 'bachfile-validation-error'],
    ['project {}', 'decode Bachfile: Missing name for project', 'hcl-decode-error'],
    ['project "p" {\n backend {}\n backend {}\n}', 'project backend: only one backend block is allowed', 'bachfile-validation-error'],
    ['project "p" {\n backend { type = "http" }\n}', 'project backend: unsupported type "http" (only stdio is supported)', 'bachfile-validation-error'],
    ['project "p" {\n backend { command = ["x", "y"] }\n}', 'project backend: unsupported command ["x", "y"] (only ["bach", "backend", "sqlite"] is supported)', 'bachfile-validation-error'],
    ['project "p" {\n backend { config = { path = "../x" } }\n}', 'project backend: backend config.path must stay under the project root', 'bachfile-validation-error'],
    ['project "p" {\n backend { config = { path = "/x" } }\n}', 'project backend: backend config.path must stay under the project root', 'bachfile-validation-error'],
    ['project "p" {\n backend { config = "x" }\n}', 'project backend: config must be an object', 'bachfile-validation-error'],
  ])('%j', (text, message, code) => {
    const { project, diagnostics } = read(text);
    expect(project).toBeUndefined();
    expect(diagnostics.length).toBe(1);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.code).toBe(code);
  });
});

test('faults come in the order of the file, whoever finds them', () => {
  const text = 'shell "x" {\n  depends_on = [shell.gone]\n  cost = "tiny"\n  nothing = 1\n}';
  expect(faults(text).map((fault) => fault.split(':')[0])).toEqual(['3', '4', '5']);
});

describe('bytes that are no Bachfile', () => {
  test('syntax faults are told with their places, several at once, and nothing is decoded', () => {
    const { project, diagnostics } = read('project "p" {\n  a = \n}\nshell "x" {\n  b = ]\n}\n');
    expect(project).toBeUndefined();
    expect(diagnostics.length).toBeGreaterThan(1);
    expect(diagnostics.map(({ code }) => code)).toEqual(diagnostics.map(() => 'hcl-parse-error'));
    expect(diagnostics[0]?.message).toMatch(/^parse Bachfile: /);
    expect(diagnostics[0]?.range.start).toMatchObject({ line: 2 });
  });

  test('the place of the first byte that is no UTF-8', () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('project "p" {}\nshell "é'), 0xff, 0x22]);
    const { project, diagnostics } = read(bytes);
    expect(project).toBeUndefined();
    expect(diagnostics.length).toBe(1);
    expect(diagnostics[0]).toMatchObject({ code: 'hcl-parse-error', range: { start: { line: 2, column: 9 } } });
  });

  test('a NUL byte', () => {
    expect(codes('project "p" {}\n\0')).toContain('hcl-parse-error');
  });

  test('nesting far too deep is one message at the bracket', () => {
    const { diagnostics } = read(`project "p" {}\nvar "a" { default = ${'['.repeat(10_000)} }`);
    expect(diagnostics[0]?.code).toBe('hcl-parse-error');
    expect(diagnostics[0]?.range.start.line).toBe(2);
  });
});
