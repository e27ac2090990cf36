import type { SpanDiagnostic } from '../../../src/bach/model/hcl/diagnostic.ts';
import { parseExpression } from '../../../src/bach/model/hcl/syntax/index.ts';
import {
  boolValue,
  evaluate,
  listValue,
  mapValue,
  NULL,
  nullValue,
  STRING,
  stringValue,
  toPlain,
  tupleOf,
  UNKNOWN,
  type HclFunction,
  type Plain,
  type Scope,
  type Value,
} from '../../../src/bach/model/hcl/values/index.ts';
import { valueOf } from './value-of.ts';

export interface TextEvaluation {
  readonly value: Value;
  readonly plain: Plain;
  readonly diagnostics: readonly SpanDiagnostic[];
}

/** Parses and evaluates; a text that does not parse is a mistake of the test. */
export function evaluateText(text: string, scope: Scope = SCOPE): TextEvaluation {
  const parsed = parseExpression(text);
  if (parsed.diagnostics.length > 0) throw new SyntaxError(`${text}: ${JSON.stringify(parsed.diagnostics)}`);
  const { value, diagnostics } = evaluate(parsed.expression, scope);
  return { value, plain: toPlain(value), diagnostics };
}

const join: HclFunction = {
  parameters: [{ name: 'separator', type: STRING }],
  variadic: { name: 'parts', type: STRING },
  call: ([separator, ...parts]) => stringValue(parts.map(toPlain).join(`${toPlain(separator ?? NULL)}`)),
};

const version: HclFunction = { parameters: [], call: () => stringValue('v1') };

const need: HclFunction = {
  parameters: [
    { name: 'name', type: STRING },
    { name: 'kind', type: STRING },
  ],
  call: ([name, kind]) => {
    if (toPlain(kind ?? NULL) === 'odd') return { kind: 'failure', message: 'the kind "odd" is not known', argument: 1 };
    if (toPlain(name ?? NULL) === 'none') return { kind: 'failure', message: 'there is nothing to read' };
    return name ?? NULL;
  },
};

/** What the tests' expressions may use. */
export const SCOPE: Scope = {
  variables: new Map<string, Value>([
    ['name', stringValue('ada')],
    ['count', valueOf(3)],
    ['yes', boolValue(true)],
    ['nothing', NULL],
    ['items', valueOf(['a', 'b', 'c'])],
    ['people', valueOf([{ name: 'ada', tags: ['x'] }, { name: 'bob', tags: [] }])],
    ['point', valueOf({ x: 1, y: { z: 'deep' } })],
    ['list', listValue([stringValue('p'), stringValue('q')], STRING)],
    ['map', mapValue([['k', stringValue('v')]], STRING)],
    ['null_tuple', nullValue(tupleOf([]))],
    ['unknown', UNKNOWN],
  ]),
  functions: new Map([
    ['join', join],
    ['version', version],
    ['need', need],
  ]),
};
