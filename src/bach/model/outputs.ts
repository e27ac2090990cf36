import { valueOf } from './expressions.ts';
import type { Findings } from './findings.ts';
import { entriesOf, evaluate, itemsOf, type Attribute, type Value } from './hcl/index.ts';
import { LITERALS_ONLY } from './literals.ts';
import type { Output } from './project.ts';

/** Reads `outputs`: a list of paths, or an object that gives each path a name. Object form comes in key order. */
export function outputsOf(attribute: Attribute | undefined, subject: string, findings: Findings): readonly Output[] {
  if (attribute === undefined) return [];
  const value = valueOf(attribute.expression, { subject, scope: LITERALS_ONLY, findings });
  if (value === undefined) return [];
  const found = readOutputs(value);
  if (typeof found !== 'string') return found;
  findings.error(attribute.expression, `${subject}: ${found}`);
  return [];
}

/** The named outputs alone, without a word about faults: the target's own reading tells them. */
export function namedOutputsOf(attribute: Attribute | undefined): readonly Output[] {
  if (attribute === undefined) return [];
  const found = readOutputs(evaluate(attribute.expression, LITERALS_ONLY).value);
  return typeof found === 'string' ? [] : found.filter(({ name }) => name !== '');
}

function readOutputs(value: Value): readonly Output[] | string {
  const items = itemsOf(value);
  if (items !== undefined) return fromPairs(items.map((item) => ['', item]), 'list values must be strings');
  const entries = entriesOf(value);
  if (entries !== undefined) return fromPairs([...entries], 'map values must be strings');
  return 'must be a list or object';
}

function fromPairs(pairs: readonly (readonly [string, Value])[], complaint: string): readonly Output[] | string {
  const outputs: Output[] = [];
  for (const [name, value] of pairs) {
    if (value.kind !== 'string') return complaint;
    if (value.text === '' || value.text.includes('\0')) return 'paths must not be empty or hold a NUL character';
    outputs.push({ name, path: value.text });
  }
  return outputs;
}
