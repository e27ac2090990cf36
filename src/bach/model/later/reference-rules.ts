import { didYouMean } from '../../../kernel/text/index.ts';
import type { Findings } from '../findings.ts';
import type { Block } from '../hcl/index.ts';
import type { AgentMode } from '../later.ts';
import type { Plugin, Target } from '../project.ts';
import { agentReferences } from './agents.ts';
import type { LaterBlocks } from './blocks.ts';
import type { LaterReference, ReferenceKind } from './reference.ts';

/** A map or a set of names. */
export interface Names {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** All that is known of a file once its blocks are decoded. */
export interface LaterPieces {
  readonly targets: ReadonlyMap<string, Target>;
  /** The blocks of the agents by the name of their target: the places of what they name. */
  readonly agentBlocks: ReadonlyMap<string, Block>;
  readonly later: LaterBlocks;
  readonly prompts: Names;
  readonly aliases: Names;
  readonly plugins: ReadonlyMap<string, Pick<Plugin, 'type'>>;
}

/** Reports names that mean nothing, or something else than is needed where they stand. */
export function checkLaterReferences(pieces: LaterPieces, findings: Findings): void {
  for (const reference of [...pieces.later.references, ...referencesOfAgents(pieces)]) {
    const fault = RULES[reference.kind](reference.name, pieces);
    if (fault === undefined) continue;
    const message = `${reference.subject} ${fault}`;
    if (reference.kind === 'judged-subject') findings.warning(reference.span, message);
    else findings.error(reference.span, message);
  }
}

function referencesOfAgents({ targets, agentBlocks }: LaterPieces): readonly LaterReference[] {
  return [...agentBlocks].flatMap(([name, block]) => {
    const settings = targets.get(name)?.agent;
    return settings === undefined ? [] : agentReferences(name, settings, block);
  });
}

/** What is wrong with a name, as the end of a message; nothing when all is well. */
type Rule = (name: string, pieces: LaterPieces) => string | undefined;

const RULES: Readonly<Record<ReferenceKind, Rule>> = {
  provider: (name, { later }) => missing(name, later.providers, 'references unknown provider'),
  'generic-provider': (name, { later }) =>
    later.providers.get(name)?.type === 'opencode' ? 'opencode provider is supported only for implement mode' : undefined,
  prompt: (name, { prompts }) => missing(name, prompts, 'references unknown prompt'),
  policy: attachedPolicy,
  'merge-subject': mergeSubject,
  'judged-subject': judgedSubject,
  'required-target': (name, { targets }) => missing(name, targets, 'references unknown required target'),
  reviewer,
  'quality-target': (name, { targets }) => missing(name, targets, 'references unknown target'),
  parser: parserPlugin,
  'phase-target': (name, { targets, aliases }) =>
    missing(name, new Set([...targets.keys(), ...aliases.keys()]), 'unknown target'),
  'phase-template': (name, { later }) => missing(name, later.agentTemplates, 'unknown agent template'),
  'implement-template': implementTemplate,
};

function missing(name: string, names: Names, what: string): string | undefined {
  return names.has(name) ? undefined : `${what} ${JSON.stringify(name)}${didYouMean(name, names.keys())}`;
}

/** One with a subject judges that subject alone, so it is not there to be attached. */
function attachedPolicy(name: string, { later: { policies } }: LaterPieces): string | undefined {
  if (policies.has(name)) return undefined;
  const unknown = `references unknown policy ${JSON.stringify(name)}`;
  const all = [...policies.values()];
  if (all.some((policy) => policy.name === name)) return `${unknown}: the one of this name has a subject of its own`;
  return `${unknown}${didYouMean(name, all.filter(({ subject }) => subject === '').map((policy) => policy.name))}`;
}

function mergeSubject(name: string, { targets }: LaterPieces): string | undefined {
  const subject = targets.get(name);
  if (subject === undefined) return missing(name, agentsOf('implement', targets), 'references unknown subject');
  if (subject.agent === undefined) return undefined;
  return subject.agent.mode === 'implement' ? undefined : `subject ${JSON.stringify(name)} must be mode implement`;
}

/** A warning: the file is whole without, and a policy that comes later makes the merge possible. */
function judgedSubject(name: string, { targets }: LaterPieces): string | undefined {
  const agent = targets.get(name)?.agent;
  if (agent?.mode !== 'implement' || agent.policy !== '') return undefined;
  return `subject ${JSON.stringify(name)} must declare an attached policy`;
}

function reviewer(name: string, { targets }: LaterPieces): string | undefined {
  const quoted = JSON.stringify(name);
  if (!name.startsWith('agent/')) return `reviewer ${quoted} must be an agent target`;
  const target = targets.get(name);
  if (target === undefined) return missing(name, agentsOf('review', targets), 'references unknown reviewer');
  // The settings of a faulty agent are not known.
  const mode = target.agent?.mode ?? 'review';
  return mode === 'review' ? undefined : `reviewer ${quoted} must be mode review`;
}

/** Those that may be meant. */
function agentsOf(mode: AgentMode, targets: LaterPieces['targets']): Names {
  return new Set([...targets.values()].filter(({ agent }) => agent?.mode === mode).map(({ name }) => name));
}

function parserPlugin(name: string, { plugins }: LaterPieces): string | undefined {
  const plugin = plugins.get(name);
  if (plugin === undefined) return missing(name, plugins, 'references unknown parser plugin');
  return plugin.type === 'quality' ? undefined : `parser plugin ${JSON.stringify(name)} must have type = "quality"`;
}

function implementTemplate(name: string, { later: { agentTemplates } }: LaterPieces): string | undefined {
  const template = agentTemplates.get(name);
  if (template === undefined) return missing(name, agentTemplates, 'unknown agent template');
  return template.mode === 'implement' ? undefined : `agent template ${JSON.stringify(name)} must be implement mode`;
}
