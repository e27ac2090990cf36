import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { EXTERNAL } from '../entries.mjs';
import { templateOf } from './template.mjs';

const DECLARATIONS = /\bdefineError\s*[<(]/g;
/** Where it is defined, and shown in an example. */
const DEFINITION = 'src/kernel/errors/define-error.ts';
/** What comes out when a text does more with its details than to name them. */
const NOT_SHOWN = /\b(undefined|NaN)\b|\[object /;
const NOTHING_BUT_A_DETAIL = /^<[^<>]*>$/;

/**
 * `{ entries, problems }`: `{ code, rooms, exit, means, message, remedy }` of every error that an `errors.ts` exports,
 * sorted by code, and sentences on what is wrong. Rooms that declare the very same error share an entry.
 */
export async function collectErrors(root) {
  const sources = sourcesBelow(root);
  const files = sources.filter((file) => basename(file) === 'errors.ts');
  const found = await definitionsOf(root, files);
  const problems = [...strayDeclarations(root, { sources, found }), ...found.flatMap(problemsOf)];
  return { entries: merged(found.map(entryOf)), problems };
}

function sourcesBelow(root) {
  return readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => join('src', file).split(sep).join('/'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
}

/** An error that is declared elsewhere, or not exported, would be missing from the table. */
function strayDeclarations(root, { sources, found }) {
  return sources.filter((file) => file !== DEFINITION).flatMap((file) => {
    const declared = [...readFileSync(join(root, file), 'utf8').matchAll(DECLARATIONS)].length;
    const exported = found.filter((each) => each.file === file).length;
    if (declared > 0 && basename(file) !== 'errors.ts') return [`${file}: an error is declared in the errors.ts of its room`];
    return declared > exported ? [`${file}: declares ${declared} and exports ${exported}`] : [];
  });
}

/** `{ file, name, definition }` of every exported error; the files are bundled, since Node 20 reads no TypeScript. */
async function definitionsOf(root, files) {
  const modules = await load(root, files);
  return files.flatMap((file, index) => definitionsIn(modules[`m${index}`]).map((each) => ({ file, ...each })));
}

/** An error stands for itself, or among others in an object. */
function definitionsIn(values) {
  return Object.entries(values ?? {}).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return definitionsIn(value);
    return typeof value === 'function' && value.definition !== undefined ? [{ name, definition: value.definition }] : [];
  });
}

async function load(root, files) {
  const { build } = await import('rolldown');
  const folder = mkdtempSync(join(tmpdir(), 'drover-errors-'));
  try {
    const entry = join(folder, 'entry.mjs');
    writeFileSync(entry, files.map((file, index) => `export * as m${index} from ${JSON.stringify(join(root, file))};\n`).join(''));
    const file = join(folder, 'bundle.mjs');
    await build({ input: entry, platform: 'node', external: EXTERNAL, output: { file, format: 'esm' }, logLevel: 'warn' });
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function problemsOf({ file, name, definition }) {
  const problem = (text) => `${file}: ${name} ${text}`;
  const { message, remedy } = textsOf(definition);
  return [
    ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(definition.code) ? [] : [problem(`has the code ${definition.code}, which is no kebab word`)]),
    ...(/[A-Za-z].*\.$/s.test(definition.means ?? '') ? [] : [problem('has no sentence in `means` for drover explain')]),
    ...(message === '' ? [problem('has a message that says nothing')] : []),
    ...(remedy === '' ? [problem('has a remedy that says nothing')] : []),
  ];
}

function entryOf({ file, definition }) {
  const room = file.slice('src/'.length, -'/errors.ts'.length);
  const { code, exit = 1, means = '' } = definition;
  return { code, rooms: [room], exit, means, ...textsOf(definition) };
}

/** A text that cannot be shown without its details is `undefined`, and `means` has to do. */
function textsOf({ message, remedy }) {
  return { message: shown(message), remedy: shown(remedy) };
}

function shown(text) {
  try {
    const template = templateOf(text);
    return NOT_SHOWN.test(template) || NOTHING_BUT_A_DETAIL.test(template) ? undefined : template;
  } catch {
    // It takes its details apart in a way that only real ones allow.
    return undefined;
  }
}

function merged(entries) {
  const byContent = new Map();
  for (const { rooms, ...content } of entries) {
    const key = JSON.stringify(content);
    byContent.set(key, { ...content, rooms: [...(byContent.get(key)?.rooms ?? []), ...rooms] });
  }
  return [...byContent.values()].sort((a, b) => order(a.code, b.code) || order(a.rooms[0], b.rooms[0]));
}

function order(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
