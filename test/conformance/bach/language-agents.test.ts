import { describe, expect, test } from 'vitest';
import { projectOf as decoded } from '../../bach/model/reading.ts';
import { projectOf, told } from './told.ts';

const BEFORE = `provider "p" {
  type    = "agent"
  command = ["run"]
}
provider "open" { type = "opencode" }
prompt "guide" { path = "Bachfile" }
policy "checks" {}
`;

const template = (body: string) => `${BEFORE}agent_template "t" {\n${body}\n}\n`;
const templateFault = async (body: string) => (await told(template(body))).map((message) => message.replace('agent_template "t" ', ''));
const agent = (body: string, before = '') => `${BEFORE}${before}agent "a" {\n${body}\n}\n`;
const agentFault = async (body: string, before = '') => (await told(agent(body, before))).map((message) => message.replace('target "agent/a" ', ''));

/** Lines that an agent has to have. */
const SOUND = 'provider = provider.p\nplan = "plan.md"\n';

describe('providers', () => {
  test('[bach-provider-type] agent and opencode', async () => {
    expect(await told(BEFORE)).toEqual([]);
    expect(await told('provider "x" { type = «"http"» }\n')).toEqual(['provider "x" type must be "agent" or "opencode"']);
    expect(await told('«provider "x"» { command = ["a"] }\n')).toEqual(['provider "x" type must be "agent" or "opencode"']);
  });

  test.each([
    ['«provider "x"» { type = "agent" }', 'provider "x" command must not be empty'],
    ['provider "x" {\n  type = "agent"\n  command = «[]»\n}', 'provider "x" command must not be empty'],
    ['provider "x" {\n  type = "opencode"\n  command = «["a"]»\n}', 'provider "x" command is not supported for opencode providers'],
  ])('[bach-provider-command] %s', async (text, message) => {
    expect(await told(`${text}\n`)).toEqual([message]);
  });

  test('[bach-provider-duplicate] a name that is taken', async () => {
    expect(await told('provider "x" { type = "opencode" }\n«provider "x"» { type = "opencode" }\n')).toEqual(['duplicate provider "x"']);
  });
});

describe('agent templates', () => {
  test('[bach-agent-template-fields] all they take', async () => {
    const body = `  mode     = "implement"
  provider = provider.p
  role     = "writer"
  prompt   = prompt.guide
  policy   = policy.checks
  workspace {
    mode = "clone"
    path = ".bach/agents/x"
  }
  git {
    branch = "b"
    commit = "optional"
  }`;
    expect(await told(template(body))).toEqual([]);
  });

  test.each(['«plan» = "x.md"', '«subject» = agent.a', '«lock» = "x"', '«improve» {}', 'workspace {\n«folder» = "x"\n}', 'git {\n«folder» = "x"\n}'])(
    '[bach-agent-template-fields] they take no %s',
    async (line) => {
      expect(await templateFault(`provider = provider.p\n${line}`)).toEqual([expect.stringMatching(/^\[hcl-decode-error\] decode Bachfile: Unsupported /)]);
    },
  );

  test('[bach-agent-template-provider] a provider is required', async () => {
    expect(await told(`${BEFORE}«agent_template "t"» {}\n`)).toEqual(['agent_template "t" provider is required']);
  });

  test.each([
    ['provider = «provider.none»', 'references unknown provider "none"'],
    ['provider = provider.p\nprompt = «prompt.none»', 'references unknown prompt "none"'],
    ['provider = provider.p\npolicy = «policy.none»', 'references unknown policy "none"'],
  ])('[bach-agent-template-references] %j', async (body, message) => {
    expect(await templateFault(body)).toEqual([expect.stringContaining(message)]);
  });

  test.each(['${', '$${'])('[bach-agent-template-placeholders] %s keeps all six', async (open) => {
    const names = ['work_item.id', 'work_item.slug', 'plan.id', 'workstream.id', 'factory.name', 'workflow.name'];
    const written = names.map((name) => `${open}${name}}`).join('-');
    const kept = names.map((name) => `\${${name}}`).join('-');
    const text = template(`provider = provider.p\nworkspace {\npath = ".bach/agents/${written}"\n}\ngit {\nbranch = "b/${written}"\n}`);
    expect(await told(text)).toEqual([]);
    expect(decoded(text).agentTemplates.get('t')).toMatchObject({ workspace: { path: `.bach/agents/${kept}` }, git: { branch: `b/${kept}` } });
  });

  test.each([
    ['provider = provider.p\nrole = «"for ${plan.id}"»', 'role must not contain placeholders'],
    ['provider = «"$${plan.id}"»', 'provider must not contain placeholders'],
    ['provider = provider.p\nworkspace {\nmode = «plan.id»\n}', 'workspace.mode must not contain placeholders'],
    ['provider = provider.p\ngit {\ncommit = «plan.id»\n}', 'git.commit must not contain placeholders'],
    ['provider = provider.p\ngit {\nbranch = «"b/$${work_item.name}"»\n}', 'git.branch contains unsupported placeholder "${work_item.name}"'],
    ['provider = provider.p\nworkspace {\npath = «".bach/agents/$${x}"»\n}', 'workspace.path contains unsupported placeholder "${x}"'],
  ])('[bach-agent-template-placeholder-elsewhere] %j', async (body, message) => {
    expect(await templateFault(body)).toEqual([expect.stringContaining(message)]);
  });

  test('[bach-agent-template-duplicate] a name that is taken', async () => {
    const second = '«agent_template "t"» { provider = provider.p }\n';
    expect(await told(`${template('provider = provider.p')}${second}`)).toEqual(['duplicate agent_template "t"']);
  });

  test('[bach-agent-template-no-target] a template is no target', async () => {
    const project = projectOf(`${template('provider = provider.p')}shell "s" {}\n`);
    expect((await project.bach(['list'])).stdout).toBe('shell/s\n');
    for (const name of ['agent_template/t', 'agent/t', 't']) {
      expect(await project.bach(['run', name])).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining('unknown target') });
    }
  });
});

