/** The two files that show the entries of `collectErrors`. */

export function moduleOf(entries) {
  const rows = entries.map((entry) => `  ${literal(entry)},\n`);
  return [
    "import type { ErrorEntry } from './entry.ts';\n\n",
    '/** Written by `node tools/error-table.mjs --write` from every `errors.ts`, so that nothing of those is loaded for it. */\n',
    `export const ERROR_TABLE: readonly ErrorEntry[] = [\n${rows.join('')}];\n`,
  ].join('');
}

/** JSON with bare names, so that it reads like code. */
function literal({ code, rooms, exit, means, message, remedy }) {
  const fields = Object.entries({ code, rooms, exit, means, message, remedy }).filter(([, value]) => value !== undefined);
  return `{ ${fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')} }`;
}

export function documentOf(entries) {
  return `# Errors

Every error that drover and its commands tell, by its code. \`drover explain <code>\` shows the same. \`<name>\` stands
for what the error is about. The exit code is 1 unless said otherwise.

${[...byCode(entries)].map(([code, each]) => `## ${code}\n\n${each.map(sectionOf).join('\n')}`).join('\n')}`;
}

function byCode(entries) {
  const groups = new Map();
  for (const entry of entries) groups.set(entry.code, [...(groups.get(entry.code) ?? []), entry]);
  return groups;
}

function sectionOf({ exit, means, message, remedy }) {
  const exitText = exit === 1 ? '' : ` Exit code ${exit}.`;
  const rows = [`${escaped(means)}${exitText}\n\n`, ...quoted('Says', message), ...quoted('To do', remedy)];
  return rows.join('');
}

function quoted(label, text) {
  return text === undefined ? [] : [`- ${label}: ${inCode(text)}\n`];
}

/** Several lines would end the list. */
function inCode(text) {
  const line = text.replace(/\s*\n\s*/g, ' / ');
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function escaped(text) {
  return text.replace(/[<>]/g, (sign) => (sign === '<' ? '&lt;' : '&gt;'));
}
