import type { Alias, Policy, Project, Target, TargetKind } from '../../../../src/bach/model/index.ts';

const NO_PLACE = { line: 1, column: 1, byte: 0 };
const NO_RANGE = { start: NO_PLACE, end: NO_PLACE };

/** A target by its canonical name, with nothing but what is given. */
export function target(name: string, fields: Partial<Target> = {}): Target {
  return {
    name,
    kind: name.slice(0, name.indexOf('/')) as TargetKind,
    description: '',
    when: '',
    cost: '',
    risks: { remote: false, destructive: false, requiresConfirmation: false },
    dependsOn: [],
    children: [],
    lock: '',
    timeoutMs: undefined,
    retry: undefined,
    quiet: false,
    operation: undefined,
    runnable: false,
    workdir: '',
    environment: [],
    tools: [],
    preflights: [],
    inputs: [],
    outputs: [],
    produces: [],
    successWhen: [],
    failWhen: [],
    agent: undefined,
    range: NO_RANGE,
    file: 'Bachfile',
    ...fields,
  };
}

/** The settings of an agent that implements under a policy. */
export function implementer(policyName: string): NonNullable<Target['agent']> {
  const names = { template: '', provider: '', role: '', prompt: '', plan: '', subject: '', policy: policyName };
  const workspace = { mode: 'worktree', path: '.bach/agents/x' };
  return { mode: 'implement', ...names, workspace, git: { branch: '', commit: '' }, improve: undefined };
}

export function policy(name: string, requiredTargets: readonly string[], fields: Partial<Policy> = {}): Policy {
  return { name, subject: '', subjectWorkspace: '', subjectCommit: '', reviewers: [], requiredTargets, gates: [], range: NO_RANGE, ...fields };
}

interface Parts {
  readonly targets: readonly Target[];
  readonly aliases?: readonly Alias[];
  readonly policies?: readonly Policy[];
  readonly inputs?: Readonly<Record<string, readonly string[]>>;
  readonly resources?: readonly string[];
}

export function project({ targets, aliases = [], policies = [], inputs = {}, resources = [] }: Parts): Project {
  const keyOf = ({ name, subject }: Policy): string => (subject === '' ? name : `${name}@${subject}`);
  return {
    name: 'test',
    file: 'Bachfile',
    root: undefined,
    defaultTarget: undefined,
    backend: { command: ['bach'], external: false, statePath: '.bach/state.db', config: {} },
    environment: [],
    profiles: { selected: [], environment: [], declared: [] },
    inputs: new Map(Object.entries(inputs).map(([name, sources]) => [name, { name, sources }])),
    resources: new Set(resources),
    plugins: new Map(),
    prompts: new Map(),
    aliases: new Map(aliases.map((alias) => [alias.name, alias])),
    providers: new Map(),
    agentTemplates: new Map(),
    policies: new Map(policies.map((each) => [keyOf(each), each])),
    qualities: new Map(),
    factories: new Map(),
    targets: new Map(targets.map((each) => [each.name, each])),
  };
}
