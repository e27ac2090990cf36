import type { Span, Splat, SplatStep } from '../ast.ts';
import { attributeOf, elementOf } from './access.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { unify } from './unify.ts';
import { isKnown, itemsOf, listValue, tupleValue, typeOf, UNKNOWN, type Value } from './value.ts';

export function evaluateSplat(node: Splat, scope: Scope, run: Run): Value {
  return expand({ source: run.value(node.source, scope), span: node.source, each: node.each, scope }, run);
}

interface Expansion {
  readonly source: Value;
  /** Where a source that cannot be expanded is reported. */
  readonly span: Span;
  readonly each: readonly SplatStep[];
  readonly scope: Scope;
}

/** Applies the steps to every element; a single value counts as one element, a null as none. */
function expand({ source, span, each, scope }: Expansion, run: Run): Value {
  if (source.kind === 'unknown') return UNKNOWN;
  if (source.kind === 'null') return expandNull(source.type.kind, span, run);
  if (source.kind === 'list' && each.length === 0) return source;
  const items = itemsOf(source) ?? [source];
  return sequenceLike(source, items.map((item) => each.reduce((value, step) => take(value, step), item)));

  function take(target: Value, step: SplatStep): Value {
    if (step.kind === 'attribute') return attributeOf({ target, name: step.name, span: step.nameSpan }, run);
    if (step.kind === 'splat') return expand({ source: target, span: step, each: step.each, scope }, run);
    return elementOf({ target, key: run.value(step.key, scope), span: step.key }, run);
  }
}

/** A null that was meant to be a sequence is a mistake; any other null is no value, so no element. */
function expandNull(type: string, span: Span, run: Run): Value {
  if (type !== 'list' && type !== 'tuple') return tupleValue([]);
  const detail = `the value before the splat is a null ${type}; a sequence that is not null is expected`;
  return run.fail(span, { summary: 'Splat of null value', detail });
}

/** A list gives a list, as long as the results have one type. */
function sequenceLike(source: Value, items: readonly Value[]): Value {
  const element = source.kind === 'list' && items.every(isKnown) ? unify(items.map(typeOf)) : undefined;
  return element === undefined ? tupleValue(items) : listValue(items, element);
}
