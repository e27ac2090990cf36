import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

const FILE = 'var "region" {}\nvar "tag" {}\nprofile "staging" {}\nprofile "live" {}\nshell "x" { shell = "touch ran" }\n';

describe.each([['run', 'shell/x'], ['list'], ['runs', 'list'], ['explain', 'shell/x'], ['graph']])('bach %s %s', (...verb) => {
  test('a name that nothing declares is refused: the flag, what was meant, what there is', async () => {
    const project = bachProject(FILE);
    const words = ['--profile', 'stagng', '--var', 'regoin=1', '--profile', 'stagng', '--var', 'zzz=2'];
    const { exit, stdout, stderr } = await project.bach([...verb.filter((word) => word !== undefined), ...words]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      '--var: override provided for undeclared variable "regoin"; did you mean "region"?',
      '--var: override provided for undeclared variable "zzz"',
      '--profile: unknown profile "stagng"; did you mean "staging"?',
      'Bachfile declares var region, tag; Bachfile declares profile staging, live',
      '',
    ]);
  });
});

test('where the file cannot be read, the faults of the file are told: the name may stand in the rest', async () => {
  const { exit, stderr } = await bachProject(`${FILE}shell "y" {\n`).bach(['run', 'shell/x', '--profile', 'stagng']);
  expect(exit).toBe(1);
  expect(stderr).toMatch(/^Bachfile:7:\d+: parse/);
  expect(stderr).not.toContain('stagng');
});

test('with many only some are listed', async () => {
  const many = Array.from({ length: 5000 }, (_, at) => `var "v${at}" {}`).join('\n');
  const { stderr } = await bachProject(`${many}\n`).bach(['list', '--var', 'qqq=1']);
  expect(stderr).toContain(' v18, v19 and 4980 others\n');
});

test('bach validate tells them among what is wrong with the file, in its document', async () => {
  const project = bachProject(`${FILE}shell "y" { comand = 1 }\n`);
  const { exit, stdout, stderr } = await project.bach(['validate', '--json', '--profile', 'stagng', '--var', 'zzz=2']);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
  const { valid, diagnostics } = JSON.parse(stdout) as { valid: boolean; diagnostics: readonly { message: string; range: unknown }[] };
  const start = { line: 1, column: 1 };
  expect({ valid, diagnostics }).toMatchObject({
    valid: false,
    diagnostics: [
      { message: expect.stringContaining('comand') },
      { message: 'override provided for undeclared variable "zzz"', range: { start, end: start } },
      { message: 'unknown profile "stagng"; did you mean "staging"?', range: { start, end: start } },
    ],
  });
});
