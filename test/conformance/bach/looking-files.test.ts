import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { printedBy } from './support.ts';

describe('affected', () => {
  const FILE = 'shell "x" { inputs = ["a", "./a", "b/../a", "d/", "e/*.ts"] }\n';

  test.each([
    [['a'], 'shell/x 1 a\n'],
    [['./a', 'a', 'c/../a'], 'shell/x 1 a\n'],
    [['d/deep/y', './d/z'], 'shell/x 1 d\n'],
    [['e/./y.ts'], 'shell/x 1 e/*.ts\n'],
    [['e/deep/y.ts', 'dd', 'a.txt'], ''],
  ])('[bach-affected-normal] %j', async (paths, lines) => {
    expect(await printedBy(bachProject(FILE), 'affected', ...paths)).toBe(lines);
  });
});

describe('provenance', () => {
  const FILE = `
shell "generate" {
  command = ["gen", "$NAME", "out"]
  inputs  = ["spec"]
  outputs = { api = "gen/api", list = "names.txt" }
}
shell "build" {
  shell   = "make all"
  inputs  = ["gen"]
  outputs = ["dist"]
}
`;

  test.each([
    ['gen/api/client/a.ts', 'shell/generate', 'gen  out'],
    ['dist/app', 'shell/build', 'sh -c make all'],
    ['dist', 'shell/build', 'sh -c make all'],
  ])('[bach-provenance-folder-output] %s is beneath an output', async (path, target, operation) => {
    const text = await printedBy(bachProject(FILE), 'provenance', path);
    expect(text).toContain(`${path}\ngenerated: true\nsource: false\ngenerated_by:\n  - ${target}\n    operation: ${operation}\n    regenerate: bach run ${target}\n`);
  });

  test('[bach-provenance-folder-output] what is beside an output, or beneath an input alone, is not generated', async () => {
    expect(await printedBy(bachProject(FILE), 'provenance', 'gen/other')).toContain('generated: false\nsource: true\ngenerated_by: []\n');
    expect(await printedBy(bachProject(FILE), 'provenance', 'distant')).toContain('generated: false\nsource: false\n');
  });

  test('[bach-provenance-named-outputs] an output with a name', async () => {
    expect(await printedBy(bachProject(FILE), 'provenance', 'names.txt')).toContain('generated_by:\n  - shell/generate\n');
  });

  test('[bach-provenance-consumer] whoever reads it, with its operation', async () => {
    expect(await printedBy(bachProject(FILE), 'provenance', 'spec/api.yaml')).toBe(
      'spec/api.yaml\ngenerated: false\nsource: true\ngenerated_by: []\nconsumed_by:\n  - shell/generate\n    operation: gen  out\nstatus: unknown\n',
    );
  });

  test('[bach-provenance-several] in the order given, a blank line between them', async () => {
    const project = bachProject(FILE);
    const [one, two] = [await printedBy(project, 'provenance', 'spec'), await printedBy(project, 'provenance', 'gen/api')];
    expect(await printedBy(project, 'provenance', 'spec', 'gen/api')).toBe(`${one}\n${two}`);
  });
});

describe('validate', () => {
  test('[bach-validate-warning] a warning has its place and leaves the file valid', async () => {
    const document = JSON.parse(await printedBy(bachProject('shell "x" {\n  inputs = ["src/*.none"]\n}\n'), 'validate', '--json')) as object;
    expect(document).toMatchObject({ valid: true, summary: { targets: 1 } });
    expect(document).toHaveProperty('diagnostics', [
      {
        severity: 'warning',
        file: 'Bachfile',
        range: { start: { line: expect.any(Number) as number, column: expect.any(Number) as number }, end: expect.any(Object) as object },
        message: 'target "shell/x" input "src/*.none" matches no file',
        code: 'bachfile-validation-error',
      },
    ]);
  });
});
