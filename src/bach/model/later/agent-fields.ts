import type { AgentMode } from '../later.ts';
import type { Reference } from '../references.ts';
import { judged, type LaterReference } from './reference.ts';
import type { Section } from './section.ts';

const MODES: readonly AgentMode[] = ['implement', 'review', 'merge'];

/** What agents and their templates have in common, as one block has it. */
export interface AgentFields {
  /** Nothing where it is not set or faulty. */
  readonly mode: AgentMode | undefined;
  readonly provider: Reference | undefined;
  readonly prompt: Reference | undefined;
  readonly policy: Reference | undefined;
  readonly role: string;
}

export function agentFields(section: Section): AgentFields {
  return {
    mode: section.choice('mode', MODES, 'must be implement, review, or merge'),
    provider: section.reference('provider', 'provider'),
    prompt: section.reference('prompt', 'prompt'),
    policy: section.reference('policy', 'policy'),
    role: section.text('role'),
  };
}

/** What the block names, to be judged by the mode that holds for it in the end. */
export function fieldReferences(subject: string, fields: AgentFields, mode: AgentMode): readonly LaterReference[] {
  const { provider, prompt, policy } = fields;
  return [
    ...judged(subject, 'provider', [provider]),
    ...judged(subject, 'generic-provider', mode === 'implement' ? [] : [provider]),
    ...judged(subject, 'prompt', [prompt]),
    ...judged(subject, 'policy', [policy]),
  ];
}
