import type { Span } from '../hcl/index.ts';
import type { Reference } from '../references.ts';

/** What a name has to be; `reference-rules.ts` has one rule for each. */
export type ReferenceKind =
  | 'provider'
  /** A provider for an agent that does not implement. */
  | 'generic-provider'
  | 'prompt'
  | 'policy'
  | 'merge-subject'
  /** The subject of a merge, which cannot pass without a policy. */
  | 'judged-subject'
  | 'required-target'
  | 'reviewer'
  | 'quality-target'
  | 'parser'
  | 'phase-target'
  | 'phase-template'
  | 'implement-template';

/** A name that can be judged only when all blocks of the file are known. */
export interface LaterReference {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly span: Span;
  /** Begins the message: `agent_template "planner"`. */
  readonly subject: string;
}

/** The references that are there, as names to be judged later. */
export function judged(
  subject: string,
  kind: ReferenceKind,
  references: Iterable<Reference | undefined>,
): readonly LaterReference[] {
  const given = [...references].filter((reference) => reference !== undefined);
  return given.map(({ name, span }) => ({ kind, name, span, subject }));
}
