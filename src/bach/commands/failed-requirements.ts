import type { Preflight, Project, TargetRunRecord, ToolRequirement } from '../model/index.ts';

/** What a target needed and the host did not have, as the Bachfile declares it. */
export interface FailedRequirements {
  readonly tools: readonly ToolRequirement[];
  readonly preflights: readonly Preflight[];
}

/** What stands in place of the operation when a run ended with its check of tools or of preflights. */
const TOOL_CHECK = 'required tool check';
const PREFLIGHT_CHECK = 'credential/session preflight';

/** Those that the message of a failed check names. What was taken out of the Bachfile since is not found. */
export function failedRequirements({ target, operation, message }: TargetRunRecord, { targets }: Project): FailedRequirements {
  const declared = targets.get(target);
  // Each begins a line; what a probe printed may follow in others.
  const isNamed = (label: string): boolean => `\n${message}`.includes(`\n- ${label} for `);
  return {
    tools: operation === TOOL_CHECK ? (declared?.tools ?? []).filter(({ name }) => isNamed(name)) : [],
    preflights: operation === PREFLIGHT_CHECK ? (declared?.preflights ?? []).filter(({ label }) => isNamed(label)) : [],
  };
}
