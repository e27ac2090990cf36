import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import type { CliResult } from '../../support/cli.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';

const PROJECT = 'project "test" {}\n';
const TARGET = 'shell "x" {\n  command = ["true"]\n}\n';
const DEEP = 10_000;
const INVALID_UTF8 = Buffer.from([...Buffer.from(`${PROJECT}# `), 0xc3, 0x28, 0x0a]);

interface Case {
  readonly name: string;
  readonly arrange: (project: BachProject) => void;
  /** What the message must hold: the place, and words that tell what is wrong. */
  readonly says: readonly (RegExp | string)[];
}

function text(name: string, content: string | Uint8Array, ...says: Case['says']): Case {
  return { name, arrange: (project) => project.write('Bachfile', content), says };
}

/** Something else stands where the Bachfile should. */
function instead(name: string, arrange: Case['arrange'], ...says: Case['says']): Case {
  const replace: Case['arrange'] = (project) => {
    rmSync(project.at('Bachfile'));
    arrange(project);
  };
  return { name, arrange: replace, says };
}

/** Faults of the text: `validate` tells them as its answer. */
const TEXTS: readonly Case[] = [
  text('garbage', `${PROJECT}]]>> ;; =`, /^Bachfile:2:1: parse Bachfile: /m),
  text('a NUL byte', `${PROJECT}\0\n`, /^Bachfile:2:1: parse Bachfile: /m),
  text('a NUL byte in a name', `${PROJECT}shell "x\0" {}\n`, /^Bachfile:2:7: .*control character/m),
  text('invalid UTF-8', INVALID_UTF8, /^Bachfile:2:\d+: parse Bachfile: /m, /UTF-8/),
  text('a block that is not closed', `${PROJECT}shell "x" {\n  command = ["true"]\n`, /^Bachfile:\d+:\d+: parse Bachfile: /m, /[Uu]nclosed|closing/),
  text('brackets nested 10,000 deep', `${PROJECT}var "x" {\n  default = ${'['.repeat(DEEP)}${']'.repeat(DEEP)}\n}\n`, /^Bachfile:3:\d+: parse Bachfile: /m, /deep|nest/),
  text('blocks nested 10,000 deep', `${PROJECT}${'b {\n'.repeat(DEEP)}${'}\n'.repeat(DEEP)}`, /^Bachfile:\d+:\d+: /m, /deep|nest/),
  text('no project block', TARGET, /^Bachfile:1:1: /m, /project/),
  text('an unknown attribute', `${PROJECT}shell "x" {\n  comand = ["true"]\n}\n`, /^Bachfile:3:3: /m, 'did you mean "command"?'),
  text('an unknown block', `${PROJECT}shel "x" {}\n`, /^Bachfile:2:1: /m, 'did you mean "shell"?'),
  text('a target twice', PROJECT + TARGET + TARGET, /^Bachfile:5:\d+: /m, /shell[./]x/),
  text('a circle of composites', `${PROJECT}group "a" {\n  targets = [pipeline.b]\n}\npipeline "b" {\n  steps = [group.a]\n}\n`, /^Bachfile:2:1: composite target cycle includes "group\/a"$/m),
  text('a reference to no target', `${PROJECT}shell "x" {\n  depends_on = [shell.gone]\n}\n`, /^Bachfile:3:17: /m, /shell[./]gone/),
];

/** Nothing that could be read as text: every verb refuses. */
const FILES: readonly Case[] = [
  instead('a folder', (project) => mkdirSync(project.at('Bachfile')), 'Bachfile', 'it is a directory'),
  instead('a FIFO', (project) => void execFileSync('mkfifo', [project.at('Bachfile')]), 'Bachfile', /regular file/),
  instead('nothing', () => {}, /^Bachfile: no such file\n.*--file/m),
  instead('a link to itself', (project) => symlinkSync('Bachfile', project.at('Bachfile')), 'Bachfile', /link/),
  instead('a link to nothing', (project) => symlinkSync('gone', project.at('Bachfile')), /^Bachfile: no such file\n.*--file/m),
];

const VERBS = [['validate'], ['list'], ['run', 'shell/x']] as const;
const CALLS = VERBS.flatMap((verb) => [[...verb], [...verb, '--json']]);

/** Every file and folder with what it holds and when it was changed. */
function look(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return ['.', ...names].map((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { bigint: true });
    return `${name} ${stats.mode} ${stats.mtimeNs} ${holds(path)}`;
  });
}

