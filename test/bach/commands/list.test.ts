import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

const FILE = `
shell "test" {
  description = "Run the tests"
}
shell "a-target-with-a-very-long-name" {
  description = "first\\n second"
}
group "ci" {
  targets = [shell.test]
}
`;

describe('bach list', () => {
  test('one line for each target, by name, descriptions from the 26th column', async () => {
    const project = bachProject(FILE);
    const { exit, stdout, stderr } = await project.bach(['list']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'group/ci',
      'shell/a-target-with-a-very-long-name first second',
      'shell/test               Run the tests',
      '',
    ]);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('the same as a document', async () => {
    const { stdout } = await bachProject(FILE).bach(['list', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      targets: [
        { name: 'group/ci', type: 'group', description: '', cost: '' },
        { name: 'shell/a-target-with-a-very-long-name', type: 'shell', description: 'first\n second', cost: '' },
        { name: 'shell/test', type: 'shell', description: 'Run the tests', cost: '' },
      ],
    });
  });

  test('a project without targets lists nothing', async () => {
    expect(await bachProject('').bach(['list'])).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test('a faulty file is refused with every place and a remedy, and nothing on standard output', async () => {
    const { exit, stdout, stderr } = await bachProject('shell {}\nshel "x" {}\n').bach(['list', '--json']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('Bachfile:2:1: decode Bachfile: Missing name for shell');
    expect(stderr).toContain('Bachfile:3:1: decode Bachfile: Unsupported block type');
    expect(stderr).toContain('did you mean "shell"?');
    expect(stderr).toContain('bach validate');
  });

  test.each([
    ['--var', 'novalue', '--var "novalue": expected name=value', 2],
    ['--var', 'x=1', 'override provided for undeclared variable "x"', 1],
  ])('%s %s is refused', async (flag, value, message, code) => {
    const { exit, stdout, stderr } = await bachProject('').bach(['list', flag, value]);
    expect({ exit, stdout }).toEqual({ exit: code, stdout: '' });
    expect(stderr).toContain(message);
  });
});