describe('what templates and agents share', () => {
  test.each(['mode = «"plan"»', 'mode = «""»'])('[bach-agent-mode] %s', async (line) => {
    const message = 'mode must be implement, review, or merge';
    expect(await templateFault(`provider = provider.p\n${line}`)).toEqual([message]);
    expect(await agentFault(`${SOUND}${line}`)).toEqual([message]);
  });

  test('[bach-agent-mode] implement where nothing is said', async () => {
    const { targets, agentTemplates } = decoded(`${template('provider = provider.p')}agent "a" {\n${SOUND}}\n`);
    expect([agentTemplates.get('t')?.mode, targets.get('agent/a')?.agent?.mode]).toEqual(['implement', 'implement']);
  });

  test('[bach-agent-policy-implement-only] a policy of a review', async () => {
    const body = 'mode = "review"\nprovider = provider.p\npolicy = «policy.checks»';
    expect(await templateFault(body)).toEqual(['policy is supported only for implement mode']);
    expect(await agentFault(body)).toEqual(['policy is supported only for implement mode']);
  });

  test('[bach-agent-opencode-implement-only] opencode for a review and a merge', async () => {
    const message = 'opencode provider is supported only for implement mode';
    expect(await templateFault('mode = "review"\nprovider = «provider.open»')).toEqual([message]);
    expect(await agentFault('mode = "review"\nprovider = «provider.open»')).toEqual([message]);
    const merged = `agent "done" {\n${SOUND}policy = policy.checks\n}\n`;
    expect(await agentFault('mode = "merge"\nprovider = «provider.open»\nsubject = agent.done', merged)).toEqual([message]);
  });

  test.each(['workspace', 'git', 'improve'])('[bach-agent-one-block] two blocks %s', async (type) => {
    const message = `must have at most one ${type} block`;
    expect(await agentFault(`${SOUND}${type} {}\n«${type}» {}`)).toEqual([message]);
    if (type !== 'improve') expect(await templateFault(`provider = provider.p\n${type} {}\n«${type}» {}`)).toEqual([message]);
  });

  test('[bach-agent-workspace-mode] only clone', async () => {
    const block = 'workspace {\nmode = «"worktree"»\n}';
    expect(await templateFault(`provider = provider.p\n${block}`)).toEqual(['workspace mode must be "clone"']);
    expect(await agentFault(`${SOUND}${block}`)).toEqual(['workspace mode must be "clone"']);
  });

  test('[bach-agent-git-commit] required or optional', async () => {
    const block = 'git {\ncommit = «"maybe"»\n}';
    expect(await templateFault(`provider = provider.p\n${block}`)).toEqual(['git commit must be required or optional']);
    expect(await agentFault(`${SOUND}${block}`)).toEqual(['git commit must be required or optional']);
  });
});

