import { parseHcl } from '../../../src/bach/model/hcl/syntax/index.ts';
import type { Block, Body } from '../../../src/bach/model/hcl/ast.ts';
import {
  convert,
  equalValues,
  toPlain,
  typeOf,
  typeText,
  type Type,
  type Value,
} from '../../../src/bach/model/hcl/values/index.ts';
import { decode } from './decode.ts';
import { constant, readSchema, readType } from './schema.ts';

/** The texts of one case: the input, its `.hcldec` schema and its `.t` expectation. */
export interface ConformanceCase {
  readonly input: string;
  readonly schema: string;
  readonly expected: string;
}

/** Runs a case; what it says is not as expected, one line each, so that none means it passed. */
export function differencesOf(given: ConformanceCase): readonly string[] {
  const expected = readExpectation(parseOwn(given.expected));
  const actual = run(given.input, readSchema(parseOwn(given.schema)));
  return [
    ...differencesInDiagnostics(expected.diagnostics, actual.diagnostics),
    ...(expected.type === undefined ? [] : differencesInType(expected.type, actual.value)),
    ...(expected.result === undefined ? [] : differencesInResult(expected.result, actual.value, expected.type)),
    ...(expected.hasNoTraversals && actual.variables.length > 0 ? [`uses ${actual.variables.join(', ')}`] : []),
  ];
}

interface Expectation {
  readonly result: Value | undefined;
  readonly type: Type | undefined;
  readonly diagnostics: readonly string[];
  readonly hasNoTraversals: boolean;
}

function readExpectation(body: Body): Expectation {
  const expression = (name: string) => body.attributes.find((each) => each.name === name)?.expression;
  const blocks = (type: string) => body.blocks.filter((each) => each.type === type);
  const [result, type] = [expression('result'), expression('result_type')];
  const traversals = blocks('traversals')[0];
  if (traversals !== undefined && traversals.body.blocks.length > 0) throw new TypeError('expected traversals are not read');
  return {
    result: result && constant(result),
    type: type && readType(type),
    diagnostics: blocks('diagnostics').flatMap((each) => each.body.blocks.map(expectedDiagnostic)),
    hasNoTraversals: traversals !== undefined,
  };
}

function expectedDiagnostic({ type, body }: Block): string {
  const place = (name: string) => {
    const block = body.blocks.find((each) => each.type === name);
    const number = (key: string) => {
      const attribute = block?.body.attributes.find((each) => each.name === key);
      return attribute === undefined ? Number.NaN : Number(toPlain(constant(attribute.expression)));
    };
    return { line: number('line'), column: number('column'), byte: number('byte') };
  };
  return describeDiagnostic(type, place('from'), place('to'));
}

interface Place {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

function describeDiagnostic(severity: string, from: Place, to: Place): string {
  return `${severity} ${[from, to].map(({ line, column, byte }) => `${line}:${column} (byte ${byte})`).join(' to ')}`;
}

interface Outcome {
  readonly value: Value | undefined;
  readonly diagnostics: readonly string[];
  readonly variables: readonly string[];
}

/** As hcldec does: what does not parse is not decoded. */
function run(input: string, schema: ReturnType<typeof readSchema>): Outcome {
  const { body, diagnostics, source } = parseHcl(input);
  const decoded = diagnostics.length > 0 ? undefined : decode(body, schema);
  return {
    value: decoded?.value,
    diagnostics: [...diagnostics, ...(decoded?.diagnostics ?? [])].map(({ severity, span }) => {
      const range = source.range(span);
      return describeDiagnostic(severity, range.start, range.end);
    }),
    variables: [...variableNames(body)],
  };
}

/** The names of all variables anywhere in a tree. */
function* variableNames(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  if ('kind' in node && node.kind === 'variable' && 'name' in node) yield `${node.name}`;
  for (const part of Object.values(node)) yield* variableNames(part);
}

function differencesInDiagnostics(expected: readonly string[], actual: readonly string[]): readonly string[] {
  return [
    ...expected.filter((each) => !actual.includes(each)).map((each) => `no ${each}`),
    ...actual.filter((each) => !expected.includes(each)).map((each) => `unexpected ${each}`),
    ...(actual.length > expected.length ? [`${actual.length} diagnostics for ${expected.length}`] : []),
  ];
}

function differencesInType(expected: Type, actual: Value | undefined): readonly string[] {
  const [wanted, given] = [typeText(expected), actual === undefined ? 'nothing' : typeText(typeOf(actual))];
  return wanted === given ? [] : [`the type is ${given}, not ${wanted}`];
}

function differencesInResult(expected: Value, actual: Value | undefined, type: Type | undefined): readonly string[] {
  const wanted = type === undefined ? expected : convert(expected, type);
  if (wanted.kind === 'failure') return [`the expected result is not of its own type: ${wanted.message}`];
  if (actual !== undefined && equalValues(wanted, actual)) return [];
  return [`the result is ${actual && JSON.stringify(toPlain(actual))}, not ${JSON.stringify(toPlain(wanted))}`];
}

function parseOwn(text: string): Body {
  const { body, diagnostics } = parseHcl(text);
  if (diagnostics.length > 0) throw new SyntaxError(JSON.stringify(diagnostics));
  return body;
}
