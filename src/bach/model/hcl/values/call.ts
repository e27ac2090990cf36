import { nearest } from '../../../../kernel/text/index.ts';
import type { Call, Span } from '../ast.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import type { Run } from './run.ts';
import { functionIn, namesIn, type HclFunction, type Parameter, type Scope } from './scope.ts';
import { isKnown, itemsOf, UNKNOWN, type UnknownValue, type Value } from './value.ts';

export function evaluateCall(node: Call, scope: Scope, run: Run): Value {
  const found = functionIn(scope, node.name);
  if (found === undefined) return unknownFunction(node, scope, run);
  const args = expandedArguments(node, scope, run);
  if (args === undefined) return UNKNOWN;
  if (!hasRightCount({ node, found, args }, run)) return UNKNOWN;
  const converted = args.map((arg, index) => convertArgument({ node, arg, parameter: parameterAt(found, index) }, run));
  if (!converted.every(isKnown)) return UNKNOWN;
  const result = found.call(converted);
  if (result.kind !== 'failure') return result;
  const at = result.argument === undefined ? undefined : args[result.argument];
  const detail = `${quoted(node)}: ${result.message}`;
  if (at === undefined) return run.fail(node, { summary: 'Error in function call', detail });
  return run.fail(at.span, { summary: 'Invalid function argument', detail });
}

interface Argument {
  readonly value: Value;
  readonly span: Span;
}

/** All arguments, the last one spread where it is followed by `...`; `undefined` when their number is not known. */
function expandedArguments(node: Call, scope: Scope, run: Run): readonly Argument[] | undefined {
  const args = node.arguments.map((argument) => ({ value: run.value(argument, scope), span: argument }));
  const last = args.at(-1);
  if (!node.expandLast || last === undefined) return args;
  if (last.value.kind === 'unknown') return undefined;
  const items = itemsOf(last.value);
  if (items !== undefined) return [...args.slice(0, -1), ...items.map((value) => ({ value, span: last.span }))];
  const detail = `the argument before ... is ${describe(last.value)}; a tuple is expected`;
  run.fail(last.span, { summary: 'Invalid expanding argument value', detail });
  return undefined;
}

interface CallWithArguments {
  readonly node: Call;
  readonly found: HclFunction;
  readonly args: readonly Argument[];
}

function hasRightCount({ node, found, args }: CallWithArguments, run: Run): boolean {
  const { parameters, variadic } = found;
  const wanted = `${quoted(node)} takes ${variadic ? 'at least ' : ''}${countOf(parameters.length)}`;
  const missing = parameters[args.length];
  if (missing !== undefined) {
    const detail = `${wanted} and got ${args.length}; a value for ${JSON.stringify(missing.name)} is missing`;
    run.fail({ start: node.end - 1, end: node.end }, { summary: 'Not enough function arguments', detail });
    return false;
  }
  const extra = variadic === undefined ? args[parameters.length] : undefined;
  if (extra === undefined) return true;
  run.fail(extra.span, { summary: 'Too many function arguments', detail: `${wanted} and got ${args.length}` });
  return false;
}

function parameterAt({ parameters, variadic }: HclFunction, index: number): Parameter | undefined {
  return parameters[index] ?? variadic;
}

interface Conversion {
  readonly node: Call;
  readonly arg: Argument;
  readonly parameter: Parameter | undefined;
}

function convertArgument({ node, arg, parameter }: Conversion, run: Run): Value {
  if (parameter === undefined) return arg.value;
  const name = `the argument ${JSON.stringify(parameter.name)} of ${quoted(node)}`;
  const summary = 'Invalid function argument';
  if (arg.value.kind === 'null') return run.fail(arg.span, { summary, detail: `${name} is null; a value is expected` });
  const converted = convert(arg.value, parameter.type);
  if (converted.kind !== 'failure') return converted;
  return run.fail(arg.span, { summary, detail: `${name} is not usable: ${converted.message}` });
}

function unknownFunction(node: Call, scope: Scope, run: Run): UnknownValue {
  // The arguments may have errors of their own.
  for (const argument of node.arguments) run.value(argument, scope);
  const names = namesIn(scope, 'functions');
  const near = nearest(node.name, names);
  const known = names.length === 0 ? 'no function can be called here' : `the functions are ${names.join(', ')}`;
  const hint = near === undefined ? known : `did you mean ${JSON.stringify(near)}? ${known}`;
  const detail = `there is no function named ${quoted(node)}; ${hint}`;
  return run.fail(node.nameSpan, { summary: 'Call to unknown function', detail });
}

function quoted(node: Call): string {
  return JSON.stringify(node.name);
}

function countOf(count: number): string {
  return count === 1 ? '1 argument' : `${count} arguments`;
}
