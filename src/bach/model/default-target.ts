import type { Findings } from './findings.ts';
import type { Attribute } from './hcl/index.ts';
import type { Alias } from './project.ts';
import { readReference, referenceText } from './references.ts';
import { targetHint } from './target-hint.ts';

interface Names {
  readonly targets: ReadonlySet<string>;
  readonly aliases: ReadonlyMap<string, Alias>;
}

/** The target of `project.default`, which may name an alias. */
export function defaultTargetOf(attribute: Attribute | undefined, { targets, aliases }: Names, findings: Findings): string | undefined {
  if (attribute === undefined || attribute.expression.kind === 'null') return undefined;
  const { expression } = attribute;
  const alias = aliases.get(referenceText(expression) ?? '');
  if (alias !== undefined) return alias.target;
  const parsed = readReference(expression);
  if (!('name' in parsed)) {
    // The reference shows the obsolete form without the name of the attribute, and nothing else.
    findings.error(expression, parsed.obsolete ? parsed.message : `project default: ${parsed.message}`);
    return undefined;
  }
  if (targets.has(parsed.name)) return parsed.name;
  const hint = targetHint(parsed.name, [...targets, ...aliases.keys()]);
  findings.error(expression, `default target ${JSON.stringify(parsed.name)} does not exist${hint}`);
  return undefined;
}
