import { describe, expect, test } from 'vitest';
import { parseBach } from '../../src/cli/bach-commands.ts';
import { parseDrover } from '../../src/cli/drover-commands.ts';
import type { Call } from '../../src/cli/call.ts';
import { perform } from '../../src/cli/perform.ts';
import { runCli } from '../support/cli.ts';
import { stubVerbs } from './fixtures/stub-verbs.ts';

const bach = (name: string, width?: number) => (argv: readonly string[]) =>
  parseBach(argv, { name, verbs: stubVerbs(), width });
const drover = (argv: readonly string[]) => parseDrover(argv, { width: undefined });

async function page(parse: (argv: readonly string[]) => Call | Promise<Call>, line: string): Promise<string> {
  const argv = line.split(' ').filter((word) => word !== '');
  const { exit, stdout, stderr } = await runCli((words, host) => perform(() => parse(words), host), argv);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout;
}

const PAGES = [
  ['', 'bach [options] [command]'],
  ['--help', 'bach [options] [command]'],
  ['-h', 'bach [options] [command]'],
  ['run --help', 'bach run [options] [targets...]'],
  ['--help run', 'bach run [options] [targets...]'],
  ['validate -h', 'bach validate [options]'],
  ['list --help', 'bach list [options]'],
  ['explain --help', 'bach explain <target>'],
  ['graph --help', 'bach graph [options]'],
  ['affected -h', 'bach affected [path ...]'],
  ['provenance -h', 'bach provenance <path> [path ...]'],
  ['artifacts --help', 'bach artifacts [options] [run-id]'],
  ['reference --help', 'bach reference [options] [query...]'],
  ['init --help', 'bach init [options]'],
  ['completion --help', 'bach completion [options] <shell>'],
  ['runs inspect --help', 'bach runs inspect [options] <run-id>'],
  ['runs prune --help', 'bach runs prune [options]'],
  ['runs', 'bach runs [options] [command]'],
  ['runs --help', 'bach runs [options] [command]'],
  ['runs list --help', 'bach runs list [options]'],
  ['logs --help', 'bach logs [options] <run-id>'],
] as const;

