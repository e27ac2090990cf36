import { didYouMean } from '../../kernel/text/index.ts';
import { attributeOf, blocksOf, checkBody, checkLabels } from './block-reader.ts';
import { valueOf, type Reading } from './expressions.ts';
import type { Findings } from './findings.ts';
import { objectValue, stringValue, UNKNOWN, type Attribute, type Body, type Scope, type Span, type Value } from './hcl/index.ts';
import type { ProcessEnvironment } from './process-environment.ts';
import type { EnvironmentEntry } from './project.ts';
import { resolveAll, type Definition } from './resolve.ts';
import { VARIABLE_SCHEMA } from './schema.ts';

export interface VariableFacts {
  /** `--var name=value`, in the order given. */
  readonly overrides: readonly EnvironmentEntry[];
  readonly process: ProcessEnvironment;
  /** The process and the functions. */
  readonly outer: Scope;
}

interface Declaration {
  readonly name: string;
  readonly span: Span;
  readonly default: Definition | undefined;
}

/**
 * The object `var`: the value of each declared variable. First of: `--var`, `BACH_VAR_<name>`, `BACH_VAR_<NAME>`,
 * the default, the empty string.
 */
export function resolveVariables(body: Body, facts: VariableFacts, findings: Findings): Value {
  const declarations = declaredVariables(body, findings);
  const given = givenValues(declarations, facts, findings);
  return objectValue(withDefaults(declarations, given, { facts, findings }));
}

function declaredVariables(body: Body, findings: Findings): ReadonlyMap<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  for (const block of blocksOf(body, 'var')) {
    checkBody(block.body, VARIABLE_SCHEMA, findings);
    if (!checkLabels(block, VARIABLE_SCHEMA, findings)) continue;
    const name = block.labels[0]?.value ?? '';
    const first = declarations.get(name);
    if (first !== undefined) {
      findings.duplicate(block.header, `duplicate variable ${JSON.stringify(name)}`, first.span);
      continue;
    }
    const attribute = attributeOf(block.body, 'default');
    declarations.set(name, { name, span: block.header, default: attribute && definitionOf(name, attribute) });
  }
  return declarations;
}

/** Null means that there is none. */
function definitionOf(name: string, { expression }: Attribute): Definition | undefined {
  return expression.kind === 'null' ? undefined : { name, expression, span: expression };
}

function givenValues(
  declarations: ReadonlyMap<string, Declaration>,
  { overrides, process }: VariableFacts,
  findings: Findings,
): Map<string, Value> {
  const given = new Map<string, Value>();
  for (const { name, value } of overrides) {
    if (declarations.has(name)) given.set(name, stringValue(value));
    else tellUndeclared(name, declarations, findings);
  }
  for (const name of declarations.keys()) {
    if (given.has(name)) continue;
    const value = process.read(`BACH_VAR_${name}`) ?? process.read(`BACH_VAR_${name.toUpperCase()}`);
    if (value !== undefined) given.set(name, stringValue(value));
  }
  return given;
}

function tellUndeclared(name: string, declarations: ReadonlyMap<string, Declaration>, findings: Findings): void {
  const message = `override provided for undeclared variable ${JSON.stringify(name)}${didYouMean(name, declarations.keys())}`;
  findings.misname({ option: '--var', message, declared: [...declarations.keys()] });
}

function withDefaults(
  declarations: ReadonlyMap<string, Declaration>,
  given: ReadonlyMap<string, Value>,
  { facts, findings }: { readonly facts: VariableFacts; readonly findings: Findings },
): ReadonlyMap<string, Value> {
  const known = new Map(given);
  const open = [...declarations.values()].filter(({ name }) => !known.has(name));
  for (const { name, default: definition } of open) if (definition === undefined) known.set(name, stringValue(''));
  const defaults = open.map(({ default: definition }) => definition).filter((definition) => definition !== undefined);
  // The object grows with the map: each default sees what was resolved before it.
  const scope: Scope = {
    variables: new Map([['var', { kind: 'object', entries: known }]]),
    functions: new Map(),
    parent: facts.outer,
  };
  resolveAll(defaults, {
    dependency: ([root, name]) => (root === 'var' ? name : undefined),
    circular: ({ name, span }) => findings.error(span, `${subjectOf(name)} could not be resolved`),
    unresolved: (name) => known.set(name, UNKNOWN),
    evaluate: (definition) => {
      const value = defaultOf(definition, { findings, scope });
      if (value !== undefined) known.set(definition.name, value);
      return value;
    },
  });
  return known;
}

function defaultOf({ name, expression, span }: Definition, seen: Pick<Reading, 'scope' | 'findings'>): Value | undefined {
  const value = valueOf(expression, { subject: subjectOf(name), defines: subjectOf(name), ...seen });
  if (value === undefined || value.kind === 'string') return value;
  seen.findings.error(span, `${subjectOf(name)}: must be a string`);
  return undefined;
}

const subjectOf = (name: string): string => `variable ${JSON.stringify(name)} default`;
