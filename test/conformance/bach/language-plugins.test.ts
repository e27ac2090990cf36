import { describe, expect, test } from 'vitest';
import { planned, projectOf, told } from './told.ts';

const plugin = (body: string) => `plugin "p" {\n${body}\n}\n`;

describe('what a plugin says', () => {
  test('[bach-plugin-fields] of type graph, which is the default', async () => {
    const body = '  command = ["true"]\n  workdir = "x"\n  inputs = ["Bachfile"]\n  sources = { one = ["a"] }\n  env = ["A=1"]';
    expect(await told(plugin(body))).toEqual([]);
    expect(await told(plugin(`  type = "graph"\n${body}`))).toEqual([]);
    expect(await told(plugin('  shell = "true"'))).toEqual([]);
  });

  test('[bach-plugin-fields] of type quality', async () => {
    expect(await told(plugin('  type = "quality"\n  command = ["true"]\n  timeout = "10s"\n  env = ["MODE=strict"]\n  workdir = "x"'))).toEqual([]);
  });

  test('[bach-plugin-type] another type', async () => {
    expect(await told(plugin('  type = «"grpah"»'))).toEqual([expect.stringMatching(/^plugin "p" has unsupported type "grpah"/)]);
  });

  test.each([
    ['  «timeout» = "10s"', 'graph plugins do not support timeout'],
    ['  type = "quality"\n  command = ["true"]\n  «sources» = {}', 'quality plugins do not support sources'],
    ['  type = "quality"\n  command = ["true"]\n  «inputs» = []', 'quality plugins do not support inputs'],
  ])('[bach-plugin-refused] %j', async (body, message) => {
    expect(await told(plugin(body))).toEqual([`plugin "p" ${message}`]);
  });

  test('[bach-plugin-both] command and shell', async () => {
    expect(await told(plugin('  command = ["true"]\n  «shell» = "true"'))).toEqual(['plugin "p" must use command or shell, not both']);
  });

  test('[bach-plugin-quality-command] a quality plugin without either', async () => {
    expect(await told('«plugin "p"» { type = "quality" }\n')).toEqual([expect.stringMatching(/^plugin "p" must set command or shell/)]);
  });

  test.each([
    ['«"soon"»', 'timeout "soon" is invalid: want a duration such as 30s, 5m or 1h'],
    ['«"0s"»', 'timeout must be greater than zero'],
  ])('[bach-plugin-timeout] timeout = %s', async (timeout, message) => {
    expect(await told(plugin(`  type = "quality"\n  command = ["true"]\n  timeout = ${timeout}`))).toEqual([`plugin "p" ${message}`]);
  });

  test.each(['«["a"]»', '«{ one = "a" }»', '«{ one = [["a"]] }»'])('[bach-plugin-sources] sources = %s', async (sources) => {
    expect(await told(plugin(`  sources = ${sources}`))).toEqual([expect.stringMatching(/^plugin "p" sources .*must be (an object of lists|a list of strings)$/)]);
  });

  test('[bach-plugin-duplicate] a name that is taken', async () => {
    expect(await told('plugin "p" {}\n«plugin "p"» {}\n')).toEqual(['duplicate plugin "p"']);
  });
});

describe('what a graph plugin emits', () => {
  const targets = 'shell "test" { inputs = ["own.txt", plugin.p.s] }\nshell "gen" {}\n';
  const withDocument = (document: unknown) => ({ files: { 'emitted.json': typeof document === 'string' ? document : JSON.stringify(document) } });
  const text = `plugin "p" {\n  command = ["cat", "emitted.json"]\n  sources = { s = ["a"] }\n}\n${targets}`;

  test('[bach-plugin-merge] inputs and targets are merged', async () => {
    const more = withDocument({ inputs: { s: ['src/a.ts'] }, targets: { 'shell.test': { depends_on: ['shell.gen'], inputs: ['made.ts'] } } });
    expect(await planned(text, 'shell/test', more)).toMatchObject({ depends_on: ['shell/gen'], inputs: ['own.txt', 'plugin/p/s', 'made.ts'] });
    for (const path of ['src/a.ts', 'made.ts']) expect((await projectOf(text, more.files).bach(['affected', path])).stdout).toMatch(/^shell\/test\b/);
  });

  test.each(['', ' \n', '{}', '{"inputs": {}, "targets": {}}'])('[bach-plugin-idle] %j adds nothing', async (document) => {
    expect(await planned(text, 'shell/test', withDocument(document))).not.toHaveProperty('depends_on');
  });

  test('[bach-plugin-idle] nor does a plugin without command', async () => {
    expect(await planned(`plugin "p" { sources = { s = ["a"] } }\n${targets}`, 'shell/test')).not.toHaveProperty('depends_on');
  });

  test.each([
    [{ targets: { 'shell.gone-away': {} } }, 'plugin "p" referenced missing target "shell/gone-away"'],
    [{ targets: { 'shell.test': { depends_on: ['shell.gone-away'] } } }, 'plugin "p" referenced missing target "shell/gone-away"'],
  ])('[bach-plugin-missing-target] %j', async (document, message) => {
    const { exit, stdout, stderr } = await projectOf(text, withDocument(document).files).bach(['list']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^Bachfile:2:1: ${message}`, 'm'));
  });

  test.each([
    [{ targets: { test: {} } }, 'plugin "p" target "test": invalid target reference "test": use type.name, for example shell.test'],
    [
      { targets: { 'shell.test': { depends_on: ['shell/gen'] } } },
      'plugin "p" target "shell.test" depends_on: obsolete target reference "shell/gen": use type.name, for example shell.gen',
    ],
  ])('[bach-plugin-emitted-names] %j', async (document, message) => {
    const { exit, stderr } = await projectOf(text, withDocument(document).files).bach(['list']);
    expect(exit).toBe(1);
    expect(stderr).toContain(message);
  });
});
