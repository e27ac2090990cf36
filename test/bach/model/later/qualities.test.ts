import { describe, expect, test } from 'vitest';
import { faults, messages, places, sound } from './fixtures.ts';

const BEFORE = `shell "unit" {
  outputs = { junit = "out/junit.xml" }
}
image "app" {}
plugin "reader" {
  type = "quality"
}
plugin "graph" {}
`;

const quality = (body: string, label = 'unit'): string => `${BEFORE}quality "${label}" {\n${body}\n}`;
const reports = (body: string) => sound(quality(body)).later.qualities.get('shell/unit')?.reports;

describe('a quality block', () => {
  test.each([
    ['unit', 'shell/unit'],
    ['shell.unit', 'shell/unit'],
    ['image.app', 'image/app'],
  ])('with the label %s belongs to %s', (label, target) => {
    const { later } = sound(quality('', label));
    expect([...later.qualities]).toEqual([[target, { target, reports: [], gates: [], regoPolicies: [] }]]);
  });

  test.each([
    [
      'shell/unit',
      'quality block target: obsolete target reference "shell/unit": use type.name, for example shell.unit',
    ],
    ['task.unit', 'quality block target: invalid target reference "task.unit": unknown target type "task"'],
    ['shell.', 'quality block target: invalid target reference "shell.": use type.name, for example shell.test'],
    ['untt', 'quality block references unknown target "shell/untt"; did you mean "shell/unit"?'],
    ['image.none', 'quality block references unknown target "image/none"'],
    ['', 'quality target must not be empty or hold control characters'],
  ])('with the label "%s" is told', (label, message) => {
    expect(messages(quality('', label))).toEqual([message]);
    if (label !== '') expect(places(quality('', label))).toEqual([`"${label}"`]);
  });

  test('is the only one of its target', () => {
    expect(faults(`${quality('')}\nquality "shell.unit" {}`)).toEqual(['12:1: duplicate quality block for target "shell/unit"']);
  });

  test('has gates', () => {
    const { later } = sound(quality('quality_gate {\nmetric = "tests.failed"\nmax = 0\n}\nquality_gate {\nmetric = "coverage.line.percent"\nmin = 80.25\n}'));
    expect(later.qualities.get('shell/unit')?.gates).toEqual([
      { metric: 'tests.failed', min: undefined, max: 0 },
      { metric: 'coverage.line.percent', min: 80.25, max: undefined },
    ]);
  });

  test.each([
    ['a gate without metric', 'quality_gate {\nmin = 1\n}', 'quality_gate must set metric'],
    ['a gate with an empty metric', 'quality_gate {\nmetric = ""\nmin = 1\n}', 'quality_gate must set metric'],
    ['a gate without bound', 'quality_gate {\nmetric = "m"\n}', 'quality_gate "m" must set min or max'],
  ])('with %s is told', (_, body, message) => {
    expect(messages(quality(body))).toEqual([`target "shell/unit" ${message}`]);
  });

  test.each(['format = "lcov"', 'gate {}', 'lint {\npath = "a"\nkind = "x"\n}', 'rego_policy {\npath = "a"\npackage = "p"\nrule = "x"\n}'])(
    'does not know %j',
    (body) => {
      expect(messages(quality(body))).toEqual([expect.stringMatching(/Unsupported (argument|block type)/)]);
    },
  );
});

