import { describe, expect, test } from 'vitest';
import { agentInputs, defaultAgentLock } from '../../../../src/bach/model/later/index.ts';
import { agentOf, faults, messages, places, readLater, sound } from './fixtures.ts';

const BEFORE = `provider "p" {
  type = "agent"
  command = ["run"]
}
provider "open" {
  type = "opencode"
}
prompt "guide" {}
policy "checks" {}
agent_template "base" {
  provider = provider.open
  role     = "writer"
  prompt   = prompt.guide
  policy   = policy.checks
  workspace {
    path = ".bach/agents/base"
  }
  git {
    branch = "bach/base"
    commit = "optional"
  }
}
agent_template "open_path" {
  provider = provider.p
  workspace {
    path = ".bach/agents/\${work_item.id}"
  }
}
agent_template "open_branch" {
  provider = provider.p
  git {
    branch = "bach/\${work_item.id}"
  }
}
agent_template "reviewer" {
  mode     = "review"
  provider = provider.p
}
`;

const agent = (body: string): string => `${BEFORE}agent "a" {\n${body}\n}`;
const settings = (body: string) => sound(agent(body)).targets.get('agent/a')?.agent;

describe('an agent', () => {
  test('has defaults', () => {
    expect(agentOf('provider = provider.p\nplan = "plans/a.md"')).toEqual({
      mode: 'implement',
      template: '',
      provider: 'p',
      role: '',
      prompt: '',
      plan: 'plans/a.md',
      subject: '',
      policy: '',
      workspace: { mode: 'clone', path: '.bach/agents/a' },
      git: { branch: 'bach/agents/a', commit: 'required' },
      improve: undefined,
    });
  });

  test('takes what its template says', () => {
    expect(settings('template = agent_template.base\nplan = "a.md"')).toEqual({
      mode: 'implement',
      template: 'base',
      provider: 'open',
      role: 'writer',
      prompt: 'guide',
      plan: 'a.md',
      subject: '',
      policy: 'checks',
      workspace: { mode: 'clone', path: '.bach/agents/base' },
      git: { branch: 'bach/base', commit: 'optional' },
      improve: undefined,
    });
  });

  test('says something else than its template, attribute by attribute and block by block', () => {
    const own = settings(`
  template = agent_template.base
  provider = provider.p
  role     = ""
  plan     = "a.md"
  workspace {
    mode = "clone"
  }
  git {
    branch = "own"
  }`);
    expect(own).toMatchObject({
      provider: 'p',
      role: '',
      prompt: 'guide',
      workspace: { mode: 'clone', path: '.bach/agents/a' },
      git: { branch: 'own', commit: 'required' },
    });
  });

  test('takes null for not said', () => {
    expect(settings('template = agent_template.base\nplan = "a.md"\nrole = null\nprompt = null')).toMatchObject({ role: 'writer', prompt: 'guide' });
  });

  test('reviews without a plan, a workspace or a branch that could be made', () => {
    const text = `${BEFORE}agent "../a b" {\n  template = agent_template.reviewer\n}`;
    expect(sound(text).targets.get('agent/../a b')?.agent?.mode).toBe('review');
  });

  test('improves until its policy passes', () => {
    expect(agentOf('provider = provider.p\nplan = "a.md"\nimprove {\nmax_attempts = 3\nuntil = "policy.passed"\n}')?.improve).toEqual({
      maxAttempts: 3,
      until: 'policy.passed',
    });
    expect(agentOf('provider = provider.p\nplan = "a.md"\nimprove {}')?.improve).toEqual({ maxAttempts: 1, until: 'policy.passed' });
  });

  test.each([
    ['no provider', 'plan = "a.md"', 'provider is required'],
    ['no plan', 'provider = provider.p', 'plan is required'],
    ['an empty plan', 'provider = provider.p\nplan = ""', 'plan is required'],
    ['a plan elsewhere', 'provider = provider.p\nplan = "../a.md"', 'plan must be project-relative'],
    ['an absolute plan', 'provider = provider.p\nplan = "/project/a.md"', 'plan must be project-relative'],
    [
      'a plan that is left open',
      'provider = provider.p\nplan = "${plan.id}.md"',
      'plan must not contain agent template placeholders',
    ],
    [
      'a role that is left open',
      'provider = provider.p\nplan = "a.md"\nrole = plan.id',
      'role must not contain agent template placeholders',
    ],
    ['another mode', 'mode = "plan"\nprovider = provider.p', 'mode must be implement, review, or merge'],
    [
      'an unknown template',
      'template = agent_template.bas\nplan = "a.md"',
      'references unknown agent_template "bas"; did you mean "base"?',
    ],
    ['an unknown provider', 'provider = provider.q\nplan = "a.md"', 'references unknown provider "q"'],
    ['an unknown prompt', 'provider = provider.p\nprompt = prompt.x\nplan = "a.md"', 'references unknown prompt "x"'],
    [
      'an unknown policy',
      'provider = provider.p\npolicy = policy.check\nplan = "a.md"',
      'references unknown policy "check"; did you mean "checks"?',
    ],
    [
      'a policy for reviews',
      'mode = "review"\nprovider = provider.p\npolicy = policy.checks',
      'policy is supported only for implement mode',
    ],
    [
      'an inherited policy for reviews',
      'mode = "review"\ntemplate = agent_template.base\nprovider = provider.p',
      'policy is supported only for implement mode',
    ],
    [
      'opencode for reviews',
      'mode = "review"\nprovider = provider.open',
      'opencode provider is supported only for implement mode',
    ],
    [
      'two workspaces',
      'provider = provider.p\nplan = "a.md"\nworkspace {}\nworkspace {}',
      'must have at most one workspace block',
    ],
    ['two git blocks', 'provider = provider.p\nplan = "a.md"\ngit {}\ngit {}', 'must have at most one git block'],
    [
      'another workspace mode',
      'provider = provider.p\nplan = "a.md"\nworkspace {\nmode = "in-place"\n}',
      'workspace mode must be "clone"',
    ],
    [
      'a workspace elsewhere',
      'provider = provider.p\nplan = "a.md"\nworkspace {\npath = ".bach/agents/../x"\n}',
      'workspace.path must stay under .bach/agents',
    ],
    [
      'all workspaces as its own',
      'provider = provider.p\nplan = "a.md"\nworkspace {\npath = ".bach/agents/"\n}',
      'workspace.path must stay under .bach/agents',
    ],
    [
      'an absolute workspace',
      'provider = provider.p\nplan = "a.md"\nworkspace {\npath = "/project/.bach/agents/a"\n}',
      'workspace.path must stay under .bach/agents',
    ],
    [
      'a workspace that is left open',
      'provider = provider.p\nplan = "a.md"\nworkspace {\npath = ".bach/agents/${plan.id}"\n}',
      'workspace.path must not contain agent template placeholders',
    ],
    [
      'a workspace mode that is left open',
      'provider = provider.p\nplan = "a.md"\nworkspace {\nmode = plan.id\n}',
      'workspace.mode must not contain agent template placeholders',
    ],
    [
      'a branch that is left open',
      'provider = provider.p\nplan = "a.md"\ngit {\nbranch = "x/${plan.id}"\n}',
      'git.branch must not contain agent template placeholders',
    ],
    [
      'a commit that is left open',
      'provider = provider.p\nplan = "a.md"\ngit {\ncommit = plan.id\n}',
      'git.commit must not contain agent template placeholders',
    ],
    [
      'a branch that git refuses',
      'provider = provider.p\nplan = "a.md"\ngit {\nbranch = "x..y"\n}',
      'git.branch "x..y" is invalid: must be a valid branch name',
    ],
    [
      'another commit',
      'provider = provider.p\nplan = "a.md"\ngit {\ncommit = "no"\n}',
      'git commit must be required or optional',
    ],
    [
      'an inherited path that is left open',
      'template = agent_template.open_path\nplan = "a.md"',
      'workspace.path must not contain agent template placeholders',
    ],
    [
      'an inherited branch that is left open',
      'template = agent_template.open_branch\nplan = "a.md"',
      'git.branch must not contain agent template placeholders',
    ],
    [
      'no improvement',
      'provider = provider.p\nplan = "a.md"\nimprove {\nmax_attempts = 0\n}',
      'improve max_attempts must be greater than zero',
    ],
    [
      'half an improvement',
      'provider = provider.p\nplan = "a.md"\nimprove {\nmax_attempts = 1.5\n}',
      'improve max_attempts must be a whole number',
    ],
    [
      'another end of improvement',
      'provider = provider.p\nplan = "a.md"\nimprove {\nuntil = "done"\n}',
      'improve until must be policy.passed',
    ],
    [
      'two improvements',
      'provider = provider.p\nplan = "a.md"\nimprove {}\nimprove {}',
      'must have at most one improve block',
    ],
    [
      'improvement of a review',
      'mode = "review"\nprovider = provider.p\nimprove {}',
      'improve is supported only for implement mode',
    ],
    ['no subject', 'mode = "merge"\nprovider = provider.p', 'subject is required for merge mode'],
    [
      'a subject that is no agent',
      'mode = "merge"\nprovider = provider.p\nsubject = shell.x',
      'subject must reference an agent target',
    ],
    [
      'an unknown subject',
      'mode = "merge"\nprovider = provider.p\nsubject = agent.x',
      'references unknown subject "agent/x"',
    ],
    [
      'itself as subject',
      'mode = "merge"\nprovider = provider.p\nsubject = agent.a',
      'subject "agent/a" must be mode implement',
    ],
  ])('with %s is told', (_, body, message) => {
    expect(messages(agent(body))).toEqual([`target "agent/a" ${message}`]);
  });

  test('is told of a provider that it inherits and may not have, at its mode', () => {
    const text = `${BEFORE}agent_template "plain" {\n  provider = provider.open\n}\nagent "a" {\n  mode = "review"\n  template = agent_template.plain\n}`;
    expect(messages(text)).toEqual(['target "agent/a" opencode provider is supported only for implement mode']);
    expect(places(text)).toEqual(['"review"']);
  });

  test.each(['plan = var.none\nprovider = provider.p', 'plan = "a.md"\nprovider = var.none', 'mode = var.none\nprovider = provider.p'])(
    'is told once of %j',
    (body) => {
      expect(messages(agent(body))).toEqual([expect.stringContaining('none')]);
    },
  );

  test('is told of an old form of its subject', () => {
    expect(messages(agent('mode = "merge"\nprovider = provider.p\nsubject = "agent/x"'))).toEqual([
      'target "agent/a" subject: obsolete target reference "agent/x": use type.name, for example agent.x',
    ]);
  });

  test('is not told of faults that its template has', () => {
    const broken = 'agent_template "t" {\n  policy = policy.none\n}\n';
    expect(messages(`policy "checks" {}\n${broken}agent "a" {\n  template = agent_template.t\n  plan = "a.md"\n}`)).toEqual([
      'agent_template "t" provider is required',
      'agent_template "t" references unknown policy "none"',
    ]);
  });

  test('has a name that makes a folder and a branch when it implements', () => {
    expect(messages(`${BEFORE}agent "../a b" {\n  provider = provider.p\n  plan = "a.md"\n}`)).toEqual([
      'target "agent/../a b" workspace.path must stay under .bach/agents',
      'target "agent/../a b" git.branch "bach/agents/../a b" is invalid: must be a valid branch name',
    ]);
  });

  test('tells all its faults, also those of its blocks, at their places', () => {
    const text = `agent "a" {\n  template = agent_template.none\n  workspace {\n    where = "x"\n  }\n  git {\n    branch = "a b"\n  }\n  improve {\n    max_attempts = -1\n  }\n}`;
    expect(faults(text)).toEqual([
      '2:14: target "agent/a" references unknown agent_template "none"',
      '4:5: decode Bachfile: Unsupported argument; An argument named "where" is not expected here',
      '7:14: target "agent/a" git.branch "a b" is invalid: must be a valid branch name',
      '10:20: target "agent/a" improve max_attempts must be greater than zero',
    ]);
  });
});

