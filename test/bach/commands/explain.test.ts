import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

const FILE = `
resource "deps" {}
input "file" "src" { srcs = ["src"] }
shell "install" { produces = [resource.deps] }
shell "build" {
  description = "Build it"
  inputs  = [input.file.src, resource.deps]
  outputs = { app = "dist/app" }
  command = ["touch", "ran"]
}
alias "old-build" {
  target = shell.build
  deprecated = "Use shell.build."
}
alias "quick" { target = shell.build }
policy "merge" {
  subject           = "agent.checkout"
  subject_workspace = "w"
  required_targets  = [shell.build]
}
`;

describe('bach explain', () => {
  test('prints what is declared, with the producers of its inputs as dependencies, and runs nothing', async () => {
    const project = bachProject(FILE);
    const { exit, stdout, stderr } = await project.bach(['explain', 'shell.build']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'Target: shell/build',
      'Description: Build it',
      'Depends on:',
      '  - shell/install',
      'Inputs:',
      '  - file/src',
      '  - resource/deps',
      'Outputs:',
      '  - dist/app',
      'Produces: -',
      'Required tools: -',
      'Preflights: -',
      '',
    ]);
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });

  test.each([
    ['old-build', 'alias "old-build" resolves to "shell/build". Use shell.build.\n'],
    ['quick', 'alias "quick" resolves to "shell/build". Use shell/build.\n'],
  ])('through alias %s: the notice stands on standard error', async (name, notice) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['explain', name]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: notice });
    expect(stdout).toMatch(new RegExp(`^Alias: ${name}\nCanonical target: shell/build\n`));
  });

  test('a generated policy node', async () => {
    const { stdout } = await bachProject(FILE).bach(['explain', 'policy.merge@agent.checkout']);
    expect(stdout).toBe(
      'policy.merge@agent.checkout\n  generated: true\n  subject: agent.checkout\n  subject_workspace: w\n  required_targets: shell/build\n',
    );
  });

  test('one document', async () => {
    const { stdout, stderr } = await bachProject(FILE).bach(['explain', '--json', 'quick']);
    expect(stderr).toContain('resolves to');
    expect(JSON.parse(stdout)).toMatchObject({
      alias: { name: 'quick', target: 'shell/build', deprecated: '' },
      name: 'shell/build',
      depends_on: ['shell/install'],
      outputs: [{ name: 'app', path: 'dist/app' }],
    });
  });

  test.each([
    ['shell/biuld', 'unknown target "shell/biuld"; did you mean "shell/build"?'],
    ['build', 'unknown target "build"; did you mean "shell/build"?'],
    ['policy.merge', 'unknown target "policy.merge"'],
  ])('%s is unknown', async (name, message) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['explain', name]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toBe(`${message}\n"bach list" shows the targets of this project\n`);
  });

  test.each([[['explain']], [['explain', 'a', 'b']]])('%j is wrong use', async (argv) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('usage: bach explain <target>\n');
  });
});
