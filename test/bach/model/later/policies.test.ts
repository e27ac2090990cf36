import { describe, expect, test } from 'vitest';
import { generatedPolicyNodes } from '../../../../src/bach/model/later/index.ts';
import { faults, messages, places, sound } from './fixtures.ts';

const BEFORE = `provider "p" {
  type = "agent"
  command = ["run"]
}
shell "unit" {}
group "gate" {}
agent "eyes" {
  mode     = "review"
  provider = provider.p
}
agent "work" {
  provider = provider.p
  plan     = "a.md"
}
`;

const policy = (body: string): string => `${BEFORE}policy "c" {\n${body}\n}`;

describe('a policy', () => {
  test('that agents attach has reviewers, required targets and gates, or nothing', () => {
    const { later } = sound(`${policy(`
  reviewers        = [agent.eyes, "agent.eyes"]
  required_targets = [group.gate, shell.unit]
  quality_gate {
    metric = "findings.error.open.count"
    max    = 0
  }
  quality_gate {
    metric = "\${var.word}.percent"
    min    = "79.5"
    max    = 100
  }`)}
policy "nothing" {}`);
    const { range, ...full } = later.policies.get('c') ?? {};
    expect(range?.start.line).toBe(15);
    expect(full).toEqual({
      name: 'c',
      subject: '',
      subjectWorkspace: '',
      subjectCommit: '',
      reviewers: ['agent/eyes'],
      requiredTargets: ['group/gate', 'shell/unit'],
      gates: [
        { metric: 'findings.error.open.count', min: undefined, max: 0 },
        { metric: 'word.percent', min: 79.5, max: 100 },
      ],
    });
    expect(later.policies.get('nothing')).toMatchObject({ reviewers: [], requiredTargets: [], gates: [] });
  });

  test('with a subject says where that stands, and is found by both names', () => {
    const { later } = sound(`${BEFORE}
policy "merge" {
  subject           = "agent.elsewhere"
  subject_workspace = ".bach/agents/elsewhere"
  subject_commit    = "0123abc"
  required_targets  = [group.gate]
}
policy "merge" {
  subject          = agent.work
  required_targets = [shell.unit]
}`);
    expect([...later.policies.keys()]).toEqual(['merge@agent.elsewhere', 'merge@agent.work']);
    expect(later.policies.get('merge@agent.elsewhere')).toMatchObject({
      name: 'merge',
      subject: 'agent.elsewhere',
      subjectWorkspace: '.bach/agents/elsewhere',
      subjectCommit: '0123abc',
      requiredTargets: ['group/gate'],
    });
  });

  test.each([
    ['a subject and no required targets', 'subject = agent.work', 'policy "c" required_targets must not be empty'],
    [
      'a subject and empty required targets',
      'subject = agent.work\nrequired_targets = []',
      'policy "c" required_targets must not be empty',
    ],
    [
      'a workspace and no subject',
      'subject_workspace = "x"',
      'policy "c" subject_workspace is supported only with subject',
    ],
    ['a commit and no subject', 'subject_commit = "x"', 'policy "c" subject_commit is supported only with subject'],
    [
      'an old form of its subject',
      'subject = "agent/work"\nrequired_targets = [shell.unit]',
      'policy "c" subject: obsolete target reference "agent/work": use type.name, for example agent.work',
    ],
    [
      'an unknown required target',
      'required_targets = [shell.unti]',
      'policy "c" references unknown required target "shell/unti"; did you mean "shell/unit"?',
    ],
    [
      'an old form of a required target',
      'required_targets = ["shell/unit"]',
      'policy "c" required_targets: obsolete target reference "shell/unit": use type.name, for example shell.unit',
    ],
    [
      'a policy as required target',
      'required_targets = [policy.c]',
      'policy "c" required_targets: invalid target reference "policy.c": unknown target type "policy"',
    ],
    [
      'required targets that are no list',
      'required_targets = shell.unit',
      'policy "c" required_targets: must be a list of target references',
    ],
    [
      'an unknown reviewer',
      'reviewers = [agent.eye]',
      'policy "c" references unknown reviewer "agent/eye"; did you mean "agent/eyes"?',
    ],
    [
      'a reviewer that is no agent',
      'reviewers = [shell.unit]',
      'policy "c" reviewer "shell/unit" must be an agent target',
    ],
    [
      'a reviewer that does not review',
      'reviewers = [agent.work]',
      'policy "c" reviewer "agent/work" must be mode review',
    ],
    ['a faulty reviewer', 'reviewers = [1]', 'policy "c" reviewers: entries must be target references'],
    ['a gate without metric', 'quality_gate {\nmax = 1\n}', 'policy "c" quality_gate: must set metric'],
    ['a gate without bound', 'quality_gate {\nmetric = "m"\n}', 'policy "c" quality_gate: "m" must set min or max'],
    [
      'a gate with null bounds',
      'quality_gate {\nmetric = "m"\nmin = null\n}',
      'policy "c" quality_gate: "m" must set min or max',
    ],
  ])('with %s is told', (_, body, message) => {
    expect(messages(policy(body))).toEqual([message]);
  });

  test.each([
    [
      'a bound that is no number',
      'quality_gate {\nmetric = "m"\nmax = "few"\n}',
      'policy "c" quality_gate: max must be a number',
    ],
    [
      'a bound that is a bool',
      'quality_gate {\nmetric = "m"\nmin = true\n}',
      'policy "c" quality_gate: min must be a number',
    ],
    ['a bound that is a list', 'quality_gate {\nmetric = "m"\nmin = []\n}', 'Incorrect attribute value type'],
    [
      'a bound without end',
      'quality_gate {\nmetric = "m"\nmax = 1e999\n}',
      'policy "c" quality_gate: max is too large',
    ],
    ['a metric that names nothing', 'quality_gate {\nmetric = var.none\nmax = 1\n}', 'none'],
    ['an unknown attribute', 'review = []', 'Unsupported argument'],
    ['an unknown block', 'gate {}', 'Unsupported block type'],
    [
      'an unknown attribute of a gate',
      'quality_gate {\nmetric = "m"\nmaximum = 1\nmax = 1\n}',
      'Unsupported argument',
    ],
    [
      'a required target that could not be read, and a subject',
      'subject = agent.work\nrequired_targets = ["x"]',
      'invalid target reference',
    ],
  ])('with %s is told once', (_, body, part) => {
    expect(messages(policy(body))).toEqual([expect.stringContaining(part)]);
  });

  test('has one meaning for one name', () => {
    const attached = 'policy "x" {}\n';
    const subject = 'policy "x" {\n  subject = agent.work\n  required_targets = [shell.unit]\n}\n';
    for (const pair of [attached + attached, attached + subject, subject + attached, subject + subject]) {
      expect(messages(BEFORE + pair)).toEqual(['duplicate policy "x"']);
    }
    expect(faults(attached + attached)).toEqual(['2:1: duplicate policy "x"']);
  });

  test('is not there to be attached when it has a subject', () => {
    const text = `${BEFORE}policy "own" {\n  subject = agent.work\n  required_targets = [shell.unit]\n}\nagent "b" {\n  provider = provider.p\n  plan = "b.md"\n  policy = policy.own\n}`;
    expect(messages(text)).toEqual(['target "agent/b" references unknown policy "own": the one of this name has a subject of its own']);
  });

  test('tells all its faults, each at its place', () => {
    const text = policy('reviewers = [agent.none, shell.unit]\nrequired_targets = ["a/b", group.none]\nsubject_commit = "x"');
    expect(places(text)).toEqual(['agent.none', 'shell.unit', '"a/b"', 'group.none', '"x"']);
  });
});

