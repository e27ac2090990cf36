import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { logOf, printedBy, shell } from './support.ts';

const fails = (check: string): string => `fail_when {\n    ${check}\n  }`;
const succeeds = (check: string): string => `success_when {\n    ${check}\n  }`;

describe('completion contracts', () => {
  test('[bach-contract-order] fail_when first, each kind in declared order, up to the first that decides', async () => {
    const noted = (name: string) => `command = ["sh", "-c", "echo ${name} >> checks; ${name === 'f2' ? 'true' : 'false'}"]`;
    const project = bachProject(shell('x', 'true', succeeds(noted('s1')), fails(noted('f1')), fails(noted('f2')), fails(noted('f3'))));
    const { exit, stderr } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(1);
    expect(stderr).toContain('target "shell/x" fail_when matched: command sh -c ');
    expect(project.read('checks')).toBe('f1\nf2\n');
  });

  test('[bach-contract-file-root] a file counts from the root', async () => {
    const project = bachProject(`${shell('root', 'true', 'workdir = "sub"', succeeds('file_exists = "sub/made"'))}${shell('own', 'true', 'workdir = "sub"', succeeds('file_exists = "made"'))}`);
    project.write('sub/made', '');
    await printedBy(project, 'run', 'shell/root');
    expect((await project.bach(['run', 'shell/own'])).stderr).toContain('target "shell/own" success_when not satisfied: file_exists "made"\n');
  });

  test('[bach-contract-command-workdir] a command runs where the target does', async () => {
    const project = bachProject(shell('x', 'true', 'workdir = "sub"', succeeds('command = ["test", "-f", "made"]')));
    project.write('sub/made', '');
    await printedBy(project, 'run', 'shell/x');
  });

  test('[bach-contract-run-directory] the run directory of the target', async () => {
    const project = bachProject(shell('x', 'echo all well > $(RUN_DIRECTORY)/report', succeeds('command = ["grep", "well", "$(RUN_DIRECTORY)/report"]')));
    const stdout = await printedBy(project, 'run', 'shell/x');
    expect(logOf(project, stdout, 'shell__x')).toMatch(/\n\[contract\] grep well \/.*\/shell__x\/report\nall well\n$/);
  });

  test('[bach-contract-passes] what must not be is not, what must be is', async () => {
    const checks = [fails('file_exists = "broken"'), fails('command = ["false"]'), fails('output_contains = "ERROR"'), succeeds('file_exists = "made"'), succeeds('output_contains = "done"')];
    const project = bachProject(`${shell('x', 'touch made; echo done', ...checks)}${shell('after', 'touch after', 'depends_on = [shell.x]')}`);
    await printedBy(project, 'run', 'shell/after');
    expect(existsSync(project.at('after'))).toBe(true);
  });

  test('[bach-contract-printed-only] what a check prints is not searched', async () => {
    const project = bachProject(shell('x', 'echo a', fails('command = ["sh", "-c", "echo DONE; false"]'), succeeds('output_contains = "DONE"')));
    expect((await project.bach(['run', 'shell/x'])).stderr).toContain('success_when not satisfied: output_contains "DONE"\n');
  });
});
