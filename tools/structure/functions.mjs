import { isFunction } from './syntax.mjs';

/** Nodes that add one path each; `case` counts only with a test, `??=` and its like as the operator they hold. */
const BRANCHES = new Set([
  'IfStatement',
  'ConditionalExpression',
  'LogicalExpression',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'CatchClause',
]);

/** Gathers `{ node, name, lines, cyclomatic, parameters }` of every function while the tree is walked. */
export function functionGatherer(lineAt) {
  const functions = new Map();
  return { functions: () => [...functions.values()], enter };

  function enter(node, ancestors) {
    if (isFunction(node)) functions.set(node, measure(node, ancestors));
    if (!isBranch(node)) return;
    const owner = ancestors.findLast(isFunction);
    if (owner !== undefined) functions.get(owner).cyclomatic += 1;
  }

  function measure(node, ancestors) {
    return {
      node,
      name: nameOf(node, ancestors.at(-1)),
      start: node.start,
      lines: lineAt(node.end) - lineAt(node.start) + 1,
      cyclomatic: 1,
      parameters: node.params.filter((parameter) => parameter.name !== 'this').length,
    };
  }
}

function isBranch(node) {
  if (BRANCHES.has(node.type)) return true;
  if (node.type === 'SwitchCase') return node.test !== null;
  return node.type === 'AssignmentExpression' && ['&&=', '||=', '??='].includes(node.operator);
}

function nameOf(node, parent) {
  const named = node.id ?? parent?.key ?? (parent?.type === 'VariableDeclarator' ? parent.id : undefined);
  return named?.name ?? 'a function';
}
