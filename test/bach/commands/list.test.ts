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
        { name: 'group/ci', type: 'group', description: '', cost: '', risks: [] },
        { name: 'shell/a-target-with-a-very-long-name', type: 'shell', description: 'first\n second', cost: '', risks: [] },
        { name: 'shell/test', type: 'shell', description: 'Run the tests', cost: '', risks: [] },
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
    ['--var', 'x=1', '--var: override provided for undeclared variable "x"\nBachfile declares no var\n', 1],
    ['--profile', 'x', '--profile: unknown profile "x"\nBachfile declares no profile\n', 1],
  ])('%s %s is refused', async (flag, value, message, code) => {
    const { exit, stdout, stderr } = await bachProject('').bach(['list', flag, value]);
    expect({ exit, stdout }).toEqual({ exit: code, stdout: '' });
    expect(stderr).toContain(message);
  });
});

const RICH = `
shell "deploy" {
  description = "Deploy it"
  cost = "high"
  remote = true
  requires_confirmation = true
}
shell "lint" { cost = "low" }
pipeline "release" {
  description = "All of it"
  steps = [shell.lint, shell.deploy]
}
group "both" { targets = [pipeline.release] }
alias "ship" {
  target = pipeline.release
  deprecated = "Use pipeline.release."
}
alias "check" { target = shell.lint }
policy "merge" {
  subject = "agent.checkout"
  required_targets = [shell.deploy, shell.lint]
}
policy "by_agents" { required_targets = [shell.lint] }
`;

describe('bach list with more', () => {
  test('-v: a table of cost, inherited risks and description', async () => {
    const { exit, stdout, stderr } = await bachProject(RICH).bach(['list', '-v']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'TARGET           COST    RISKS                                      DESCRIPTION',
      'group/both       -       remote,requires_confirmation',
      'pipeline/release -       remote,requires_confirmation               All of it',
      'shell/deploy     high    remote,requires_confirmation               Deploy it',
      'shell/lint       low     -',
      '',
    ]);
  });

  test('the name column of the table is never narrower than its head', async () => {
    const { stdout } = await bachProject('').bach(['-v', 'list']);
    expect(stdout).toBe('TARGET COST    RISKS                                      DESCRIPTION\n');
  });

  test.each(['-a', '--aliases'])('%s: aliases behind the targets, sorted, with what to use instead', async (flag) => {
    const { stdout, stderr } = await bachProject(RICH).bach(['list', flag]);
    expect(stderr).toBe('');
    expect(stdout.split('\n').slice(-4)).toEqual([
      'shell/lint',
      'check -> shell/lint',
      'ship -> pipeline/release  Use pipeline.release.',
      '',
    ]);
  });

  test('--generated: policies with a subject stand among the targets', async () => {
    const project = bachProject(RICH);
    const { stdout } = await project.bach(['list', '--generated']);
    expect(stdout.split('\n')).toEqual([
      'group/both',
      'pipeline/release         All of it',
      'policy.merge@agent.checkout policy fan-out for agent.checkout requiring shell/deploy, shell/lint',
      'shell/deploy             Deploy it',
      'shell/lint',
      '',
    ]);
    expect((await project.bach(['list'])).stdout).not.toContain('policy');
  });

  test('all of it as a document', async () => {
    const { stdout } = await bachProject(RICH).bach(['list', '--json', '-a', '--generated']);
    const { targets, aliases } = JSON.parse(stdout) as { targets: readonly { name: string; risks: readonly string[] }[]; aliases: unknown };
    expect(targets.map(({ name }) => name)).toEqual(['group/both', 'pipeline/release', 'policy.merge@agent.checkout', 'shell/deploy', 'shell/lint']);
    expect(targets[2]).toEqual({
      name: 'policy.merge@agent.checkout',
      type: 'policy',
      description: 'policy fan-out for agent.checkout requiring shell/deploy, shell/lint',
      cost: '',
      risks: ['remote', 'requires_confirmation'],
      generated: true,
    });
    expect(aliases).toEqual([
      { name: 'check', target: 'shell/lint', deprecated: '' },
      { name: 'ship', target: 'pipeline/release', deprecated: 'Use pipeline.release.' },
    ]);
  });

  test('graph plugins run before: what they add is inherited too', async () => {
    const project = bachProject(`
plugin "g" { command = ["cat", "graph.json"] }
shell "far" { remote = true }
shell "near" {}
`);
    project.write('graph.json', JSON.stringify({ targets: { 'shell.near': { depends_on: ['shell.far'], inputs: [] } } }));
    const { stdout, stderr } = await project.bach(['list', '--json']);
    expect(stderr).toBe('');
    const { targets } = JSON.parse(stdout) as { targets: readonly { name: string; risks: readonly string[] }[] };
    expect(targets.map(({ name, risks }) => [name, risks])).toEqual([['shell/far', ['remote']], ['shell/near', ['remote']]]);
  });

  test('a plugin that fails is told, and nothing is listed', async () => {
    const { exit, stdout, stderr } = await bachProject('plugin "g" { shell = "echo broken >&2; exit 3" }\nshell "x" {}\n').bach(['list']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^plugin "g" failed: exit status 3\nbroken\n/);
  });
});
