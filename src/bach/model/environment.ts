import { checkBlocks, checkLabels } from './block-reader.ts';
import { stringOf, stringsOf } from './expressions.ts';
import type { Findings } from './findings.ts';
import { stringValue, UNKNOWN, type Attribute, type Block, type Scope, type Value } from './hcl/index.ts';
import type { EnvironmentEntry } from './project.ts';
import { ENVIRONMENT_SCHEMA } from './schema.ts';
import { resolveAll, type Definition } from './resolve.ts';

export interface EnvironmentScope {
  /** What the values may name beside each other: `var`, the process, the entries of the project. */
  readonly outer: Scope;
  readonly findings: Findings;
}

const NO_FUNCTIONS: Scope['functions'] = new Map();

export interface Environment {
  /** In key order. */
  readonly entries: readonly EnvironmentEntry[];
  /** What an expression may name; a key whose value could not be had is unknown, so that it is told once. */
  readonly values: ReadonlyMap<string, Value>;
}

/** Reads `env` blocks that merge into one; a key may stand once. */
export function environmentOf(blocks: readonly Block[], scope: EnvironmentScope): Environment {
  if (blocks.length === 0) return { entries: [], values: new Map() };
  const definitions = definitionsOf(blocks, scope.findings);
  const values = new Map<string, Value>();
  const entries: EnvironmentEntry[] = [];
  const seen: Scope = { variables: values, functions: NO_FUNCTIONS, parent: scope.outer };
  resolveAll(definitions, {
    // A key that names itself means the value from outside: PATH = "${PATH}:bin".
    dependency: ([name], from) => (name === from.name ? undefined : name),
    circular: ({ name, span }) => scope.findings.error(span, `env ${JSON.stringify(name)} could not be resolved`),
    unresolved: (name) => values.set(name, UNKNOWN),
    evaluate: ({ name, expression }) => {
      const subject = `env ${JSON.stringify(name)}`;
      const value = stringOf(expression, { subject, defines: subject, findings: scope.findings, scope: seen });
      if (value === undefined) return undefined;
      values.set(name, stringValue(value));
      entries.push({ name, value });
      return value;
    },
  });
  return { entries: inKeyOrder(entries), values };
}

/** Reads the older list form, `env = ["KEY=value"]`. */
export function environmentList(attribute: Attribute, scope: EnvironmentScope): readonly EnvironmentEntry[] {
  const reading = { findings: scope.findings, subject: 'env', scope: scope.outer };
  const lines = stringsOf(attribute.expression, reading) ?? [];
  const entries: EnvironmentEntry[] = [];
  for (const line of lines) {
    const equals = line.indexOf('=');
    if (equals > 0) entries.push({ name: line.slice(0, equals), value: line.slice(equals + 1) });
    else scope.findings.error(attribute.expression, `env entry ${JSON.stringify(line)}: expected KEY=value`);
  }
  return entries;
}

/** Later entries win; the result is in key order. */
export function mergeEnvironments(...layers: readonly (readonly EnvironmentEntry[])[]): readonly EnvironmentEntry[] {
  const merged = new Map(layers.flat().map((entry) => [entry.name, entry]));
  return inKeyOrder([...merged.values()]);
}

function definitionsOf(blocks: readonly Block[], findings: Findings): readonly Definition[] {
  const seen = new Map<string, Definition>();
  for (const block of blocks) {
    checkLabels(block, ENVIRONMENT_SCHEMA, findings);
    checkBlocks(block.body, ENVIRONMENT_SCHEMA, findings);
    for (const { name, nameSpan, expression } of block.body.attributes) {
      const first = seen.get(name);
      if (first !== undefined) findings.duplicate(nameSpan, `duplicate env ${JSON.stringify(name)}`, first.span);
      else seen.set(name, { name, expression, span: expression });
    }
  }
  return [...seen.values()];
}

function inKeyOrder(entries: readonly EnvironmentEntry[]): readonly EnvironmentEntry[] {
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
}
