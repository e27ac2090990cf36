import type { Range } from '../../kernel/text/index.ts';

// Blocks whose meaning comes with later parts: decoded and checked here, so that a file is right or wrong as a whole.

export interface Provider {
  readonly name: string;
  readonly type: 'agent' | 'opencode';
  readonly command: readonly string[];
}

export type AgentMode = 'implement' | 'review' | 'merge';

export interface AgentTemplate {
  readonly name: string;
  readonly mode: AgentMode;
  readonly provider: string;
  readonly role: string;
  readonly prompt: string;
  readonly policy: string;
  /** Path and branch may hold placeholders such as `${work_item.id}`; empty ones mean the default of who uses them. */
  readonly workspace: { readonly mode: string; readonly path: string };
  readonly git: { readonly branch: string; readonly commit: string };
}

/** What an agent target says beyond the fields that all targets have; defaults and the template's values are filled in. */
export interface AgentSettings {
  readonly mode: AgentMode;
  readonly template: string;
  readonly provider: string;
  readonly role: string;
  readonly prompt: string;
  readonly plan: string;
  /** Canonical name of the subject; empty for none. */
  readonly subject: string;
  readonly policy: string;
  readonly workspace: { readonly mode: string; readonly path: string };
  readonly git: { readonly branch: string; readonly commit: string };
  readonly improve: { readonly maxAttempts: number; readonly until: string } | undefined;
}

export interface Threshold {
  readonly metric: string;
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** Among the policies of a project by name, one with a subject by `<name>@<subject>`. */
export interface Policy {
  readonly name: string;
  /** As written, such as `agent.checkout`; empty for a policy that agents attach. */
  readonly subject: string;
  readonly subjectWorkspace: string;
  readonly subjectCommit: string;
  /** Canonical. */
  readonly reviewers: readonly string[];
  /** Canonical. */
  readonly requiredTargets: readonly string[];
  readonly gates: readonly Threshold[];
  readonly range: Range;
}

export interface QualityReport {
  readonly kind: string;
  readonly path: string;
  readonly format: string;
  /** Plugin name; empty for a built-in format. */
  readonly parser: string;
}

export interface RegoPolicy {
  readonly path: string;
  readonly package: string;
  readonly allow: string;
  readonly findings: string;
}

export interface Quality {
  /** Canonical. */
  readonly target: string;
  readonly reports: readonly QualityReport[];
  readonly gates: readonly Threshold[];
  readonly regoPolicies: readonly RegoPolicy[];
}

export interface FactoryPhase {
  /** Empty for phases of which there is one. */
  readonly name: string;
  /** Canonical target or the name of an alias; empty for a phase that an agent template does. */
  readonly target: string;
  readonly agentTemplate: string;
  readonly path: string;
  readonly requiresApproval: boolean;
}

export interface Workflow {
  readonly name: string;
  readonly plan: FactoryPhase | undefined;
  readonly implement: FactoryPhase | undefined;
  readonly merge: FactoryPhase | undefined;
  readonly deploys: readonly FactoryPhase[];
  readonly verifies: readonly FactoryPhase[];
}

export interface ProviderTrigger {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly pollIntervalMs: number;
  /** By key, in key order. */
  readonly config: ReadonlyMap<string, string>;
  readonly routes: readonly { readonly label: string; readonly workflow: string }[];
}

export interface Factory {
  readonly name: string;
  readonly workflows: readonly Workflow[];
  /** Work items may be submitted by hand. */
  readonly manualTrigger: boolean;
  readonly providerTriggers: readonly ProviderTrigger[];
}
