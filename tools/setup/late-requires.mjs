import { BESIDE } from '../entries.mjs';

/**
 * A plugin for the bundler: what a chunk takes from another chunk, or from a module of Node that is slow to load, is
 * loaded when it is first used and not when the chunk is. It rests on what holds for every source here: to load one
 * does nothing but define.
 *
 * Each chunk lists what it has not loaded under a symbol, so that a program that lives longer can load the rest before
 * an update takes the files away. What is started beside the programs does so by itself, at once.
 */

/** Modules of Node that take more than a millisecond, and that many commands do without. */
const SLOW = new Set(['node:child_process', 'node:crypto', 'node:fs/promises', 'node:net', 'node:timers/promises', 'node:worker_threads']);

export const lateRequires = {
  name: 'late-requires',
  renderChunk(code, { isEntry, name }) {
    const late = withLateRequires(code, this.parse(code));
    return { code: isEntry && Object.hasOwn(BESIDE, name) ? `${late}\n${LOAD_REST}` : late };
  },
};

const LOAD_REST = `const loaded$rest = new Set([exports]);
for (const module of loaded$rest) for (const take of module[Symbol.for("late")] ?? []) loaded$rest.add(take());
`;

function withLateRequires(code, program) {
  const declared = new Map();
  const chunks = [];
  const edits = [];
  for (const { node } of nodesBelow(program)) {
    const id = lateIdOf(node);
    if (id === undefined) continue;
    const [{ id: variable }] = node.declarations;
    if (declared.has(variable.name)) throw new Error(`${variable.name} stands for two modules in one chunk`);
    declared.set(variable.name, variable);
    if (id.startsWith('.')) chunks.push(variable.name);
    edits.push({ node, text: `let ${variable.name}$at; const ${variable.name} = () => ${variable.name}$at ??= require(${JSON.stringify(id)});` });
  }
  for (const { node, parent, key } of nodesBelow(program)) {
    const variable = node.type === 'Identifier' ? declared.get(node.name) : undefined;
    if (variable === undefined || variable === node || isPropertyName(parent, key)) continue;
    // The outer brackets keep `new name().Class()` a call of the class.
    edits.push({ node, text: `(${node.name}())` });
  }
  const list = chunks.length === 0 ? '' : `\nObject.defineProperty(exports, Symbol.for("late"), { value: [${chunks.join(', ')}] });\n`;
  return edited(code, edits) + list;
}

/** Of `const name = require(id)`, where the id is of a chunk or of a slow module. */
function lateIdOf(node) {
  if (node.type !== 'VariableDeclaration' || node.declarations.length !== 1) return undefined;
  const [{ id: variable, init }] = node.declarations;
  if (variable.type !== 'Identifier' || init?.type !== 'CallExpression' || init.callee.name !== 'require') return undefined;
  const id = init.arguments[0]?.value;
  return typeof id === 'string' && (id.startsWith('.') || SLOW.has(id)) ? id : undefined;
}

function isPropertyName({ type, computed }, key) {
  return !computed && ((type === 'MemberExpression' && key === 'property') || (type === 'Property' && key === 'key'));
}

function* nodesBelow(node) {
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type !== 'string') continue;
      yield { node: child, parent: node, key };
      yield* nodesBelow(child);
    }
  }
}

/** The last edit is made first, so that the places of the others stay true. */
function edited(code, edits) {
  const fromTheEnd = edits.toSorted((a, b) => b.node.start - a.node.start);
  return fromTheEnd.reduce((text, { node, text: instead }) => text.slice(0, node.start) + instead + text.slice(node.end), code);
}
