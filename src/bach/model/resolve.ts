import { variablesOf, wordsOf, type Expression, type Span } from './hcl/index.ts';

/** Something with a name whose expression may refer to others of its kind. */
export interface Definition {
  readonly name: string;
  readonly expression: Expression;
  readonly span: Span;
}

export interface Resolver<Result> {
  /** Which definition a traversal of the expression means, by name. */
  readonly dependency: (path: readonly string[], from: Definition) => string | undefined;
  /** The value, or nothing after its fault was reported. */
  readonly evaluate: (definition: Definition) => Result | undefined;
  /** Told of each definition in a circle of references: no order can give it a value. */
  readonly circular: (definition: Definition) => void;
  /** Told of each definition without a value, so that what names it later is not told as well. */
  readonly unresolved: (name: string) => void;
}

/**
 * Evaluates each definition after those it refers to, whatever their order in the file.
 * One that refers to a failed one is left out in silence, so that each fault is told once.
 */
export function resolveAll<Result>(definitions: readonly Definition[], resolver: Resolver<Result>): void {
  const failed = new Set<string>();
  for (const { definition, circular, dependencies } of resolutionOrder(definitions, resolver.dependency)) {
    if (circular) resolver.circular(definition);
    const blocked = circular || dependencies.some((name) => failed.has(name));
    if (!blocked && resolver.evaluate(definition) !== undefined) continue;
    failed.add(definition.name);
    resolver.unresolved(definition.name);
  }
}

interface Resolution {
  readonly definition: Definition;
  readonly dependencies: readonly string[];
  readonly circular: boolean;
}

interface Frame {
  readonly definition: Definition;
  readonly dependencies: readonly string[];
  readonly pending: string[];
  circular: boolean;
}

function resolutionOrder(
  definitions: readonly Definition[],
  dependency: Resolver<unknown>['dependency'],
): readonly Resolution[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const state = new Map<string, 'open' | 'done'>();
  const order: Resolution[] = [];
  for (const { name } of definitions) if (!state.has(name)) visit(name);
  return order;

  function visit(root: string): void {
    const stack: Frame[] = [];
    enter(root, stack);
    for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
      const next = frame.pending.pop();
      if (next === undefined) leave(stack);
      else if (state.get(next) === 'open') markCircle(stack, next);
      else if (!state.has(next)) enter(next, stack);
    }
  }

  function enter(name: string, stack: Frame[]): void {
    const definition = byName.get(name);
    if (definition === undefined) return;
    state.set(name, 'open');
    const names = variablesOf(definition.expression).map((traversal) => dependency(wordsOf(traversal), definition));
    const dependencies = [...new Set(names)].filter((other) => other !== undefined);
    stack.push({ definition, dependencies, pending: dependencies.toReversed(), circular: false });
  }

  function leave(stack: Frame[]): void {
    const frame = stack.pop();
    if (frame === undefined) return;
    state.set(frame.definition.name, 'done');
    order.push(frame);
  }
}

function markCircle(stack: readonly Frame[], closing: string): void {
  const from = stack.findIndex(({ definition }) => definition.name === closing);
  for (const frame of stack.slice(from)) frame.circular = true;
}
