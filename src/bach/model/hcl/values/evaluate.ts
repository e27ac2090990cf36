import type { Expression } from '../ast.ts';
import type { SpanDiagnostic } from '../diagnostic.ts';
import { evaluateGetAttribute, evaluateIndex } from './access.ts';
import { evaluateCall } from './call.ts';
import { evaluateConditional } from './conditional.ts';
import { evaluateFor } from './for.ts';
import { readFloat } from './float-text.ts';
import { evaluateObject } from './object.ts';
import { evaluateBinary, evaluateUnary } from './operators.ts';
import type { Evaluation, Run } from './run.ts';
import type { Scope } from './scope.ts';
import { evaluateSplat } from './splat.ts';
import { evaluateTemplate } from './template.ts';
import { boolValue, NULL, numberValue, tupleValue, UNKNOWN, type Value } from './value.ts';
import { evaluateVariable } from './variable.ts';

/**
 * The value of an expression in a scope. Goes on after an error; each cause is reported once, at its span, and the
 * value is unknown where it depends on it.
 *
 * @example
 * evaluate(parseExpression('"v${major}.${1 + 1}"').expression, scope).value; // the string "v1.2"
 */
export function evaluate(expression: Expression, scope: Scope): Evaluation {
  const found = new Map<string, SpanDiagnostic>();
  const value = runInto(found).value(expression, scope);
  return { value, diagnostics: [...found.values()] };
}

function runInto(found: Map<string, SpanDiagnostic>): Run {
  const run: Run = {
    value: (expression, scope) => ruleFor(expression)(expression, scope, run),
    fail: (span, { summary, detail }) => {
      const key = `${span.start} ${span.end} ${summary}`;
      // Inside a loop the same place fails once for each element: the first says it.
      if (!found.has(key)) {
        found.set(key, { severity: 'error', summary, detail: sentence(detail), span: { start: span.start, end: span.end } });
      }
      return UNKNOWN;
    },
    silently: (expression, scope) => runInto(new Map()).value(expression, scope),
  };
  return run;
}

function sentence(clause: string): string {
  const end = /[?…]$/.test(clause) ? '' : '.';
  return clause.charAt(0).toUpperCase() + clause.slice(1) + end;
}

type Kind = Expression['kind'];
type Node<K extends Kind> = Extract<Expression, { kind: K }>;
type Rule<K extends Kind> = (node: Node<K>, scope: Scope, run: Run) => Value;

const RULES: { readonly [K in Kind]: Rule<K> } = {
  number: evaluateNumber,
  boolean: (node) => boolValue(node.value),
  null: () => NULL,
  template: evaluateTemplate,
  'template-wrap': (node, scope, run) => run.value(node.wrapped, scope),
  variable: evaluateVariable,
  'get-attribute': evaluateGetAttribute,
  index: evaluateIndex,
  splat: evaluateSplat,
  call: evaluateCall,
  conditional: evaluateConditional,
  binary: evaluateBinary,
  unary: evaluateUnary,
  parentheses: (node, scope, run) => run.value(node.inner, scope),
  tuple: (node, scope, run) => tupleValue(node.items.map((item) => run.value(item, scope))),
  object: evaluateObject,
  for: evaluateFor,
  // The parser has said what is wrong here.
  invalid: () => UNKNOWN,
};

/** The compiler cannot see that the rule found under a node's kind takes that node. */
function ruleFor(expression: Expression): (node: Expression, scope: Scope, run: Run) => Value {
  return RULES[expression.kind] as (node: Expression, scope: Scope, run: Run) => Value;
}

function evaluateNumber(node: Node<'number'>, _scope: Scope, run: Run): Value {
  const float = readFloat(node.text);
  if (typeof float !== 'string') return numberValue(float);
  const reason = float === 'out-of-range' ? 'too large or too small to be held' : 'not a number';
  return run.fail(node, { summary: 'Invalid number literal', detail: `${node.text.slice(0, 40)} is ${reason}` });
}
