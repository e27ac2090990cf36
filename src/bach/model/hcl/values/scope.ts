import type { Failure } from './convert.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

/** The names that an expression may use; what is not here is looked for in the parent. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Value>;
  readonly functions: ReadonlyMap<string, HclFunction>;
  readonly parent?: Scope;
}

export interface Parameter {
  readonly name: string;
  /** `ANY` takes every value as it is. */
  readonly type: Type;
}

export interface HclFunction {
  readonly parameters: readonly Parameter[];
  /** Takes all arguments past the parameters, also none. */
  readonly variadic?: Parameter;
  /** Called with arguments that are known, not null and already of their parameters' types. Never throws. */
  call(args: readonly Value[]): Value | CallFailure;
}

export interface CallFailure extends Failure {
  /** The argument that is at fault, counted from 0; the whole call where it is left out. */
  readonly argument?: number;
}

export function variableIn(scope: Scope | undefined, name: string): Value | undefined {
  if (scope === undefined) return undefined;
  return scope.variables.get(name) ?? variableIn(scope.parent, name);
}

export function functionIn(scope: Scope | undefined, name: string): HclFunction | undefined {
  if (scope === undefined) return undefined;
  return scope.functions.get(name) ?? functionIn(scope.parent, name);
}

/** Names in the order of the scopes, the nearest first. */
export function namesIn(scope: Scope, member: 'variables' | 'functions'): readonly string[] {
  const outer = scope.parent === undefined ? [] : namesIn(scope.parent, member);
  return [...new Set([...scope[member].keys(), ...outer])];
}

const NO_FUNCTIONS: ReadonlyMap<string, HclFunction> = new Map();

/** The scope inside a `for`. */
export function childScope(parent: Scope, variables: ReadonlyMap<string, Value>): Scope {
  return { variables, functions: NO_FUNCTIONS, parent };
}
