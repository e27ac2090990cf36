import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { walk } from '../structure/syntax.mjs';
import { filesBelow } from '../structure/tree.mjs';

const TESTS = ['test', 'it'];
/** What may stand behind them without keeping the test from being run. */
const RUN_ALL_THE_SAME = ['each', 'for', 'concurrent', 'sequential'];

/** The ids that titles of tests below a folder begin with, `[first, second] title`, each with its place. */
export function namedRules(root, folder) {
  const files = filesBelow(root, folder).filter((file) => file.endsWith('.test.ts'));
  return files.flatMap((file) => namedIn(file, readFileSync(join(root, file), 'utf8')));
}

/** Titles are read from the syntax tree, so that one in a comment or of a test that is left out proves nothing. */
function namedIn(file, text) {
  const { program, errors } = parseSync(file, text, { lang: 'ts' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  walk(program, (node, ancestors) => {
    if (node.type !== 'CallExpression' || !isRun(node, ancestors)) return;
    const line = text.slice(0, node.start).split('\n').length;
    for (const id of idsIn(titleOf(node))) found.push({ id, file, line });
  });
  return found;
}

function isRun(node, ancestors) {
  const [name, ...modifiers] = wordsOf(node.callee);
  if (!TESTS.includes(name) || !modifiers.every((word) => RUN_ALL_THE_SAME.includes(word))) return false;
  const around = ancestors.filter(({ type }) => type === 'CallExpression').map(({ callee }) => wordsOf(callee));
  return around.every(([first, ...rest]) => first !== 'describe' || rest.every((word) => RUN_ALL_THE_SAME.includes(word)));
}

/** `test.each([…])` and its like as words; nothing for what has another form. */
function wordsOf(callee) {
  if (callee.type === 'Identifier') return [callee.name];
  if (callee.type === 'CallExpression') return wordsOf(callee.callee);
  if (callee.type === 'TaggedTemplateExpression') return wordsOf(callee.tag);
  if (callee.type !== 'MemberExpression' || callee.computed) return [];
  return [...wordsOf(callee.object), callee.property.name];
}

function titleOf({ arguments: [title] }) {
  if (title?.type === 'Literal') return String(title.value);
  return title?.type === 'TemplateLiteral' ? title.quasis[0].value.cooked : '';
}

function idsIn(title) {
  const list = /^\[([^\]]*)\]/.exec(title)?.[1] ?? '';
  return list.split(/[\s,]+/).filter((id) => id !== '');
}