describe('short report blocks', () => {
  test('know what they report and in which format, and come in their own order after the list', () => {
    const found = reports(`
  complexity {
    path = "gocyclo.txt"
  }
  lint {
    path = "lint.xml"
  }
  cov {
    path = "\${var.word}.info"
  }
  junit {
    path = shell.unit.outputs.junit
  }
  reports = [{ kind = "org", parser = "reader", path = "org.txt" }]`);
    expect(found).toEqual([
      { kind: 'org', path: 'org.txt', format: '', parser: 'reader' },
      { kind: 'tests', path: 'out/junit.xml', format: 'junit-xml', parser: '' },
      { kind: 'coverage', path: 'word.info', format: 'lcov', parser: '' },
      { kind: 'lint', path: 'lint.xml', format: 'checkstyle-xml', parser: '' },
      { kind: 'complexity', path: 'gocyclo.txt', format: 'gocyclo', parser: '' },
    ]);
  });

  test('take another format, or a plugin that reads them', () => {
    expect(reports('cov {\npath = "a"\nformat = "cobertura-xml"\n}\nlint {\npath = "b"\nparser = plugin.reader\n}')).toEqual([
      { kind: 'coverage', path: 'a', format: 'cobertura-xml', parser: '' },
      { kind: 'lint', path: 'b', format: '', parser: 'reader' },
    ]);
  });

  test.each([
    ['no path', 'junit {}', 'report "tests" must set path'],
    ['an empty path', 'cov {\npath = ""\n}', 'report "coverage" must set path'],
    [
      'format and parser',
      'lint {\npath = "a"\nformat = "lcov"\nparser = plugin.reader\n}',
      'report "lint" must set format or parser, not both',
    ],
    ['an empty format', 'lint {\npath = "a"\nformat = ""\n}', 'report "lint" must set format or parser'],
    [
      'an unknown format',
      'cov {\npath = "a"\nformat = "lcof"\n}',
      'report "coverage" has unsupported quality report format "lcof"; did you mean "lcov"?',
    ],
    [
      'an unknown parser',
      'lint {\npath = "a"\nparser = plugin.raeder\n}',
      'report "lint" references unknown parser plugin "raeder"; did you mean "reader"?',
    ],
    [
      'a parser that gives a graph',
      'lint {\npath = "a"\nparser = plugin.graph\n}',
      'report "lint" parser plugin "graph" must have type = "quality"',
    ],
    [
      'a parser as string',
      'lint {\npath = "a"\nparser = "reader"\n}',
      'lint parser must be a plugin reference like plugin.name',
    ],
    [
      'a source as parser',
      'lint {\npath = "a"\nparser = plugin.graph.x\n}',
      'lint parser must reference plugin.name',
    ],
    [
      'another reference as parser',
      'lint {\npath = "a"\nparser = shell.unit\n}',
      'lint parser must reference plugin.name',
    ],
    ['a second one', 'junit {\npath = "a"\n}\njunit {\npath = "b"\n}', 'must have at most one junit block'],
  ])('with %s are told', (_, body, message) => {
    expect(messages(quality(body))).toEqual([`target "shell/unit" ${message}`]);
  });

  test('are told once of a value that cannot be had', () => {
    expect(messages(quality('junit {\npath = shell.unit.outputs.none\n}'))).toEqual([expect.stringContaining('none')]);
    expect(messages(quality('junit {\npath = "a"\nformat = var.none\n}'))).toEqual([expect.stringContaining('none')]);
  });
});

describe('the list of reports', () => {
  test('is taken as it is written', () => {
    const list = reports(`
  reports = [
    { kind = "agent", format = "agent-report-v1", path = "$(RUN_DIRECTORY)/agent.json" },
    ({ "kind" = "org", parser = "reader", path = "org.txt", format = null }),
  ]`);
    expect(list).toEqual([
      { kind: 'agent', path: '$(RUN_DIRECTORY)/agent.json', format: 'agent-report-v1', parser: '' },
      { kind: 'org', path: 'org.txt', format: '', parser: 'reader' },
    ]);
    expect(reports('reports = []')).toEqual([]);
    expect(reports('reports = ([{ kind = "a", format = "lcov", path = "x" }])')).toHaveLength(1);
    expect(reports('reports = [for name in ["a", "b"] : { kind = name, format = "lcov", path = name }]')).toHaveLength(2);
  });

  test.each([
    'junit-xml', 'checkstyle-xml', 'lcov', 'cobertura-xml', 'jacoco-xml', 'codecov-json', 'gocov-json', 'go-cover',
    'gocover', 'gocyclo', 'agent-report-v1', 'agent-report-json',
  ])('knows the format %s', (format) => {
    expect(reports(`reports = [{ kind = "k", path = "p", format = "${format}" }]`)).toHaveLength(1);
  });

  test.each([
    ['{ format = "lcov", path = "a" }', 'target "shell/unit" report must set kind'],
    ['{ kind = "k", format = "lcov" }', 'target "shell/unit" report "k" must set path'],
    ['{ kind = "k", path = "a" }', 'target "shell/unit" report "k" must set format or parser'],
    [
      '{ kind = "k", path = "a", format = "lcov", parser = "reader" }',
      'target "shell/unit" report "k" must set format or parser, not both',
    ],
    [
      '{ kind = "k", path = "a", format = "x" }',
      'target "shell/unit" report "k" has unsupported quality report format "x"',
    ],
    [
      '{ kind = "k", path = "a", parser = "none" }',
      'target "shell/unit" report "k" references unknown parser plugin "none"',
    ],
    [
      '{ kind = "k", path = "a", parser = "graph" }',
      'target "shell/unit" report "k" parser plugin "graph" must have type = "quality"',
    ],
    [
      '{ kind = 1, path = "a", format = "lcov" }',
      'quality "shell/unit" reports kind must be a string without NUL characters',
    ],
    [
      '{ kind = "k", path = "a\\u0000", format = "lcov" }',
      'quality "shell/unit" reports path must be a string without NUL characters',
    ],
    [
      '{ kind = "k", path = "a", format = true }',
      'quality "shell/unit" reports format must be a string without NUL characters',
    ],
    ['"junit"', 'quality "shell/unit" reports entries must be objects'],
    ['null', 'quality "shell/unit" reports entries must be objects'],
  ])('tells of %s', (entry, message) => {
    expect(messages(quality(`reports = [${entry}]`))).toEqual([message]);
  });

  test.each([
    ['that is no list', '{}', 'quality "shell/unit" reports must be a list'],
    ['that is a string', '"x"', 'quality "shell/unit" reports must be a list'],
    ['with a variable', '[{ kind = "k", format = "lcov", path = var.word }]', 'var'],
    [
      'with an unknown word',
      '[{ kind = "k", format = "lcov", pathh = "x", path = "a" }]',
      'An argument named "pathh" is not expected in a report; did you mean "path"?',
    ],
  ])('%s is told', (_, list, part) => {
    expect(messages(quality(`reports = ${list}`))).toEqual([expect.stringContaining(part)]);
  });

  test('is told of all its faults, each at its place', () => {
    const text = quality('reports = [\n{ path = "a", format = "x" },\n"y",\n{ kind = "k", path = "a", parser = "graph", extra = 1 },\n]');
    expect(places(text)).toEqual(['{ path = "a", format = "x" }', '"x"', '"y"', '"graph"', 'extra']);
  });
});

