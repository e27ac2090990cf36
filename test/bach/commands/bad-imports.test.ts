import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';

const TARGET = 'shell "x" {\n  command = ["true"]\n}\n';
const MEGABYTES = 2 ** 20;

/** What stands at `x.bach`, and the first line of what is said about it. */
const FAULTY: readonly (readonly [name: string, arrange: (project: BachProject) => void, says: RegExp])[] = [
  ['nothing', () => {}, /^Bachfile:3:1: import "x\.bach": .*x\.bach.*no such file/],
  ['a folder', (project) => mkdirSync(project.at('x.bach')), /^Bachfile:3:1: import "x\.bach": .*directory/],
  ['a FIFO', (project) => void execFileSync('mkfifo', [project.at('x.bach')]), /^Bachfile:3:1: import "x\.bach": .*is a pipe, a socket or a device/],
  ['a link to itself', (project) => symlinkSync('x.bach', project.at('x.bach')), /^Bachfile:3:1: import "x\.bach": .*link/],
  ['two links to each other', (project) => { symlinkSync('y', project.at('x.bach')); symlinkSync('x.bach', project.at('y')); }, /^Bachfile:3:1: import "x\.bach": .*link/],
  ['a file without end', (project) => symlinkSync('/dev/zero', project.at('x.bach')), /^Bachfile:3:1: import "x\.bach": .*is a pipe, a socket or a device/],
  ['a file of 65 MB', (project) => { project.write('x.bach', ''); truncateSync(project.at('x.bach'), 65 * MEGABYTES); }, /^Bachfile:3:1: import "x\.bach": .*(large|bytes|MiB)/],
  ['2 MB of zeroes', (project) => { project.write('x.bach', ''); truncateSync(project.at('x.bach'), 2 * MEGABYTES); }, /^x\.bach:1:1: parse x\.bach: /],
  ['bytes that are no UTF-8', (project) => project.write('x.bach', Buffer.from([0x23, 0x0a, 0x23, 0x20, 0xc3, 0x28, 0x0a])), /^x\.bach:2:3: parse x\.bach: .*UTF-8/],
  ['a fault behind CRLF', (project) => project.write('x.bach', '# one\r\n\r\n  shel "x" {}\r\n'), /^x\.bach:3:3: decode x\.bach: Unsupported block type/],
  ['a fault behind a byte order mark', (project) => project.write('x.bach', '\uFEFFshel "x" {}\n'), /^x\.bach:1:1: decode x\.bach: Unsupported block type/],
  ['a byte order mark inside', (project) => project.write('x.bach', '# one\n\uFEFFshell "x" {}\n'), /^x\.bach:2:1: parse x\.bach: /],
];

describe('an import that leads to', () => {
  test.each(FAULTY)('%s is refused by every verb, at its place', async (_, arrange, says) => {
    const project = bachProject('');
    project.write('Bachfile', 'project "p" {}\n\nimport "x.bach"\n');
    arrange(project);
    const { exit, stdout, stderr } = await project.bach(['validate']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
    expect(stdout.split('\n')[0]).toMatch(says);
    const listed = await project.bach(['list']);
    expect({ exit: listed.exit, stdout: listed.stdout, first: listed.stderr.split('\n')[0] }).toEqual({ exit: 1, stdout: '', first: stdout.split('\n')[0] });
  });

  test.each([
    ['nothing', () => {}, 'cannot read lib/x.bach: no such file or directory'],
    ['a folder', (project: BachProject) => void mkdirSync(project.at('lib/x.bach')), 'cannot read lib/x.bach: it is a directory'],
    ['a FIFO', (project: BachProject) => void execFileSync('mkfifo', [project.at('lib/x.bach')]), 'lib/x.bach is a pipe, a socket or a device'],
  ])('%s is told by its clean path from the root', async (_, arrange, says) => {
    const project = bachProject('import "lib/sub/one.bach"\n');
    project.write('lib/sub/one.bach', 'import "../sub/.././x.bach"\n');
    arrange(project);
    const { stdout } = await project.bach(['validate']);
    expect(stdout).toBe(`lib/sub/one.bach:1:1: import "../sub/.././x.bach": ${says}\n`);
  });

  test.each([
    ['a byte order mark', `\uFEFF${TARGET}`],
    ['CRLF line ends', TARGET.replaceAll('\n', '\r\n')],
    ['no line end', TARGET.trimEnd()],
    ['nothing but a comment and a target behind it', `/* import "gone" */ ${TARGET}`],
  ])('a file with %s is one like others', async (_, content) => {
    const project = bachProject('import "x.bach"\n');
    project.write('x.bach', content);
    expect(await project.bach(['list'])).toEqual({ exit: 0, stdout: 'shell/x\n', stderr: '' });
  });
});

describe('inputs that lead nowhere good', () => {
  test('a circle of links is neither followed nor a fault', async () => {
    const project = bachProject('shell "x" {\n  inputs = ["src", "src/**/*.ts"]\n  shell = "true"\n}\n');
    project.write('src/a.ts', '');
    symlinkSync('..', project.at('src/up'));
    symlinkSync('round', project.at('src/round'));
    expect(await project.bach(['validate'])).toMatchObject({ exit: 0, stderr: '' });
    expect((await project.bach(['run', 'shell/x'])).exit).toBe(0);
  });

  test.each(['../outside', 'a/../../b', '..'])('%s leaves the root by its text: refused where it stands', async (path) => {
    const { exit, stdout } = await bachProject(`shell "x" { inputs = ["in", "${path}"] }\n`).bach(['validate']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: `Bachfile:2:29: target "shell/x" inputs: "${path}" must stay under the project root\n` });
  });
});
