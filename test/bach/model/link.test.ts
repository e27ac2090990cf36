import { describe, expect, test } from 'vitest';
import { inputPaths, inputReach, type GraphAdditions } from '../../../src/bach/model/index.ts';
import { faults, projectOf, read } from './reading.ts';

const text = `input "file" "gen" { src = "gen.go" }
input "file" "all" { srcs = ["cmd", input.file.gen] }
resource "deps" {}
plugin "g" { sources = { tests = ["t"] } }
shell "generate" { produces = [input.file.gen] }
shell "install" {
  produces = [resource.deps]
  inputs   = [resource.deps]
}
shell "lint" {}
shell "build" {
  depends_on = [shell.lint]
  inputs     = ["README", resource.deps, input.file.all, plugin.g.tests]
}
`;

const emitted = (parts: Partial<GraphAdditions>): GraphAdditions => ({ plugin: 'g', inputs: new Map(), targets: new Map(), ...parts });

describe('implicit dependencies', () => {
  test('on the producers of inputs, in their order, behind the declared ones, also through named sets', () => {
    expect(projectOf(text).targets.get('shell/build')?.dependsOn).toEqual(['shell/lint', 'shell/install', 'shell/generate']);
  });

  test('none on itself, and one that is declared stays where it is', () => {
    expect(projectOf(text).targets.get('shell/install')?.dependsOn).toEqual([]);
    const declared = text.replace('[shell.lint]', '[shell.generate, shell.lint]');
    expect(projectOf(declared).targets.get('shell/build')?.dependsOn).toEqual(['shell/generate', 'shell/lint', 'shell/install']);
  });

  test('through what a plugin emits', () => {
    const additions = [emitted({ inputs: new Map([['plugin/g/tests', ['t/a.ts', 'file/gen']]]) })];
    const { targets, inputs } = projectOf('input "file" "gen" { src = "x" }\nshell "b" { inputs = [plugin.g.tests] }\nshell "a" { produces = [input.file.gen] }\nplugin "g" { sources = { tests = [] } }', { additions });
    expect(targets.get('shell/b')?.dependsOn).toEqual(['shell/a']);
    expect(inputs.get('plugin/g/tests')).toEqual({ name: 'plugin/g/tests', sources: ['t/a.ts', 'file/gen'] });
  });
});

describe('an input that none can be is told at the plugin', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['.git/HEAD', 'names state, which is never an input'],
    ['.bach/state.db', 'names state, which is never an input'],
    ['src/[a', 'is a malformed pattern'],
  ];

  test.each(cases)('%s of a target', (path, fault) => {
    const [told] = faults(text, { additions: [emitted({ targets: new Map([['shell/lint', { dependsOn: [], inputs: [path] }]]) })] });
    expect(told).toContain(`5:1: plugin "g" emitted the input "${path}", which ${fault}`);
  });

  test.each(cases)('%s of a set', (path, fault) => {
    const [told] = faults(text, { additions: [emitted({ inputs: new Map([['plugin/g/tests', ['ok.ts', path]]]) })] });
    expect(told).toContain(`5:1: plugin "g" emitted the input "${path}", which ${fault}`);
  });
});

describe('what plugins add', () => {
  test('dependencies and inputs of targets', () => {
    const additions = [
      emitted({ targets: new Map([['shell/lint', { dependsOn: ['shell/install'], inputs: ['x.ts', 'resource/deps'] }]]) }),
      emitted({ targets: new Map([['shell/lint', { dependsOn: ['shell/install', 'shell/generate'], inputs: ['x.ts', 'y.ts'] }]]) }),
    ];
    expect(projectOf(text, { additions }).targets.get('shell/lint')).toMatchObject({
      dependsOn: ['shell/install', 'shell/generate'],
      inputs: ['x.ts', 'resource/deps', 'y.ts'],
    });
  });

  test.each([
    [new Map([['shell/lnit', { dependsOn: [], inputs: [] }]]), 'shell/lnit"; did you mean "shell/lint"?'],
    [new Map([['shell/lint', { dependsOn: ['shell/nowhere'], inputs: [] }]]), 'shell/nowhere"'],
  ])('a target that is not there is told at the plugin', (targets, tail) => {
    expect(faults(text, { additions: [emitted({ targets })] })).toEqual([`5:1: plugin "g" referenced missing target "${tail}`]);
  });

  test('without additions the project is as it says itself', () => {
    const { decoded, project } = read(`project "p" {}\n${text}`);
    expect(project?.inputs).toBe(decoded?.project.inputs);
    expect(decoded?.project.targets.get('shell/build')?.dependsOn).toEqual(['shell/lint']);
  });

  test('what was decoded can be stored and read again', () => {
    const { decoded } = read(`project "p" {}\n${text}`);
    expect(structuredClone(decoded)).toEqual(decoded);
  });
});

describe('sets of inputs', () => {
  const sets = new Map([
    ['file/a', { sources: ['x', 'file/b', 'y'] }],
    ['file/b', { sources: ['file/a', 'resource/r', 'z', 'x'] }],
  ]);

  test('lead to all that is in them, each once, and a circle is cut', () => {
    expect(inputReach(['y', 'file/a'], sets)).toEqual(['y', 'file/a', 'x', 'file/b', 'resource/r', 'z']);
  });

  test('stand for paths', () => {
    expect(inputPaths(['file/a'], sets, new Set(['r']))).toEqual(['x', 'z', 'y']);
    expect(inputPaths(['resource/x'], sets, new Set(['r']))).toEqual(['resource/x']);
  });

  test('that are deep take no stack', () => {
    const deep = new Map(Array.from({ length: 50_000 }, (_, index) => [`file/${index}`, { sources: [`file/${index + 1}`] }]));
    expect(inputReach(['file/0'], deep).length).toBe(50_001);
  });
});
