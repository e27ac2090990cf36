import { describe, expect, test } from 'vitest';
import { projectOf as decoded } from '../../bach/model/reading.ts';
import { projectOf, told } from './told.ts';

const BEFORE = `shell "test" { command = ["true"] }
plugin "lines" {
  type    = "quality"
  command = ["true"]
}
plugin "graph" {}
`;

const quality = (body: string) => `${BEFORE}quality "test" {\n${body}\n}\n`;
const fault = async (body: string) => (await told(quality(body))).map((message) => message.replace('target "shell/test" ', ''));

describe('quality blocks', () => {
  test('[bach-quality-label] a label without type is a shell target', async () => {
    expect([...decoded(quality('')).qualities.keys()]).toEqual(['shell/test']);
    expect([...decoded(`${BEFORE}quality "shell.test" {}\n`).qualities.keys()]).toEqual(['shell/test']);
    const { exit, stderr } = await projectOf(quality('')).bach(['run', 'shell/test']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringContaining('shell/test') });
  });

  test.each([
    ['quality «"gone"» {}', '[unknown-target-reference] quality block references unknown target "shell/gone"'],
    ['quality «"shell/test"» {}', '[obsolete-target-reference] quality block target: obsolete target reference "shell/test": use type.name, for example shell.test'],
    ['quality «"shelf.test"» {}', '[unknown-target-reference] quality block target: invalid target reference "shelf.test": unknown target type "shelf"'],
    ['quality "test" {}\n«quality "shell.test"» {}', 'duplicate quality block for target "shell/test"'],
  ])('[bach-quality-target] %s', async (text, message) => {
    expect(await told(`${BEFORE}${text}\n`)).toEqual([message]);
  });

  test('[bach-quality-short-blocks] their kinds, formats and order', () => {
    const body = `complexity { path = "c" }
lint { path = "l" }
cov { path = "v" }
junit { path = "j" }
reports = [{ kind = "other", format = "gocover", path = "o" }]`;
    expect(decoded(quality(body)).qualities.get('shell/test')?.reports).toMatchObject([
      { kind: 'other', format: 'gocover', path: 'o' },
      { kind: 'tests', format: 'junit-xml', path: 'j' },
      { kind: 'coverage', format: 'lcov', path: 'v' },
      { kind: 'lint', format: 'checkstyle-xml', path: 'l' },
      { kind: 'complexity', format: 'gocyclo', path: 'c' },
    ]);
  });

  test.each(['junit', 'cov', 'lint', 'complexity'])('[bach-quality-short-blocks] %s takes a format or a parser of its own', async (block) => {
    expect(await fault(`${block} {\npath = "a"\nformat = "cobertura-xml"\n}`)).toEqual([]);
    expect(await fault(`${block} {\npath = "a"\nparser = plugin.lines\n}`)).toEqual([]);
    expect(await fault(`«${block}» {}`)).toEqual([expect.stringMatching(/^report "\w+" must set path$/)]);
    expect(await fault(`${block} {\npath = "a"\n}\n«${block}» {\npath = "a"\n}`)).toEqual([`must have at most one ${block} block`]);
  });

  test.each([
    ['reports = [«{ format = "lcov", path = "a" }»]', 'report must set kind'],
    ['reports = [«{ kind = "k", format = "lcov" }»]', 'report "k" must set path'],
    ['reports = [«{ kind = "k", path = "a" }»]', 'report "k" must set format or parser'],
    ['reports = [{ kind = "k", path = "a", format = "lcov", parser = «"lines"» }]', 'report "k" must set format or parser, not both'],
    ['junit {\npath = "a"\nformat = "lcov"\nparser = «plugin.lines»\n}', 'report "tests" must set format or parser, not both'],
    ['junit {\npath = "a"\nformat = «"junit"»\n}', 'report "tests" has unsupported quality report format "junit"'],
  ])('[bach-quality-report-fields] %j', async (body, message) => {
    expect(await fault(body)).toEqual([expect.stringMatching(new RegExp(`^${message}(;|$)`))]);
  });

  test.each([
    ['reports = «{}»', 'quality "shell/test" reports must be a list'],
    ['reports = [«"a"»]', 'quality "shell/test" reports entries must be objects'],
    ['reports = [{ kind = «["k"]», format = "lcov", path = "a" }]', 'quality "shell/test" reports kind must be a string'],
    ['reports = [{ kind = "k", «farmat» = "lcov", format = "lcov", path = "a" }]', '[hcl-decode-error] decode Bachfile: Unsupported argument; An argument named "farmat"'],
    ['reports = [{ kind = "k", format = "lcov", path = «var».v }]', '[hcl-decode-error] decode Bachfile: '],
  ])('[bach-quality-report-list] %s', async (body, message) => {
    expect(await told(`var "v" { default = "v" }\n${quality(body)}`)).toEqual([expect.stringContaining(message)]);
  });

  test.each([
    ['junit {\npath = "a"\nparser = «plugin.lins»\n}', 'report "tests" references unknown parser plugin "lins"; did you mean "lines"?'],
    ['junit {\npath = "a"\nparser = «plugin.graph»\n}', 'report "tests" parser plugin "graph" must have type = "quality"'],
    ['reports = [{ kind = "k", path = "a", parser = «"graph"» }]', 'report "k" parser plugin "graph" must have type = "quality"'],
    ['junit {\npath = "a"\nparser = «"lines"»\n}', 'junit parser must be a plugin reference like plugin.name'],
    ['junit {\npath = "a"\nparser = «shell.test»\n}', 'junit parser must reference plugin.name'],
    ['junit {\npath = "a"\nparser = «plugin.lines.x»\n}', 'junit parser must reference plugin.name'],
  ])('[bach-quality-parser] %j', async (body, message) => {
    expect(await fault(body)).toEqual([message]);
  });

  test('[bach-quality-parser] its name in the list', async () => {
    expect(await fault('reports = [{ kind = "k", path = "a", parser = "lines" }]')).toEqual([]);
  });

  test.each([
    ['«quality_gate» { min = 1 }', 'quality_gate must set metric'],
    ['quality_gate {\nmetric = «""»\nmin = 1\n}', 'quality_gate must set metric'],
    ['«quality_gate» { metric = "m" }', 'quality_gate "m" must set min or max'],
  ])('[bach-quality-gate] %j', async (body, message) => {
    expect(await fault(body)).toEqual([message]);
    expect(await fault('quality_gate {\nmetric = "m"\nmax = 0\n}\nquality_gate {\nmetric = "n"\nmin = 0.5\n}')).toEqual([]);
  });

  test.each([
    ['«rego_policy» { package = "p" }', 'rego_policy must set path'],
    ['rego_policy {\npath = «"../a.rego"»\npackage = "p"\n}', 'rego_policy "../a.rego" path must stay under the project root'],
  ])('[bach-quality-rego] %j', async (body, message) => {
    expect(await fault(body)).toEqual([message]);
  });

  test('[bach-quality-rego] without package both queries', async () => {
    expect(await fault('««rego_policy»» { path = "a" }')).toEqual([
      'rego_policy "a" must set allow when package is omitted',
      'rego_policy "a" must set findings when package is omitted',
    ]);
    expect(await fault('«rego_policy» {\npath = "a"\nallow = "data.a.allow"\n}')).toEqual(['rego_policy "a" must set findings when package is omitted']);
    expect(await fault('rego_policy {\npath = "a"\npackage = "p"\n}\nrego_policy {\npath = "b"\nallow = "data.a.allow"\nfindings = "data.a.findings"\n}')).toEqual([]);
  });

  test('[bach-quality-rego] a package gives the queries that are not set', () => {
    const body = 'rego_policy {\npath = "a"\npackage = "p.q"\nfindings = "data.own"\n}';
    expect(decoded(quality(body)).qualities.get('shell/test')?.regoPolicies).toEqual([
      { path: 'a', package: 'p.q', allow: 'data.p.q.allow', findings: 'data.own' },
    ]);
  });
});
