import type { ReferenceNode } from './reference.ts';
import { list, namesShape } from './shape.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  modulo: '%',
  equal: '==',
  notEqual: '!=',
  greaterThan: '>',
  greaterThanOrEqual: '>=',
  lessThan: '<',
  lessThanOrEqual: '<=',
  logicalAnd: '&&',
  logicalOr: '||',
  logicalNot: '!',
  negate: '-',
};

/** What `shapeOf` says, of a tree that the reference made. */
export function referenceShape(node: ReferenceNode): string {
  const children = node.children.map(referenceShape);
  switch (node.type) {
    case 'literalValue':
      return 'lit';
    case 'scopeTraversal':
      return `$${stepsShape(node).slice(1)}`;
    case 'relativeTraversal':
      return `${children[0]}${stepsShape(node)}`;
    case 'index':
      return `${children[0]}[${children[1]}]`;
    case 'unaryOp':
    case 'binaryOp':
      return list(OPERATORS[text(node, 'operator')] ?? 'unknown', children);
    case 'conditional':
      return list('?', children);
    case 'templateWrap':
      return list('wrap', children);
    case 'template':
      return list('text', node.children.filter((child) => !isText(child)).map(referenceShape));
    case 'templateJoin':
      return forShape('each', node.children[0] ?? node);
    case 'function':
      return list(`call ${text(node, 'name')}${node.meta?.['expandedFinalArgument'] === true ? '...' : ''}`, children);
    case 'for':
      return forShape('for', node);
    case 'object':
      return list('object', pairShapes(node.children));
    // The reference names neither parentheses nor the element of a splat.
    case '':
      return children.length === 0 ? '@' : list('group', children);
    default:
      return list(node.type, children);
  }
}

function stepsShape(node: ReferenceNode): string {
  const steps = (node.meta?.['traversal'] ?? []) as readonly { type: string; segment?: string }[];
  return steps.map(({ type, segment }) => (type === 'nameTraversal' ? `.${segment}` : '[lit]')).join('');
}

function forShape(head: string, node: ReferenceNode): string {
  const keyName = text(node, 'keyVar');
  const names = namesShape(keyName === '' ? undefined : keyName, text(node, 'valVar'));
  const grouped = node.meta?.['groupedValue'] === true ? '...' : '';
  return list(`${head} ${names}${grouped}`, node.children.map(referenceShape));
}

/** Keys and values alternate; a key is wrapped once, and the wrapping of a bare word is empty. */
function pairShapes(children: readonly ReferenceNode[]): readonly string[] {
  return children.flatMap((key, index) => {
    const value = children[index + 1];
    if (index % 2 === 1 || value === undefined) return [];
    const [inner] = key.children;
    return [`${inner === undefined ? 'word' : referenceShape(inner)}=${referenceShape(value)}`];
  });
}

function isText({ type, meta }: ReferenceNode): boolean {
  return type === 'literalValue' && meta?.['type'] === 'string';
}

function text({ meta }: ReferenceNode, key: string): string {
  return String(meta?.[key] ?? '');
}
