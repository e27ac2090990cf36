import type { Expression, SplatStep, TemplatePart } from '../../../src/bach/model/hcl/index.ts';

/**
 * A tree as nested parentheses: precedence, grouping, what belongs to a splat, which name stands where. Literals and
 * the words of a template are left out, so that `reference-shape.ts` can say the same of the reference's trees.
 */
export function shapeOf(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
    case 'boolean':
    case 'null':
      return 'lit';
    case 'variable':
      return `$${expression.name}`;
    case 'get-attribute':
      return `${shapeOf(expression.target)}.${expression.name}`;
    case 'index':
      return `${shapeOf(expression.target)}${keyShape(expression.key)}`;
    case 'splat':
      return splatShape(shapeOf(expression.source), expression.each);
    case 'template':
      return textShape(expression.parts);
    case 'template-wrap':
      return list('wrap', [shapeOf(expression.wrapped)]);
    case 'parentheses':
      return list('group', [shapeOf(expression.inner)]);
    case 'unary':
      return list(expression.operator, [shapeOf(expression.operand)]);
    case 'binary':
      return list(expression.operator, [shapeOf(expression.left), shapeOf(expression.right)]);
    case 'conditional':
      return list('?', [expression.condition, expression.whenTrue, expression.whenFalse].map(shapeOf));
    default:
      return containerShape(expression);
  }
}

type Container = Extract<Expression, { kind: 'call' | 'tuple' | 'object' | 'for' | 'invalid' }>;

function containerShape(expression: Container): string {
  switch (expression.kind) {
    case 'call':
      return list(`call ${expression.name}${expression.expandLast ? '...' : ''}`, expression.arguments.map(shapeOf));
    case 'tuple':
      return list('tuple', expression.items.map(shapeOf));
    case 'object':
      return list(
        'object',
        expression.items.map(({ key, literalKey, value }) => `${literalKey ? 'word' : shapeOf(key)}=${shapeOf(value)}`),
      );
    case 'for': {
      const { keyName, valueName, collection, key, value, condition, grouped } = expression;
      const parts = [collection, key, value, condition].filter((part) => part !== undefined);
      return list(`for ${namesShape(keyName, valueName)}${grouped ? '...' : ''}`, parts.map(shapeOf));
    }
    default:
      return '(invalid)';
  }
}

export function list(head: string, items: readonly string[]): string {
  return `(${[head, ...items].join(' ')})`;
}

export function namesShape(keyName: string | undefined, valueName: string): string {
  return keyName === undefined ? valueName : `${keyName},${valueName}`;
}

/** The reference folds constant keys into the traversal, so they look alike. */
function keyShape(key: Expression): string {
  const constant = key.kind === 'template' && key.parts.every((part) => part.kind === 'text');
  return constant ? '[lit]' : `[${shapeOf(key)}]`;
}

export function splatShape(source: string, each: readonly SplatStep[]): string {
  return list('splat', [source, each.reduce(stepShape, '@')]);
}

function stepShape(target: string, step: SplatStep): string {
  if (step.kind === 'attribute') return `${target}.${step.name}`;
  if (step.kind === 'index') return `${target}${keyShape(step.key)}`;
  return splatShape(target, step.each);
}

function textShape(parts: readonly TemplatePart[]): string {
  return list('text', parts.flatMap(partShapes));
}

function partShapes(part: TemplatePart): readonly string[] {
  switch (part.kind) {
    case 'text':
      return [];
    case 'interpolation':
      return [shapeOf(part.expression)];
    case 'template-if':
      return [list('?', [shapeOf(part.condition), textShape(part.whenTrue), textShape(part.whenFalse)])];
    default:
      return [list(`each ${namesShape(part.keyName, part.valueName)}`, [shapeOf(part.collection), textShape(part.body)])];
  }
}