function holds(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return readlinkSync(path);
  // What nobody may read was made so for the test, and its change time stands beside it.
  return stats.isFile() && (stats.mode & 0o400) !== 0 ? readFileSync(path, 'base64') : '';
}

/** How the answer of a refused call looks, whatever was wrong. */
function expectRefusal(argv: readonly string[], result: CliResult, { isText, says }: { isText: boolean; says: Case['says'] }): void {
  const { exit, stdout, stderr } = result;
  expect(`${stdout}\n${stderr}`).not.toMatch(/^ {4}at /m);
  if (argv[0] === 'run' && argv.includes('--json')) {
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('--json is only supported with --dry-run\n');
    return;
  }
  const message = argv[0] === 'validate' && isText ? validateMessage(argv, result) : refusedMessage(result);
  for (const words of says) expect(message).toMatch(words);
  expect(exit).toBe(1);
}

/** `validate` answers with the faults, as lines or as one document. */
function validateMessage(argv: readonly string[], { stdout, stderr }: CliResult): string {
  expect(stderr).toBe('Bachfile validation failed\n');
  if (!argv.includes('--json')) return stdout;
  const document = JSON.parse(stdout) as { valid: boolean; diagnostics: { file: string; range: { start: { line: number; column: number } }; message: string }[] };
  expect(document.valid).toBe(false);
  return document.diagnostics.map(({ file, range: { start }, message }) => `${file}:${start.line}:${start.column}: ${message}`).join('\n');
}

/** The others say what is wrong and, in the last line, what to do about it. */
function refusedMessage({ stdout, stderr }: CliResult): string {
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n').length).toBeGreaterThan(1);
  return stderr;
}

async function refuses(argv: readonly string[], { arrange, says }: Case, isText: boolean): Promise<void> {
  const project = bachProject('');
  project.write('src/kept.txt', 'kept');
  arrange(project);
  const before = look(project.folder);
  expectRefusal(argv, await project.bach(argv), { isText, says });
  expect(look(project.folder)).toEqual(before);
}

describe.each(CALLS.map((argv) => [argv.join(' '), argv] as const))('bach %s', (_, argv) => {
  test.each(TEXTS.map((row) => [row.name, row] as const))('refuses a Bachfile with %s', (_name, row) => refuses(argv, row, true));

  test.each(FILES.map((row) => [row.name, row] as const))('refuses %s for a Bachfile', (_name, row) => refuses(argv, row, false));
});

describe('a Bachfile that the user may not read', () => {
  test.each(CALLS.map((argv) => [argv.join(' '), argv] as const))('is refused by bach %s', async (_, argv) => {
    // Loads the verb: the ordinary user may have no right to read it here.
    await bachProject(TARGET).bach(argv);
    const project = bachProject(TARGET);
    chmodSync(project.folder, 0o755);
    chmodSync(project.at('Bachfile'), 0o000);
    const before = look(project.folder);
    const result = await asOrdinaryUser(() => project.bach(argv));
    expectRefusal(argv, result, { isText: false, says: ['Bachfile', /permission/] });
    expect(look(project.folder)).toEqual(before);
  });
});

describe('a Bachfile that is odd and right', () => {
  const MEGABYTES = 16 * 2 ** 20;
  const LINE = '# a comment of a long file, again and again\n';

  // The file of 16 MB takes some seconds a call: every byte of it goes through the lexer.
  test.each([
    ['a byte order mark', `\uFEFF${PROJECT}${TARGET}`],
    ['CRLF line ends', (PROJECT + TARGET).replaceAll('\n', '\r\n')],
    ['no line end at the end', (PROJECT + TARGET).trimEnd()],
    ['16 MB', PROJECT + TARGET + LINE.repeat(Math.ceil(MEGABYTES / LINE.length))],
  ])('%s', async (_, content) => {
    const project = bachProject('');
    project.write('Bachfile', content);
    const before = look(project.folder);
    expect(await project.bach(['validate'])).toEqual({ exit: 0, stdout: 'Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n', stderr: '' });
    expect(await project.bach(['list'])).toEqual({ exit: 0, stdout: 'shell/x\n', stderr: '' });
    expect(look(project.folder)).toEqual(before);
    expect(await project.bach(['run', 'shell/x'])).toMatchObject({ exit: 0, stderr: '' });
    expect(project.read('Bachfile') === content).toBe(true);
  });
});
