import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

/**
 * What a file imports: `{ source, kind, start }`, with `kind` `static`, `dynamic` or `type` (erased at run time).
 * Re-exports are imports.
 */
export function importsOf(program, nodes) {
  const found = program.body.flatMap((statement) => {
    if (!isModuleStatement(statement) || statement.source === null) return [];
    return [{ source: statement.source.value, kind: isErased(statement) ? 'type' : 'static', start: statement.start }];
  });
  for (const node of nodes) {
    if (node.type === 'ImportExpression') found.push(inlineImport(node, 'dynamic'));
    if (node.type === 'TSImportType') found.push(inlineImport(node, 'type'));
  }
  return found;
}

/** `{ file }` for one of our own, `{ builtin }` for one of Node, `{ package }` for one of somebody else. */
export function targetOf(fromFile, source) {
  if (source.startsWith('.')) return { file: posix.join(posix.dirname(fromFile), source) };
  if (source.startsWith('node:') || isBuiltin(source)) return { builtin: `node:${source.replace(/^node:/, '')}` };
  const parts = source.split('/');
  return { package: parts.slice(0, source.startsWith('@') ? 2 : 1).join('/') };
}

function isModuleStatement({ type }) {
  return type === 'ImportDeclaration' || type === 'ExportNamedDeclaration' || type === 'ExportAllDeclaration';
}

function isErased(statement) {
  if ((statement.importKind ?? statement.exportKind) === 'type') return true;
  const specifiers = statement.specifiers ?? [];
  return specifiers.length > 0 && specifiers.every((each) => (each.importKind ?? each.exportKind) === 'type');
}

function inlineImport({ source, start }, kind) {
  const isLiteral = source.type === 'Literal' && typeof source.value === 'string';
  return { source: isLiteral ? source.value : undefined, kind, start };
}
