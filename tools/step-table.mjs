/**
 * `node tools/step-table.mjs [--write] [--root folder]`: the step table of ARCHITECTURE.md, from what every system
 * registers in a file `step-rows.ts` beside its handlers. Fails when the document says something else, or when a kind
 * of step lacks `perform`, `reconcile` or its row; `--write` puts the table into the document.
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { EXTERNAL } from './entries.mjs';
import { ROOT } from './setup/host.mjs';
import { filesBelow } from './structure/tree.mjs';

const DOCUMENT = 'ARCHITECTURE.md';
const ROWS = 'step-rows.ts';
const MARKS = ['<!-- the step table begins; tools/step-table.mjs --write -->', '<!-- the step table ends -->'];

const [rootFlag, rootPath] = process.argv.slice(process.argv.indexOf('--root'));
process.exitCode = await run(rootFlag === '--root' ? rootPath : ROOT, { write: process.argv.includes('--write') });

async function run(root, { write }) {
  try {
    const path = join(root, DOCUMENT);
    const text = readFileSync(path, 'utf8');
    const renewed = withTable(text, await tableOf(root));
    if (renewed === text) return told('up to date', 0);
    if (!write) return told(`${DOCUMENT} is behind the steps in src; write it with: node tools/step-table.mjs --write`, 1);
    writeFileSync(path, renewed);
    return told(`${DOCUMENT} written`, 0);
  } catch (error) {
    return told(error.message, 1);
  }
}

function told(what, code) {
  process.stderr.write(`step table: ${what}\n`);
  return code;
}

/** Loads the rows as the program would see them, which runs the checks of the registry. */
async function tableOf(root) {
  const files = filesBelow(root, 'src').filter((file) => file.endsWith(`/${ROWS}`));
  if (files.length === 0) throw new Error(`no ${ROWS} below src: the engine's own toy has one`);
  const folder = mkdtempSync(join(tmpdir(), 'drover-step-table-'));
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const inputs = ['src/engine/registry.ts', ...files];
    await bundle(folder, inputs.map((file) => join(root, file)));
    const [{ stepTable }, ...systems] = await Promise.all(inputs.map((_, index) => import(pathToFileURL(join(folder, `${index}.mjs`)))));
    return stepTable(systems.map(({ registeredSteps }) => registeredSteps));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function bundle(folder, inputs) {
  const input = Object.fromEntries(inputs.map((path, index) => [String(index), path]));
  const bundler = await rolldown({ input, platform: 'node', external: EXTERNAL, logLevel: 'warn' });
  await bundler.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: 'chunk-[name].mjs' });
  await bundler.close();
}

function withTable(text, table) {
  const [begin, end] = MARKS.map((mark) => text.indexOf(mark));
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for the table: ${MARKS.join(' ... ')}`);
  return `${text.slice(0, begin + MARKS[0].length)}\n\n${table}\n\n${text.slice(end)}`;
}