describe('every help page', () => {
  test.each(PAGES)('bach %s', async (line, usage) => {
    const text = await page(bach('bach'), line);
    expect(text.split('\n', 3)).toEqual([`Usage: ${usage}`, '', expect.stringMatching(/^[A-Z].{10,70}\.$/)]);
    expect(text).toMatch(/\nExample:\n {2}(source <\()?bach .+\n$/);
    expect(text).toContain('-h, --help');
    expect(text).toContain('-f, --file <path>');
    expect(text.replace(/\s+/g, ' ')).toContain('-v, --verbose show more: with list, cost and risks');
    expect(text).toContain('--version');
    expect(longest(text)).toBeLessThanOrEqual(80);
  });

  test.each(PAGES)('drover bach %s, under that name', async (line, usage) => {
    const text = await page(drover, `bach ${line}`);
    expect(text).toContain(`Usage: drover ${usage}\n`);
    expect(text).toMatch(/\nExample:\n {2}(source <\()?drover bach .+\n$/);
    expect(longest(text)).toBeLessThanOrEqual(80);
  });

  test('is narrower on a narrow terminal, and no wider on a wide one', async () => {
    expect(longest(await page(bach('bach', 60), 'run --help'))).toBeLessThanOrEqual(60);
    expect(await page(bach('bach', 200), 'run --help')).toBe(await page(bach('bach', 80), 'run --help'));
  });

  test.each([
    ['', ['run', 'validate', 'list', 'explain', 'graph', 'affected', 'provenance', 'runs', 'artifacts', 'logs', 'backend', 'reference', 'init', 'completion']],
    ['runs', ['list', 'inspect', 'prune']],
  ])('bach %s names the commands of this release and no others', async (line, expected) => {
    const commands = (await page(bach('bach'), line)).split('Commands:\n')[1]?.split('\n\n', 1)[0] ?? '';
    const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map((found) => found[1]);
    expect(names).toEqual(expected);
  });
});

const DROVER_PAGES = [
  ['config', 'drover config [options] [command]'],
  ['config --help', 'drover config [options] [command]'],
  ['config show --help', 'drover config show [options]'],
  ['--help config show', 'drover config show [options]'],
  ['doctor -h', 'drover doctor [options]'],
  ['--json doctor --help', 'drover doctor [options]'],
  ['explain --help', 'drover explain [options] [code]'],
  ['journal', 'drover journal [options] [command]'],
  ['journal check --help', 'drover journal check [options] [files...]'],
] as const;

describe('drover', () => {
  test.each(['', '--help', '-h', '--help --json', '--json --help'])('%s prints its page', async (line) => {
    const text = await page(drover, line);
    expect(text).toMatch(/^Usage: drover .+\n\n[A-Z].+\.\n/);
    expect(text).toMatch(/\nExample:\n {2}drover .+\n$/);
    expect(longest(text)).toBeLessThanOrEqual(80);
  });

  test('its page names its commands, and each has a page of its own', async () => {
    const commands = (await page(drover, '')).split('Commands:\n')[1]?.split('\n\n', 1)[0] ?? '';
    const names = [...commands.matchAll(/^ {2}(\w+)/gm)].map((found) => found[1]);
    expect(names).toEqual(['config', 'doctor', 'explain', 'journal', 'selftest']);
    for (const name of names) expect(await page(drover, `${name} --help`)).toContain(`Usage: drover ${name} `);
  });

  test.each(['config --json', '--json journal', 'selftest --json', 'bach runs --json'])('%s asks for a document, and a page is none', async (line) => {
    const { exit, stdout, stderr } = await runCli((words, host) => perform(() => drover(words), host), line.split(' '));
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^no command is named\nsee drover .+ --help\n$/);
  });

  test.each(DROVER_PAGES)('%s', async (line, usage) => {
    const text = await page(drover, line);
    expect(text.split('\n', 3)).toEqual([`Usage: ${usage}`, '', expect.stringMatching(/^[A-Z].{10,70}\.$/)]);
    expect(text).toMatch(/\nExample:\n {2}drover .+\n$/);
    expect(text).toContain('--json');
    expect(text).not.toContain('look-at-lock');
    expect(longest(text)).toBeLessThanOrEqual(80);
  });

  test.each([
    ['--version', 'drover dev\n'],
    ['bach --version', 'bach dev\n'],
  ])('%s', async (line, expected) => {
    expect(await page(drover, line)).toBe(expected);
  });

  test.each([
    ['loop', 'unknown command "loop"', 'see drover --help'],
    ['bahc list', 'unknown command "bahc"; did you mean "bach"?', 'see drover --help'],
    ['--verison', 'unknown option "--verison"; did you mean "--version"?', 'see drover --help'],
    ['dcotor --json', 'unknown command "dcotor"; did you mean "doctor"?', 'see drover --help'],
    ['--json', 'no command is named', 'see drover --help'],
    ['config shwo', 'unknown command "shwo"; did you mean "show"?', 'see drover config --help'],
    ['config show --orign', 'unknown option "--orign"; did you mean "--origin"?', 'see drover config show --help'],
    ['explain a b', 'drover explain: expected 1 argument, got "a" "b"', 'usage: drover explain [options] [code]'],
    ['doctor --profile', 'unknown option "--profile"', 'see drover doctor --help'],
    ['journal graph', 'unknown command "graph"', 'see drover journal --help'],
    ['bach a/b', 'unknown command "a/b"', 'to run a target: drover bach run a/b; see drover bach --help'],
  ])('%s is refused', async (line, ...told) => {
    const { exit, stdout, stderr } = await runCli((words, host) => perform(() => drover(words), host), line.split(' '));
    expect({ exit, stdout, stderr }).toEqual({ exit: 2, stdout: '', stderr: `${told.join('\n')}\n` });
  });
});

describe('on a narrow terminal', () => {
  const BACH = PAGES.map(([line]) => `bach ${line}`.trim());
  const all = ['', '--help', ...BACH, ...DROVER_PAGES.map(([line]) => line), 'selftest crash --help', 'selftest'];

  test.each([10, 20, 40].flatMap((width) => all.map((line) => [width, line] as const)))('of %i columns, drover %s is wrapped between words', async (width, line) => {
    const narrow = await page((argv) => parseDrover(argv, { width }), line);
    const wide = await page(drover, line);
    const words = (text: string): readonly string[] => text.split(/\s+/);
    expect(words(narrow)).toEqual(words(wide));
    const tooLong = narrow.split('\n').filter((row) => row.length > width && words(row.trim()).length > 1);
    expect(tooLong).toEqual([]);
  });

  test('a description stands below its term, further in', async () => {
    const text = await page((argv) => parseDrover(argv, { width: 30 }), 'doctor --help');
    expect(text).toContain('\n  --notify\n      send a test notice on\n      each channel that is\n      configured\n');
  });

  test('that says it has no columns, a page is as everywhere', async () => {
    expect(await page((argv) => parseDrover(argv, { width: 0 }), 'bach run --help')).toBe(await page(drover, 'bach run --help'));
  });
});

function longest(text: string): number {
  return Math.max(...text.split('\n').map((row) => row.length));
}
