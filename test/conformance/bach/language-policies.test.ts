import { describe, expect, test } from 'vitest';
import { projectOf, told } from './told.ts';

const BEFORE = `provider "p" {
  type    = "agent"
  command = ["run"]
}
agent "coder" {
  provider = provider.p
  plan     = "plan.md"
}
agent "judge" {
  mode     = "review"
  provider = provider.p
}
shell "test" {}
group "gate" { targets = [shell.test] }
`;

const policy = (body: string) => `${BEFORE}policy "merge" {\n${body}\n}\n`;

describe('policies', () => {
  test('[bach-policy-references] traversals and texts', async () => {
    const forms = (quote: string) => `subject = ${quote}agent.coder${quote}\nreviewers = [${quote}agent.judge${quote}]\nrequired_targets = [${quote}group.gate${quote}]`;
    expect(await told(policy(forms('')))).toEqual([]);
    expect(await told(policy(forms('"')))).toEqual([]);
  });

  test.each([
    ['required_targets = [«"shell/test"»]', 'required_targets: obsolete target reference "shell/test": use type.name, for example shell.test'],
    ['reviewers = [«"agent/judge"»]', 'reviewers: obsolete target reference "agent/judge": use type.name, for example agent.judge'],
    ['subject = «"agent/coder"»\nrequired_targets = [shell.test]', 'subject: obsolete target reference "agent/coder": use type.name, for example agent.coder'],
  ])('[bach-policy-references] %j', async (body, message) => {
    expect(await told(policy(body))).toEqual([`[obsolete-target-reference] policy "merge" ${message}`]);
  });

  test('[bach-policy-subject-required-targets] a subject wants them', async () => {
    const message = 'policy "merge" required_targets must not be empty';
    expect(await told(policy('subject = agent.coder\nrequired_targets = «[]»'))).toEqual([message]);
    expect(await told(`${BEFORE}«policy "merge"» { subject = agent.coder }\n`)).toEqual([message]);
    expect(await told(policy(''))).toEqual([]);
  });

  test('[bach-policy-required-target] one that does not exist', async () => {
    expect(await told(policy('required_targets = [shell.test, «shell.tst»]'))).toEqual([
      'policy "merge" references unknown required target "shell/tst"; did you mean "shell/test"?',
    ]);
  });

  test.each([
    ['agent.jduge', 'references unknown reviewer "agent/jduge"; did you mean "agent/judge"?'],
    ['shell.test', 'reviewer "shell/test" must be an agent target'],
    ['agent.coder', 'reviewer "agent/coder" must be mode review'],
  ])('[bach-policy-reviewer] %s', async (reviewer, message) => {
    expect(await told(policy(`reviewers = [agent.judge, «${reviewer}»]`))).toEqual([`policy "merge" ${message}`]);
  });

  test.each([
    ['«quality_gate» { min = 1 }', 'quality_gate: must set metric'],
    ['«quality_gate» { metric = "m" }', 'quality_gate: "m" must set min or max'],
  ])('[bach-policy-gate] %s', async (body, message) => {
    expect(await told(policy(body))).toEqual([`policy "merge" ${message}`]);
    expect(await told(policy('quality_gate {\nmetric = "m"\nmin = 0.5\nmax = 1\n}'))).toEqual([]);
  });

  test('[bach-policy-duplicate] the same name, but for several subjects', async () => {
    const subject = (name: string, mark = 'policy "merge"') => `${mark} {\n  subject = agent.${name}\n  required_targets = [shell.test]\n}\n`;
    expect(await told(`${BEFORE}${subject('coder')}${subject('judge')}`)).toEqual([]);
    expect(await told(`${BEFORE}${subject('coder')}${subject('coder', '«policy "merge"»')}`)).toEqual(['duplicate policy "merge"']);
    expect(await told(`${BEFORE}policy "merge" {}\n«policy "merge"» {}\n`)).toEqual(['duplicate policy "merge"']);
    expect(await told(`${BEFORE}policy "merge" {}\n${subject('coder', '«policy "merge"»')}`)).toEqual(['duplicate policy "merge"']);
  });

  test('[bach-policy-generated-nodes] of a policy with a subject and of an agent with a policy', async () => {
    const text = `${BEFORE}policy "merge" {
  subject           = "agent.checkout_refactor"
  subject_workspace = ".bach/agents/checkout_refactor"
  subject_commit    = "0123456789abcdef0123456789abcdef01234567"
  required_targets  = [group.gate]
}
policy "attached" { required_targets = [shell.test] }
agent "worker" {
  provider = provider.p
  plan     = "plan.md"
  policy   = policy.attached
}
`;
    const project = projectOf(text);
    expect((await project.bach(['list'])).stdout).not.toContain('policy');
    const { stdout } = await project.bach(['list', '--generated']);
    expect(stdout).toMatch(/^policy\.merge@agent\.checkout_refactor /m);
    expect(stdout).toMatch(/^policy\/attached@agent\.worker /m);
    expect((await project.bach(['explain', 'policy.merge@agent.checkout_refactor'])).stdout).toBe(
      `policy.merge@agent.checkout_refactor
  generated: true
  subject: agent.checkout_refactor
  subject_workspace: .bach/agents/checkout_refactor
  subject_commit: 0123456789abcdef0123456789abcdef01234567
  required_targets: group/gate
`,
    );
  });

  test.each(['«subject_workspace» = "x"', '«subject_commit» = "x"'])('[bach-policy-subject-fields] without subject %s means nothing', async (line) => {
    const marked = line.replace(/«(\w+)» = "x"/, '$1 = «"x"»');
    expect(await told(policy(marked))).toEqual([expect.stringMatching(/^policy "merge" subject_(workspace|commit) is supported only with subject$/)]);
  });
});
