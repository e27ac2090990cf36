/**
 * Every error that `src` declares, in two files: the table of `drover explain` and docs/errors.md.
 *
 * `node tools/error-table.mjs` says what is wrong with the declarations and whether the two files are up to date;
 * with `--write` it writes them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { collectErrors } from './error-table/collect.mjs';
import { documentOf, moduleOf } from './error-table/render.mjs';
import { ROOT } from './setup/host.mjs';

const { entries, problems } = await collectErrors(ROOT);
const outputs = { 'src/desk/explain/error-table.ts': moduleOf(entries), 'docs/errors.md': documentOf(entries) };
const write = process.argv.includes('--write');
const stale = Object.keys(outputs).filter((path) => contentOf(path) !== outputs[path]);

if (write) stale.forEach((path) => replace(path));
const told = write ? problems : [...problems, ...stale.map((path) => `${path} is out of date: node tools/error-table.mjs --write`)];
for (const line of told) process.stdout.write(`${line}\n`);
process.stdout.write(`errors: ${entries.length} declared, ${told.length} problems\n`);
process.exitCode = told.length === 0 ? 0 : 1;

function contentOf(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function replace(path) {
  mkdirSync(dirname(join(ROOT, path)), { recursive: true });
  writeFileSync(join(ROOT, path), outputs[path]);
}