describe('a merge agent', () => {
  const text = (subject: string): string => `${BEFORE}
agent "work" {
  provider = provider.p
  plan     = "a.md"
  policy   = policy.checks
}
agent "bare" {
  provider = provider.p
  plan     = "a.md"
}
agent "look" {
  template = agent_template.reviewer
}
agent "broken" {
  mode = "x"
}
agent "m" {
  mode     = "merge"
  provider = provider.p
  subject  = ${subject}
}`;
  const told = (subject: string) => messages(text(subject)).filter((message) => !message.includes('agent/broken" mode'));

  test('has the agent it merges as its subject', () => {
    expect(told('agent.work')).toEqual([]);
    expect(told('"agent.work"')).toEqual([]);
    expect(sound(text('agent.work').replace('"x"', '"review"\n  provider = provider.p')).targets.get('agent/m')?.agent?.subject).toBe('agent/work');
  });

  test.each([
    ['agent.bare', 'subject "agent/bare" must declare an attached policy'],
    ['agent.look', 'subject "agent/look" must be mode implement'],
    ['agent.wrok', 'references unknown subject "agent/wrok"; did you mean "agent/work"?'],
  ])('with %s is told', (subject, message) => {
    expect(told(subject)).toEqual([`target "agent/m" ${message}`]);
  });

  test('whose subject has no policy is a whole file with a warning, as the reference has one', () => {
    const found = readLater(text('agent.bare')).diagnostics.filter(({ message }) => message.includes('agent/m'));
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
    expect(readLater(text('agent.look')).diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });

  test('is not told of a subject whose own faults were told', () => {
    expect(told('agent.broken')).toEqual([]);
  });

  test('waits in one lane with the others', () => {
    expect(defaultAgentLock({ mode: 'merge' })).toBe('merge-lane');
    expect(defaultAgentLock({ mode: 'implement' })).toBe('');
    expect(defaultAgentLock({ mode: 'review' })).toBe('');
  });
});

describe('what an agent reads', () => {
  const prompts = new Map([['guide', { path: 'prompts/guide.md' }]]);

  test('is its prompt and its plan', () => {
    const full = settings('template = agent_template.base\nplan = "a.md"');
    expect(full && agentInputs(full, prompts)).toEqual(['prompts/guide.md', 'a.md']);
  });

  test('is no plan for one that does not implement, and nothing without a prompt', () => {
    const review = settings('template = agent_template.reviewer\nplan = "a.md"');
    expect(review && agentInputs(review, prompts)).toEqual([]);
  });
});