describe('agents', () => {
  const settings = (body: string, before = '') => decoded(agent(body, before)).targets.get('agent/a')?.agent;
  const base = `agent_template "base" {
  provider = provider.open
  role     = "writer"
  prompt   = prompt.guide
  policy   = policy.checks
  workspace { path = ".bach/agents/base" }
  git {
    branch = "bach/base"
    commit = "optional"
  }
}
`;

  test('[bach-agent-defaults] where nothing is said', () => {
    expect(settings(SOUND)).toMatchObject({
      workspace: { mode: 'clone', path: '.bach/agents/a' },
      git: { branch: 'bach/agents/a', commit: 'required' },
    });
  });

  test('[bach-agent-inheritance] what a template says, and what wins over it', () => {
    const inherited = settings('template = agent_template.base\nplan = "a.md"', base);
    expect(inherited).toMatchObject({
      provider: 'open',
      role: 'writer',
      prompt: 'guide',
      policy: 'checks',
      workspace: { path: '.bach/agents/base' },
      git: { branch: 'bach/base', commit: 'optional' },
    });
    const own = 'template = agent_template.base\nplan = "a.md"\nprovider = provider.p\nrole = "other"\ngit {\nbranch = "own"\n}\nworkspace {}';
    expect(settings(own, base)).toMatchObject({
      provider: 'p',
      role: 'other',
      prompt: 'guide',
      workspace: { mode: 'clone', path: '.bach/agents/a' },
      git: { branch: 'own', commit: 'required' },
    });
  });

  test('[bach-agent-unknown-template] a template that no block declares', async () => {
    expect(await agentFault(`${SOUND}template = «agent_template.bse»`, base)).toEqual(['references unknown agent_template "bse"; did you mean "base"?']);
  });

  test('[bach-agent-provider-required, bach-agent-plan-required] neither', async () => {
    expect(await told(`${BEFORE}«agent "a"» { plan = "a.md" }\n`)).toEqual(['target "agent/a" provider is required']);
    expect(await told(`${BEFORE}«agent "a"» { provider = provider.p }\n`)).toEqual(['target "agent/a" plan is required']);
    expect(await agentFault('template = agent_template.base\nplan = "a.md"', base)).toEqual([]);
    expect(await agentFault('mode = "review"\nprovider = provider.p')).toEqual([]);
  });

  test.each(['/plan.md', '../plan.md'])('[bach-agent-plan-required] a plan at %s', async (plan) => {
    expect(await agentFault(`provider = provider.p\nplan = «"${plan}"»`)).toEqual(['plan must be project-relative']);
  });

  test('[bach-agent-concrete] nothing is left to be filled in', async () => {
    const open = 'agent_template "open" {\nprovider = provider.p\nworkspace {\npath = ".bach/agents/${work_item.id}"\n}\n}\n';
    const openBranch = 'agent_template "open" {\nprovider = provider.p\ngit {\nbranch = "b/${work_item.id}"\n}\n}\n';
    const inheriting = 'template = «agent_template.open»\nplan = "a.md"';
    expect(await agentFault(inheriting, open)).toEqual(['workspace.path must not contain agent template placeholders']);
    expect(await agentFault(inheriting, openBranch)).toEqual(['git.branch must not contain agent template placeholders']);
    expect(await agentFault(`${SOUND}workspace {\npath = «".bach/agents/$${'${plan.id}'}"»\n}`)).toEqual(['workspace.path must not contain agent template placeholders']);
    expect(await agentFault(`${SOUND}git {\ncommit = «plan.id»\n}`)).toEqual(['git.commit must not contain agent template placeholders']);
    expect(await agentFault('template = agent_template.open\nplan = "a.md"\nworkspace {\npath = ".bach/agents/x"\n}', open)).toEqual([]);
  });

  test.each(['agents/x', '/tmp/x', '/project/.bach/agents/x', '.bach/agents', '.bach/agents/../x', '.bach/agentsx'])('[bach-agent-workspace-under] %s', async (path) => {
    expect(await agentFault(`${SOUND}workspace {\npath = «"${path}"»\n}`)).toEqual(['workspace.path must stay under .bach/agents']);
  });

  test.each(['-a', 'a..b', 'a//b', 'a/', 'a.', 'a b', 'a~b', 'a^b', 'a:b', 'a?b', 'a*b', 'a[b', 'a/.b', 'a.lock', 'a.lock/b'])(
    '[bach-agent-branch] %s',
    async (branch) => {
      expect(await agentFault(`${SOUND}git {\nbranch = «"${branch}"»\n}`)).toEqual([expect.stringContaining(`git.branch "${branch}" is invalid`)]);
    },
  );

  test.each([
    ['max_attempts = «0»', 'improve max_attempts must be greater than zero'],
    ['until = «"always"»', 'improve until must be policy.passed'],
  ])('[bach-agent-improve] %s', async (line, message) => {
    expect(await agentFault(`${SOUND}improve {\n${line}\n}`)).toEqual([message]);
    expect(await agentFault(`${SOUND}improve {\nmax_attempts = 2\nuntil = "policy.passed"\n}`)).toEqual([]);
  });

  test('[bach-agent-merge-subject] what is merged', async () => {
    const plain = `agent "plain" {\n${SOUND}}\nagent "judge" {\nmode = "review"\nprovider = provider.p\n}\nshell "s" {}\n`;
    const merge = (subject: string) => agentFault(`mode = "merge"\nprovider = provider.p\nsubject = «${subject}»`, plain);
    expect(await told(`${BEFORE}«agent "a"» {\nmode = "merge"\nprovider = provider.p\n}\n`)).toEqual(['target "agent/a" subject is required for merge mode']);
    expect(await merge('shell.s')).toEqual(['subject must reference an agent target']);
    expect(await merge('agent.absent')).toEqual([expect.stringContaining('references unknown subject "agent/absent"')]);
    expect(await merge('agent.judge')).toEqual(['subject "agent/judge" must be mode implement']);
    expect(await merge('agent.plain')).toEqual(['warning: subject "agent/plain" must declare an attached policy']);
    expect(await merge('"agent/plain"')).toEqual([expect.stringMatching(/subject: obsolete target reference "agent\/plain": use type\.name, for example agent\.plain$/)]);
  });

  test('[bach-agent-merge-lock] the lane of merges', async () => {
    const text = agent(
      'mode = "merge"\nprovider = provider.p\nsubject = agent.done',
      `agent "done" {\n${SOUND}policy = policy.checks\n}\nagent "other" {\nmode = "merge"\nprovider = provider.p\nsubject = agent.done\nlock = "own"\n}\n`,
    );
    const { nodes } = JSON.parse((await projectOf(text).bach(['graph', '--format', 'json'])).stdout) as { nodes: readonly { name: string; lock?: string }[] };
    const lockOf = (name: string) => nodes.find((node) => node.name === name)?.lock;
    expect([lockOf('agent/a'), lockOf('agent/other'), lockOf('agent/done')]).toEqual(['merge-lane', 'own', undefined]);
  });

  test('[bach-agent-inputs] its prompt file and its plan', async () => {
    const project = projectOf(agent(`${SOUND}prompt = prompt.words\ninputs = ["more.txt"]`, 'prompt "words" { path = "prompts/a.md" }\n'), { 'prompts/a.md': '' });
    for (const path of ['prompts/a.md', 'plan.md', 'more.txt']) expect((await project.bach(['affected', path])).stdout).toMatch(/^agent\/a\b/);
  });

  test.each(['«command» = ["true"]', '«shell» = "true"'])('[bach-agent-no-command] they take no %s', async (line) => {
    expect(await agentFault(`${SOUND}${line}`)).toEqual([expect.stringContaining('Unsupported argument')]);
  });
});