describe('nodes that policies generate', () => {
  const text = `${BEFORE}
policy "free" {
  reviewers        = [agent.eyes]
  required_targets = [shell.unit, group.gate]
}
policy "bare" {}
policy "merge" {
  subject           = agent.elsewhere
  subject_workspace = "../there"
  subject_commit    = "abc"
  required_targets  = [group.gate]
}
agent_template "t" {
  provider = provider.p
  policy   = policy.bare
}
agent "one" {
  provider = provider.p
  plan     = "one.md"
  policy   = policy.free
}
agent "two" {
  template = agent_template.t
  plan     = "two.md"
  workspace {
    path = ".bach/agents/deep/two"
  }
}`;
  const { later, targets } = sound(text);
  const nodes = generatedPolicyNodes({ policies: later.policies, targets });

  test('are one for each subject and one for each agent with a policy', () => {
    expect(nodes.map((node) => ({ ...node, policy: node.policy.name }))).toEqual([
      {
        name: 'policy.merge@agent.elsewhere',
        policy: 'merge',
        kind: 'policy',
        form: 'standalone',
        description: 'policy fan-out for agent.elsewhere requiring group/gate',
        subject: 'agent.elsewhere',
        subjectWorkspace: '../there',
        subjectCommit: 'abc',
        requiredTargets: ['group/gate'],
      },
      {
        name: 'policy/free@agent.one',
        policy: 'free',
        kind: 'policy',
        form: 'attached',
        description: 'policy fan-out for agent.one requiring shell/unit, group/gate',
        subject: 'agent.one',
        subjectWorkspace: '.bach/agents/one',
        subjectCommit: '',
        requiredTargets: ['shell/unit', 'group/gate'],
      },
      {
        name: 'policy/bare@agent.two',
        policy: 'bare',
        kind: 'policy',
        form: 'attached',
        description: 'policy fan-out for agent.two',
        subject: 'agent.two',
        subjectWorkspace: '.bach/agents/deep/two',
        subjectCommit: '',
        requiredTargets: [],
      },
    ]);
  });

  test('are none where nothing is attached', () => {
    const file = sound(`${BEFORE}policy "free" {}`);
    expect(generatedPolicyNodes({ policies: file.later.policies, targets: file.targets })).toEqual([]);
  });
});
