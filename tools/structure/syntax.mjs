/** Small helpers over the syntax tree of one file (ESTree with TypeScript nodes). */

/** Type nodes that hold an expression, which is code like any other. */
const EXPRESSION_HOLDERS = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSTypeAssertion',
  'TSInstantiationExpression',
]);

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

export function isFunction(node) {
  return FUNCTIONS.has(node.type) && node.body !== null;
}

/** Calls `enter(node, ancestors)` for every node, outermost first; `ancestors` ends with the parent. */
export function walk(root, enter, ancestors = []) {
  enter(root, ancestors);
  ancestors.push(root);
  for (const child of childrenOf(root)) walk(child, enter, ancestors);
  ancestors.pop();
}

/** True for nodes that only describe types and are gone at run time. */
export function isTypeOnly(node) {
  return node.type.startsWith('TS') && !EXPRESSION_HOLDERS.has(node.type);
}

/** True when the identifier reads a variable, and is no property, key, label or declaration. */
export function isReference(node, ancestors) {
  const parent = ancestors.at(-1);
  if (ancestors.some(isTypeOnly)) return false;
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed;
  if (isKey(parent)) return parent.value === node || (parent.computed && parent.key === node);
  return !DECLARING.has(parent.type);
}

const DECLARING = new Set([
  'ImportSpecifier',
  'ImportDefaultSpecifier',
  'ImportNamespaceSpecifier',
  'ExportSpecifier',
  'LabeledStatement',
  'BreakStatement',
  'ContinueStatement',
]);

function isKey(node) {
  return node.type === 'Property' || node.type === 'PropertyDefinition' || node.type === 'MethodDefinition';
}

/** The names that a pattern declares: `a`, `{ a, b: c }`, `[a, ...b]`, `a = 1`. */
export function* boundNames(pattern) {
  if (pattern === null || pattern === undefined) return;
  if (pattern.type === 'Identifier') yield pattern.name;
  if (pattern.type === 'AssignmentPattern') yield* boundNames(pattern.left);
  if (pattern.type === 'RestElement') yield* boundNames(pattern.argument);
  if (pattern.type === 'ArrayPattern') for (const element of pattern.elements) yield* boundNames(element);
  if (pattern.type === 'ObjectPattern') {
    for (const property of pattern.properties) yield* boundNames(property.value ?? property);
  }
}

function* childrenOf(node) {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode);
    else if (isNode(value)) yield value;
  }
}

function isNode(value) {
  return value !== null && typeof value === 'object' && typeof value.type === 'string';
}
