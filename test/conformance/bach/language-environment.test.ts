import { describe, expect, test } from 'vitest';
import { linesOf } from './support.ts';
import { planned, projectOf, told } from './told.ts';

describe('profiles', () => {
  const text = `env {
  NAMESPACE = "project"
  HOST      = "project"
  STAGE     = "project"
}
profile "staging" {
  env {
    NAMESPACE = "staging"
    HOST      = "staging"
  }
}
profile "mine" {
  env { NAMESPACE = "mine" }
}
shell "render" { command = ["echo", "$NAMESPACE $HOST $STAGE"] }
`;
  const printed = async (...flags: readonly string[]) => linesOf((await projectOf(text).bach([...flags, 'run', 'shell/render'])).stdout)[1];

  test('[bach-profile] none, one, two, and in the other order', async () => {
    expect(await printed()).toBe('[shell/render] project project project');
    expect(await printed('--profile', 'staging')).toBe('[shell/render] staging staging project');
    expect(await printed('--profile', 'staging', '--profile', 'mine')).toBe('[shell/render] mine staging project');
    expect(await printed('--profile', 'mine', '--profile', 'staging')).toBe('[shell/render] staging staging project');
  });

  test('[bach-profile-duplicate] a name that is taken', async () => {
    expect(await told('profile "p" {}\n«profile "p"» {}\n')).toEqual(['duplicate profile "p"']);
  });

  test('[bach-profile-unknown] one that no block declares', async () => {
    const { exit, stdout, stderr } = await projectOf(text).bach(['--profile', 'stagin', 'run', 'shell/render']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('unknown profile "stagin"; did you mean "staging"?');
  });

  test('[bach-profile-only-env] nothing else stands in a profile', async () => {
    expect(await told('profile "p" {\n  «NAMESPACE» = "x"\n}\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] .*Unsupported argument/)]);
  });

  test('[bach-profile-unselected] one that is not selected is not evaluated', async () => {
    const other = 'profile "p" {\n  env { A = «missing» }\n}\n';
    expect(await told(other.replace('«missing»', 'missing'))).toEqual([]);
    expect(await told(other, { flags: ['--profile', 'p'] })).toEqual([expect.stringMatching(/^\[hcl-decode-error\] /)]);
  });
});

describe('the environment of a target', () => {
  test('[bach-env-sorted] in the order of its keys', async () => {
    const text = 'shell "a" {\n  env {\n    B = "2"\n    C = "3"\n    A = "1"\n  }\n  env = ["AB=4"]\n  command = ["true"]\n}\n';
    expect(await planned(text, 'shell/a')).toMatchObject({ env: ['A=1', 'AB=4', 'B=2', 'C=3'] });
    expect(await planned(text.replace('  env = ["AB=4"]\n', ''), 'shell/a')).toMatchObject({ env: ['A=1', 'B=2', 'C=3'] });
  });

  test.each(['"A"', '"=x"'])('[bach-target-env-list-form] %s is no entry', async (entry) => {
    expect(await told(`shell "a" { env = «[${entry}]» }\n`)).toEqual([`env entry ${entry}: expected KEY=value`]);
  });

  test('[bach-target-env-duplicate] a key stands once', async () => {
    expect(await told('shell "a" {\n  env {\n    A = "1"\n  }\n  env {\n    «A» = "2"\n  }\n}\n')).toEqual(['duplicate env "A"']);
  });

  test('[bach-target-env-unresolved] a circle', async () => {
    expect(await told('shell "a" {\n  env {\n    A = «B»\n    B = «A»\n  }\n}\n')).toEqual(['env "A" could not be resolved', 'env "B" could not be resolved']);
  });
});

describe('variables', () => {
  test('[bach-var-repeated] --var for several of them', async () => {
    const project = projectOf('var a {}\nvar b {}\nshell "x" { description = "<${var.a}|${var.b}>" }\n');
    expect((await project.bach(['--var', 'a=1', '--var', 'b=x=y', 'list'])).stdout).toContain('<1|x=y>');
    expect((await project.bach(['--var', 'a=1', '--var', 'a=2', 'list'])).stdout).toContain('<2|>');
  });

  test('[bach-var-empty-override] an empty value is a value', async () => {
    const project = projectOf('var a { default = "d" }\nshell "x" { description = "<${var.a}>" }\n');
    expect((await project.bach(['--var', 'a=', 'list'])).stdout).toContain('<>');
    expect((await project.bach(['list'], { env: { BACH_VAR_a: '' } })).stdout).toContain('<>');
  });

  test('[bach-var-undefined] a variable that no block declares', async () => {
    expect(await told('var a {}\nshell "x" { description = var.«b» }\n')).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: .*"b"/)]);
  });
});
