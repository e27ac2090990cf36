import { boundNames, isFunction, isReference } from './syntax.mjs';

/**
 * Gathers the uses of names that the file does not declare: `{ name, property, use, argument, start }`, where
 * `property` is the member that is read of it and `use` is `new`, `call` or `read`.
 *
 * A name that is declared anywhere in the file counts as its own everywhere in it: scopes are not followed. A name
 * imported from `node:process` or `node:console` stays the global that it is.
 */
export function globalGatherer() {
  const declared = new Set();
  const references = [];
  return { enter, globals: () => references.filter(({ name }) => !declared.has(name)) };

  function enter(node, ancestors) {
    for (const name of declaredBy(node)) declared.add(name);
    if (node.type === 'Identifier' && isReference(node, ancestors)) references.push(...usesOf(node, ancestors));
  }
}

function* declaredBy(node) {
  if (node.type === 'VariableDeclarator') yield* boundNames(node.id);
  if (node.type === 'CatchClause') yield* boundNames(node.param);
  if (isFunction(node)) for (const parameter of node.params) yield* boundNames(parameter);
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') yield* boundNames(node.id);
  if (node.type === 'ImportDeclaration' && !isGlobalModule(node.source.value)) {
    for (const specifier of node.specifiers) yield specifier.local.name;
  }
}

function isGlobalModule(source) {
  return /^(node:)?(process|console)$/.test(source);
}

/** One use, or one for each member where the name is taken apart: `const { exit } = process`. */
function usesOf(node, ancestors) {
  const parent = ancestors.at(-1);
  const use = { name: node.name, property: undefined, start: node.start };
  if (parent.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'ObjectPattern') {
    return parent.id.properties.map(({ key }) => ({ ...use, property: key?.name, use: 'read' }));
  }
  if (parent.type !== 'MemberExpression') return [{ ...use, ...appliedAs(node, parent) }];
  const property = parent.computed ? parent.property.value : parent.property.name;
  return [{ ...use, property, ...appliedAs(parent, ancestors.at(-2)) }];
}

function appliedAs(callee, parent) {
  if (parent?.callee !== callee) return { use: 'read', argument: undefined };
  return { use: parent.type === 'NewExpression' ? 'new' : 'call', argument: parent.arguments[0] };
}
