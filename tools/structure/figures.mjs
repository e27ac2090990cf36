import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportedFunctions } from './rules/language.mjs';
import { filesBelow } from './tree.mjs';

/** A table of the sizes of `src/` beside what we aim for; it judges nothing. */
export function figuresTable(tree) {
  const modules = [...tree.modules.values()];
  const rows = [...sizes(modules), ...shares(modules), ...totals(tree, modules)];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map(([name, value, aim]) => `${name.padEnd(widths[0])}  ${value.padEnd(widths[1])}  ${aim}`.trimEnd() + '\n').join('');
}

function sizes(modules) {
  const functions = modules.flatMap((module) => module.functions);
  return [
    ['figure', 'median / p75 / p95 / max', 'aim'],
    ['file lines', spread(modules.map(({ lineCount }) => lineCount)), 'median <= 90, p95 <= 300, max 500'],
    ['function lines', spread(functions.map(({ lines }) => lines)), 'median <= 10, p95 <= 35, max 80'],
    ['cyclomatic', spread(functions.map(({ cyclomatic }) => cyclomatic)), 'p95 <= 6, max 15'],
    ['parameters', spread(functions.map(({ parameters }) => parameters)), 'p95 <= 3, max 4'],
    ['imports per file', spread(modules.map(({ imports }) => imports.length)), 'p95 <= 12, max 20'],
  ];
}

function shares(modules) {
  const nodes = modules.flatMap((module) => module.nodes);
  const declarations = nodes.filter(({ type }) => type === 'VariableDeclaration');
  const branches = nodes.filter(({ type }) => type === 'IfStatement');
  const properties = nodes.filter(({ type }) => type === 'TSPropertySignature' || type === 'PropertyDefinition');
  const exported = modules.flatMap((module) => exportedFunctions(module.program).map((each) => isDocumented(module, each)));
  return [
    ['readonly properties', share(properties, ({ readonly }) => readonly === true), '>= 90% in domain types'],
    ['let of let and const', share(declarations, ({ kind }) => kind === 'let'), ''],
    ['if with else', share(branches, ({ alternate }) => alternate !== null), ''],
    ['exported functions documented', share(exported, Boolean), ''],
  ];
}

function totals({ root }, modules) {
  const lines = sum(modules.map(({ lineCount }) => lineCount));
  const code = sum(modules.map(nonBlankLines));
  const comments = sum(modules.map(commentLines));
  const catches = modules.flatMap(({ nodes }) => nodes).filter(({ type }) => type === 'CatchClause').length;
  const tests = sum(filesBelow(root, 'test').filter((file) => file.endsWith('.ts')).map((file) => linesOf(join(root, file))));
  return [
    ['comment share', percent(comments, code), '8% to 15%, more where the API is documented'],
    ['catch per 1,000 lines', ((catches / Math.max(1, code - comments)) * 1000).toFixed(1), '<= 6'],
    ['files / lines', `${modules.length} / ${lines}`, ''],
    ['test lines / source lines', (tests / Math.max(1, lines)).toFixed(2), '1.5 to 3.0'],
  ];
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part) => sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0;
  return [at(0.5), at(0.75), at(0.95), at(1)].join(' / ');
}

function share(items, isCounted) {
  return percent(items.filter(isCounted).length, items.length);
}

function percent(part, whole) {
  return `${Math.round((part / Math.max(1, whole)) * 100)}%`;
}

function isDocumented({ text }, { statement }) {
  return text.slice(0, statement.start).trimEnd().endsWith('*/');
}

function nonBlankLines({ text }) {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}

function commentLines({ comments, lineAt, text }) {
  const whole = comments.filter(({ start }) => text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '');
  return sum(whole.map(({ start, end }) => lineAt(end).line - lineAt(start).line + 1));
}

function linesOf(path) {
  return readFileSync(path, 'utf8').split('\n').length - 1;
}

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
