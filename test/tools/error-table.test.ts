import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectErrors } from '../../tools/error-table/collect.mjs';
import { temporaryFolder, writeFiles } from '../support/temp.ts';
import { checkout, ROOT, runTool } from './support.ts';

const DEFINE = readFileSync(join(ROOT, 'src/kernel/errors/define-error.ts'), 'utf8');
const KERNEL = {
  'src/kernel/errors/define-error.ts': DEFINE,
  'src/kernel/errors/index.ts': "export { defineError } from './define-error.ts';\n",
};
const GOOD = `{
  code: 'bad-file',
  means: 'The file is bad.',
  message: ({ path, sizes, most }) => \`\${path}:\${sizes.length > 0 ? sizes.map(String).join(', ') : ''} of \${most.maxBytes}\`,
  remedy: ({ path }) => \`mend \${JSON.stringify(path)}\`,
  exit: 2,
}`;
const ENTRY = {
  code: 'bad-file',
  rooms: ['engine'],
  exit: 2,
  means: 'The file is bad.',
  message: '<path>:<sizes> of <most.max-bytes>',
  remedy: 'mend "<path>"',
};

const declared = (fields: string): string =>
  `import { defineError } from '../kernel/errors/index.ts';\nexport const fault = defineError(${fields});\n`;

function collected(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  writeFiles(folder, { ...KERNEL, ...files });
  return collectErrors(folder);
}

test('the table and the page of this repository have every error, each with what it means', () => {
  const { status, stdout } = spawnSync(process.execPath, ['tools/error-table.mjs'], { cwd: ROOT, encoding: 'utf8' });
  expect(stdout).toMatch(/^errors: \d+ declared, 0 problems\n$/);
  expect(status).toBe(0);
});

// Slower than 5 s on a busy machine: each look is a program of its own.
test('the program writes both files, and finds them out of date when an error was added', () => {
  const clone = checkout();
  clone.linkPackages();
  writeFiles(clone.folder, { ...KERNEL, 'src/engine/errors.ts': declared(GOOD) });
  expect(runTool(clone, 'error-table.mjs', '--write')).toMatchObject({ status: 0, stdout: 'errors: 1 declared, 0 problems\n' });
  expect(readFileSync(join(clone.folder, 'src/desk/explain/error-table.ts'), 'utf8')).toContain(
    '  { code: "bad-file", rooms: ["engine"], exit: 2, means: "The file is bad.", message: "<path>:<sizes> of <most.max-bytes>", remedy: "mend \\"<path>\\"" },\n',
  );
  expect(readFileSync(join(clone.folder, 'docs/errors.md'), 'utf8')).toContain(
    '## bad-file\n\nThe file is bad. Exit code 2.\n\n- Says: `<path>:<sizes> of <most.max-bytes>`\n- To do: `mend "<path>"`\n',
  );
  writeFiles(clone.folder, { 'src/ledger/errors.ts': declared(GOOD.replace('bad-file', 'worse-file')) });
  expect(runTool(clone, 'error-table.mjs')).toMatchObject({
    status: 1,
    stdout: [
      'src/desk/explain/error-table.ts is out of date: node tools/error-table.mjs --write\n',
      'docs/errors.md is out of date: node tools/error-table.mjs --write\n',
      'errors: 2 declared, 2 problems\n',
    ].join(''),
  });
});

test('details are shown by their names', async () => {
  expect(await collected({ 'src/engine/errors.ts': declared(GOOD) })).toEqual({ entries: [ENTRY], problems: [] });
});

test('a text that takes its details apart, or is nothing but one, is left out', async () => {
  const fields = GOOD.replace(/message: .*/, "message: ({ kind }) => ({ a: 'x' })[kind],").replace(/remedy: .*/, 'remedy: ({ text }) => text,');
  const { entries, problems } = await collected({ 'src/engine/errors.ts': declared(fields) });
  expect({ entries, problems }).toEqual({ entries: [{ ...ENTRY, message: undefined, remedy: undefined }], problems: [] });
});

test('rooms that declare the same share an entry, others have their own, also in an object', async () => {
  const odd = GOOD.replace('bad.', 'odd.');
  const { entries } = await collected({
    'src/engine/errors.ts': declared(GOOD),
    'src/ledger/errors.ts': declared(GOOD),
    'src/agents/errors.ts': declared(odd).replace(/defineError\((.*)\);/s, '{ inner: { fault: defineError($1) } };'),
  });
  expect(entries.map(({ rooms, means }) => [rooms, means])).toEqual([
    [['agents'], 'The file is odd.'],
    [['engine', 'ledger'], 'The file is bad.'],
  ]);
});

test.each([
  ['no means', GOOD.replace(/ {2}means.*\n/, ''), 'fault has no sentence in `means` for drover explain'],
  ['means that are no sentence', GOOD.replace('The file is bad.', 'bad'), 'fault has no sentence in `means` for drover explain'],
  ['an odd code', GOOD.replace('bad-file', 'badFile'), 'fault has the code badFile, which is no kebab word'],
  ['no remedy', GOOD.replace(/remedy: .*/, "remedy: '',"), 'fault has a remedy that says nothing'],
  ['no message', GOOD.replace(/message: .*/, "message: () => '',"), 'fault has a message that says nothing'],
])('%s is a problem', async (_, fields, told) => {
  expect((await collected({ 'src/engine/errors.ts': declared(fields) })).problems).toEqual([`src/engine/errors.ts: ${told}`]);
});

test('an error that is declared elsewhere, or kept to itself', async () => {
  const { problems } = await collected({
    'src/engine/step.ts': declared(GOOD),
    'src/ledger/errors.ts': declared(GOOD).replace('export const', 'const'),
  });
  expect(problems).toEqual([
    'src/engine/step.ts: an error is declared in the errors.ts of its room',
    'src/ledger/errors.ts: declares 1 and exports 0',
  ]);
});