describe('a rego policy', () => {
  const rego = (body: string): string => quality(`rego_policy {\n${body}\n}`);

  test('asks its package, or what it is told to ask', () => {
    const { later } = sound(`${rego('path = "policies/a.rego"\npackage = "bach.policy"')}
quality "image.app" {
  rego_policy {
    path     = "b.rego"
    allow    = "data.b.ok"
    findings = "data.b.all"
  }
  rego_policy {
    path    = "c.rego"
    package = "c"
    allow   = "data.c.ok"
  }
}`);
    expect(later.qualities.get('shell/unit')?.regoPolicies).toEqual([
      { path: 'policies/a.rego', package: 'bach.policy', allow: 'data.bach.policy.allow', findings: 'data.bach.policy.findings' },
    ]);
    expect(later.qualities.get('image/app')?.regoPolicies).toEqual([
      { path: 'b.rego', package: '', allow: 'data.b.ok', findings: 'data.b.all' },
      { path: 'c.rego', package: 'c', allow: 'data.c.ok', findings: 'data.c.findings' },
    ]);
  });

  test.each([
    ['no path', 'package = "p"', ['rego_policy must set path']],
    [
      'a path elsewhere',
      'path = "../a.rego"\npackage = "p"',
      ['rego_policy "../a.rego" path must stay under the project root'],
    ],
    [
      'an absolute path',
      'path = "/project/a.rego"\npackage = "p"',
      ['rego_policy "/project/a.rego" path must stay under the project root'],
    ],
    [
      'neither package nor queries',
      'path = "a.rego"',
      ['rego_policy "a.rego" must set allow when package is omitted', 'rego_policy "a.rego" must set findings when package is omitted'],
    ],
    [
      'an empty package',
      'path = "a.rego"\npackage = ""\nallow = "x"',
      ['rego_policy "a.rego" must set findings when package is omitted'],
    ],
    ['one query', 'path = "a.rego"\nfindings = "x"', ['rego_policy "a.rego" must set allow when package is omitted']],
    ['a query that cannot be had', 'path = "a.rego"\nfindings = "x"\nallow = {}', ['Incorrect attribute value type']],
    ['a package that cannot be had', 'path = "a.rego"\npackage = []', ['Incorrect attribute value type']],
  ])('with %s is told', (_, body, wanted) => {
    expect(messages(rego(body))).toEqual(wanted.map((each) => expect.stringContaining(each)));
  });
});
