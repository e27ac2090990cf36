import type { AttributeScope } from '../attribute-reader.ts';
import type { Body } from '../hcl/index.ts';
import type { AgentTemplate, Factory, Policy, Provider, Quality } from '../later.ts';
import { decodeAgentTemplates } from './agent-templates.ts';
import { decodeFactories } from './factories.ts';
import { decodePolicies } from './policies.ts';
import { decodeProviders } from './providers.ts';
import { decodeQualities } from './qualities.ts';
import type { LaterReference } from './reference.ts';

export type LaterScope = AttributeScope;

/** The blocks of a file whose meaning comes later, in its order, and the names in them that are still to be judged. */
export interface LaterBlocks {
  readonly providers: ReadonlyMap<string, Provider>;
  readonly agentTemplates: ReadonlyMap<string, AgentTemplate>;
  /** By name, those with a subject by `<name>@<subject>`. */
  readonly policies: ReadonlyMap<string, Policy>;
  /** By canonical target name. */
  readonly qualities: ReadonlyMap<string, Quality>;
  readonly factories: ReadonlyMap<string, Factory>;
  /** For `checkLaterReferences`. */
  readonly references: readonly LaterReference[];
}

/**
 * Reads all `provider`, `agent_template`, `policy`, `quality` and `factory` blocks of a file and reports their faults.
 * Faulty blocks are among the result as far as they could be read, so that a fault is told once.
 */
export function decodeLaterBlocks(body: Body, scope: LaterScope): LaterBlocks {
  const providers = decodeProviders(body, scope);
  const templates = decodeAgentTemplates(body, scope);
  const policies = decodePolicies(body, scope);
  const qualities = decodeQualities(body, scope);
  const factories = decodeFactories(body, scope);
  return {
    providers: new Map(providers.map((provider) => [provider.name, provider])),
    agentTemplates: new Map(templates.map(({ template }) => [template.name, template])),
    policies: new Map(policies.map(({ key, policy }) => [key, policy])),
    qualities: new Map(qualities.map(({ quality }) => [quality.target, quality])),
    factories: new Map(factories.map(({ factory }) => [factory.name, factory])),
    references: [templates, policies, qualities, factories].flat().flatMap(({ references }) => references),
  };
}
