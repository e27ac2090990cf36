import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { functionGatherer } from './functions.mjs';
import { globalGatherer } from './globals.mjs';
import { importsOf, targetOf } from './imports.mjs';
import { walk } from './syntax.mjs';

/** Reads and parses every source file below `<root>/src`; `files` are all paths there, with `/` between parts. */
export function readTree(root) {
  const files = filesBelow(root, 'src');
  const modules = files.filter((file) => file.endsWith('.ts')).map((file) => readModule(root, file));
  return { root, files: new Set(files), modules: new Map(modules.map((module) => [module.file, module])) };
}

/** All files below a folder of the root, relative to the root, sorted. */
export function filesBelow(root, folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).split(sep).join('/'))
      .sort();
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

/** One parsed file with everything that the rules and the figures ask about. */
function readModule(root, file) {
  const text = readFileSync(join(root, file), 'utf8');
  const { program, comments, errors } = parseSync(file, text, { lang: 'ts' });
  const lineAt = lineFinder(text);
  const nodes = [];
  const functions = functionGatherer((offset) => lineAt(offset).line);
  const globals = globalGatherer();
  walk(program, (node, ancestors) => {
    nodes.push(node);
    functions.enter(node, ancestors);
    globals.enter(node, ancestors);
  });
  return {
    file,
    text,
    program,
    comments,
    nodes,
    syntaxErrors: errors,
    functions: functions.functions(),
    globals: globals.globals(),
    imports: importsOf(program, nodes).map((each) => ({ ...each, ...resolved(file, each) })),
    lineCount: text.split('\n').length - (text.endsWith('\n') ? 1 : 0),
    lineAt,
  };
}

function resolved(file, { source }) {
  return { target: source === undefined ? {} : targetOf(file, source) };
}

/** `(offset) => { line, column }`, both from 1. */
function lineFinder(text) {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const line = lastAtMost(starts, offset);
    return { line: line + 1, column: offset - starts[line] + 1 };
  };
}

function lastAtMost(sorted, value) {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sorted[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
