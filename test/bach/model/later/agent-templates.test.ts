import { describe, expect, test } from 'vitest';
import { faults, messages, places, sound } from './fixtures.ts';

const BEFORE = `provider "p" {
  type = "agent"
  command = ["run"]
}
provider "open" {
  type = "opencode"
}
prompt "guide" {}
policy "checks" {}
`;

const template = (body: string): string => `${BEFORE}agent_template "t" {\n${body}\n}`;

describe('an agent template', () => {
  test('has defaults', () => {
    const { later } = sound(template('provider = provider.p'));
    expect(later.agentTemplates.get('t')).toEqual({
      name: 't',
      mode: 'implement',
      provider: 'p',
      role: '',
      prompt: '',
      policy: '',
      workspace: { mode: 'clone', path: '' },
      git: { branch: '', commit: 'required' },
    });
  });

  test('keeps placeholders of path and branch as they are written, in both ways', () => {
    const { later } = sound(
      template(`
  mode     = "implement"
  provider = provider.open
  role     = "implementer"
  prompt   = prompt.guide
  policy   = policy.checks
  workspace {
    mode = "clone"
    path = ".bach/agents/\${work_item.id}/\${work_item.slug}/$\${plan.id}"
  }
  git {
    branch = "bach/\${workstream.id}/$\${factory.name}/\${workflow.name}"
    commit = "optional"
  }`),
    );
    expect(later.agentTemplates.get('t')).toEqual({
      name: 't',
      mode: 'implement',
      provider: 'open',
      role: 'implementer',
      prompt: 'guide',
      policy: 'checks',
      workspace: { mode: 'clone', path: '.bach/agents/${work_item.id}/${work_item.slug}/${plan.id}' },
      git: { branch: 'bach/${workstream.id}/${factory.name}/${workflow.name}', commit: 'optional' },
    });
  });

  test.each(['provider.p', '"provider.p"', '"provider/p"', '"p"', '"${provider.p}"', 'provider["p"]', '(provider.p)'])(
    'names its provider as %s',
    (reference) => {
      expect(sound(template(`provider = ${reference}`)).later.agentTemplates.get('t')?.provider).toBe('p');
    },
  );

  test.each([
    ['no provider', 'role = "x"', 'provider is required'],
    ['a provider that is null', 'provider = null', 'provider is required'],
    ['an empty provider', 'provider = ""', 'provider must be a reference such as provider.name'],
    ['half a reference', 'provider = "provider."', 'provider must be a reference such as provider.name'],
    ['too long a reference', 'provider = provider.p.x', 'provider must be a reference such as provider.name'],
    ['another mode', 'mode = "plan"\nprovider = provider.p', 'mode must be implement, review, or merge'],
    ['an unknown provider', 'provider = provider.opne', 'references unknown provider "opne"; did you mean "open"?'],
    [
      'an unknown prompt',
      'provider = provider.p\nprompt = prompt.guid',
      'references unknown prompt "guid"; did you mean "guide"?',
    ],
    ['an unknown policy', 'provider = provider.p\npolicy = policy.none', 'references unknown policy "none"'],
    [
      'a policy for reviews',
      'mode = "review"\nprovider = provider.p\npolicy = policy.checks',
      'policy is supported only for implement mode',
    ],
    [
      'opencode for reviews',
      'mode = "review"\nprovider = provider.open',
      'opencode provider is supported only for implement mode',
    ],
    [
      'opencode for merges',
      'provider = provider.open\nmode = "merge"',
      'opencode provider is supported only for implement mode',
    ],
    ['two workspaces', 'provider = provider.p\nworkspace {}\nworkspace {}', 'must have at most one workspace block'],
    ['two git blocks', 'provider = provider.p\ngit {}\ngit {}', 'must have at most one git block'],
    [
      'another workspace mode',
      'provider = provider.p\nworkspace {\nmode = "worktree"\n}',
      'workspace mode must be "clone"',
    ],
    [
      'a placeholder as workspace mode',
      'provider = provider.p\nworkspace {\nmode = plan.id\n}',
      'workspace.mode must not contain placeholders',
    ],
    [
      'another commit',
      'provider = provider.p\ngit {\ncommit = "maybe"\n}',
      'git commit must be required or optional',
    ],
    [
      'a placeholder as commit',
      'provider = provider.p\ngit {\ncommit = plan.id\n}',
      'git.commit must not contain placeholders',
    ],
    [
      'a placeholder in the role',
      'provider = provider.p\nrole = "for ${plan.id}"',
      'role must not contain placeholders',
    ],
    ['a placeholder as provider', 'provider = "$${plan.id}"', 'provider must not contain placeholders'],
    [
      'a placeholder that does not exist',
      'provider = provider.p\ngit {\nbranch = "b/$${work_item.name}"\n}',
      'git.branch contains unsupported placeholder "${work_item.name}"; those supported are ${work_item.id},',
    ],
    [
      'a placeholder without end',
      'provider = provider.p\nworkspace {\npath = ".bach/agents/$${x"\n}',
      'workspace.path contains unsupported placeholder "${x"',
    ],
    [
      'a path elsewhere',
      'provider = provider.p\nworkspace {\npath = "agents/${plan.id}"\n}',
      'workspace.path must stay under .bach/agents',
    ],
    [
      'a branch that git refuses',
      'provider = provider.p\ngit {\nbranch = "-${plan.id}"\n}',
      'git.branch "-${plan.id}" is invalid',
    ],
  ])('with %s is told', (_, body, message) => {
    const told = messages(template(body));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`agent_template "t" ${message}`);
  });

  test.each(['plan = "x.md"', 'subject = agent.x', 'lock = "x"', 'improve {}'])('takes no %s', (line) => {
    expect(messages(template(`provider = provider.p\n${line}`))).toEqual([expect.stringMatching(/Unsupported (argument|block type)/)]);
  });

  test.each(['workspace', 'git'])('knows what a %s block takes', (block) => {
    const told = messages(template(`provider = provider.p\n${block} {\n  folder = "x"\n}\n`));
    expect(told).toEqual([expect.stringContaining('An argument named "folder" is not expected here')]);
  });

  test('may stand once', () => {
    expect(faults(`${template('provider = provider.p')}\n${template('provider = provider.p').slice(BEFORE.length)}`)).toEqual([
      '13:1: duplicate agent_template "t"',
    ]);
  });

  test('tells all its faults, each at its place', () => {
    const text = template('mode = "x"\nprovider = provider.none\nprompt = prompt.none\nworkspace {\npath = "/tmp"\n}\ngit {\nbranch = "a b"\n}');
    expect(places(text)).toEqual(['"x"', 'provider.none', 'prompt.none', '"/tmp"', '"a b"']);
  });
});
