import { findingAt, findingIn } from '../finding.mjs';
import { isFunction } from '../syntax.mjs';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/;

/** Parts of the language that we do without, and marks of unfinished work. */
export function* language(tree) {
  for (const module of tree.modules.values()) {
    const name = module.file.slice(module.file.lastIndexOf('/') + 1);
    if (!KEBAB.test(name)) yield findingIn(module.file, { rule: 'file-name', message: 'files are named in kebab-case' });
    yield* syntaxErrors(module);
    for (const node of module.nodes) yield* refusedNode(module, node);
    for (const comment of module.comments) yield* refusedComment(module, comment);
    yield* booleanParameters(module);
  }
}

function* syntaxErrors(module) {
  for (const { message, labels } of module.syntaxErrors) {
    yield findingAt(module, labels?.[0]?.start ?? 0, { rule: 'syntax', message });
  }
}

function* refusedNode(module, { type, start }) {
  if (type === 'TSAnyKeyword') yield findingAt(module, start, { rule: 'any', message: 'say the type, or unknown' });
  if (type === 'ExportDefaultDeclaration') {
    yield findingAt(module, start, { rule: 'default-export', message: 'exports have names' });
  }
  if (type === 'TSEnumDeclaration') {
    yield findingAt(module, start, { rule: 'enum', message: 'use a union of string literals' });
  }
}

function* refusedComment(module, { value, start }) {
  if (/@ts-(ignore|expect-error|nocheck)\b/.test(value)) {
    yield findingAt(module, start, { rule: 'ts-ignore', message: 'the compiler is not silenced' });
  }
  if (/\b(TODO|FIXME|XXX|HACK)\b/.test(value)) {
    yield findingAt(module, start, { rule: 'todo', message: 'what is left to do is an issue, not a comment' });
  }
}

function* booleanParameters(module) {
  for (const { node, name } of exportedFunctions(module.program)) {
    // `boolValue(true)` makes a value out of a boolean; that is no flag.
    if (node.params.length === 1 && /bool/i.test(name)) continue;
    for (const parameter of node.params.filter(isBoolean)) {
      const message = 'a call would read f(true); take an object or make two functions';
      yield findingAt(module, parameter.start, { rule: 'boolean-parameter', message });
    }
  }
}

function isBoolean(parameter) {
  if (parameter.type === 'AssignmentPattern') {
    return typeof parameter.right.value === 'boolean' || isBoolean(parameter.left);
  }
  const type = parameter.typeAnnotation?.typeAnnotation;
  if (type === undefined) return false;
  return (type.type === 'TSUnionType' ? type.types : [type]).some(({ type: kind }) => kind === 'TSBooleanKeyword');
}

/** Functions that other files can call: `{ name, node, statement }`; a setter takes its value by its nature. */
export function exportedFunctions(program) {
  const listed = new Set(program.body.flatMap(exportedNames));
  return program.body.flatMap((statement) => {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const isExported = declaration !== statement;
    return declared(declaration)
      .filter(({ name }) => isExported || listed.has(name))
      .map(({ name, node }) => ({ name, node, statement }));
  });
}

function exportedNames(statement) {
  if (statement.type !== 'ExportNamedDeclaration' || statement.source !== null) return [];
  return statement.specifiers.map(({ local }) => local.name);
}

function declared(declaration) {
  if (declaration?.type === 'FunctionDeclaration') return [{ name: declaration.id.name, node: declaration }];
  if (declaration?.type === 'ClassDeclaration') return publicMethods(declaration);
  if (declaration?.type !== 'VariableDeclaration') return [];
  return declaration.declarations
    .filter(({ init }) => init !== null && isFunction(init))
    .map(({ id, init }) => ({ name: id.name, node: init }));
}

function publicMethods({ id, body }) {
  return body.body
    .filter(({ type, kind, key, accessibility }) => {
      return type === 'MethodDefinition' && kind !== 'set' && key.type !== 'PrivateIdentifier' && accessibility !== 'private';
    })
    .map(({ value }) => ({ name: id.name, node: value }));
}
