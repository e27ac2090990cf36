import type { Expression, SplatStep, TemplatePart } from '../ast.ts';

/** The expressions directly below one, in source order. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'template':
      return partExpressions(expression.parts);
    case 'template-wrap':
      return [expression.wrapped];
    case 'get-attribute':
      return [expression.target];
    case 'index':
      return [expression.target, expression.key];
    case 'splat':
      return [expression.source, ...stepKeys(expression.each)];
    case 'call':
      return expression.arguments;
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'binary':
      return [expression.left, expression.right];
    case 'unary':
      return [expression.operand];
    case 'parentheses':
      return [expression.inner];
    case 'tuple':
      return expression.items;
    case 'object':
      return expression.items.flatMap(({ key, literalKey, value }) => (literalKey ? [value] : [key, value]));
    case 'for':
      return [expression.collection, expression.key, expression.value, expression.condition].filter(isPresent);
    default:
      return [];
  }
}

/** The keys that the steps of a splat evaluate. */
export function stepKeys(steps: readonly SplatStep[]): readonly Expression[] {
  return steps.flatMap((step) => {
    if (step.kind === 'index') return [step.key];
    return step.kind === 'splat' ? stepKeys(step.each) : [];
  });
}

function partExpressions(parts: readonly TemplatePart[]): readonly Expression[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'interpolation':
        return [part.expression];
      case 'template-if':
        return [part.condition, ...partExpressions(part.whenTrue), ...partExpressions(part.whenFalse)];
      case 'template-for':
        return [part.collection, ...partExpressions(part.body)];
      default:
        return [];
    }
  });
}

function isPresent(expression: Expression | undefined): expression is Expression {
  return expression !== undefined;
}
