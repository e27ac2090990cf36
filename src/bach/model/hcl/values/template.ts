import type { Expression, Template, TemplateFor, TemplateIf, TemplatePart } from '../ast.ts';
import { evaluateCondition } from './conditional.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import { loopScopes } from './loop.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { STRING } from './type.ts';
import { stringValue, UNKNOWN, type Value } from './value.ts';

export function evaluateTemplate(node: Template, scope: Scope, run: Run): Value {
  const text = joinParts(node.parts, scope, run);
  return text === undefined ? UNKNOWN : stringValue(text);
}

/** The text of all parts, `undefined` when one of them is not known; the others have been evaluated all the same. */
function joinParts(parts: readonly TemplatePart[], scope: Scope, run: Run): string | undefined {
  return joinKnown(parts.map((part) => partText(part, scope, run)));
}

function partText(part: TemplatePart, scope: Scope, run: Run): string | undefined {
  switch (part.kind) {
    case 'text':
      return part.value;
    case 'interpolation':
      return interpolatedText(part.expression, scope, run);
    case 'template-if':
      return branchText(part, scope, run);
    case 'template-for':
      return loopText(part, scope, run);
  }
}

function interpolatedText(expression: Expression, scope: Scope, run: Run): string | undefined {
  const value = run.value(expression, scope);
  const string = convert(value, STRING);
  if (string.kind === 'string') return string.text;
  if (string.kind !== 'unknown') {
    const detail = `the value to insert is ${describe(value)}; a string is expected`;
    run.fail(expression, { summary: 'Invalid template interpolation value', detail });
  }
  return undefined;
}

function branchText(part: TemplateIf, scope: Scope, run: Run): string | undefined {
  const truth = evaluateCondition(part.condition, scope, run);
  if (truth === undefined) return undefined;
  return joinParts(truth ? part.whenTrue : part.whenFalse, scope, run);
}

function loopText(part: TemplateFor, scope: Scope, run: Run): string | undefined {
  const scopes = loopScopes(part, scope, run);
  return scopes && joinKnown(scopes.map((each) => joinParts(part.body, each, run)));
}

function joinKnown(texts: readonly (string | undefined)[]): string | undefined {
  return texts.includes(undefined) ? undefined : texts.join('');
}
