import { posix } from 'node:path';
import { joinPath } from '../common/paths.mjs';

/** What TypeScript reads where the name of its output is written. */
const SOURCES_OF = { '.js': ['.ts', '.tsx'], '.jsx': ['.tsx'], '.mjs': ['.mts'], '.cjs': ['.cts'] };
const DECLARATIONS_OF = { '.js': '.d.ts', '.jsx': '.d.ts', '.mjs': '.d.mts', '.cjs': '.d.cts' };
const ADDED = ['.ts', '.tsx', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.json'];
const SCRIPT = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const WHOLE_NAME = /\.(?:[cm]?[jt]s|[jt]sx|json)$/;
const TYPED_SCRIPT = /\.(?:[cm]?ts|tsx)$/;

/** True for a file that is read for its imports; all others are leaves. */
export function isScript(path) {
  return SCRIPT.test(path);
}

/** True where a `<` may begin JSX. In `.ts` it is the older form of a cast. */
export function mayHoldMarkup(path) {
  return /x$|\.[cm]?js$/.test(path);
}

/** The file that a path with or without an extension leads to, and the declarations of one that has no types itself. */
export function filesAt(tree, path) {
  const files = filesNamed(tree, path);
  return files.length === 0 && tree.isFolder(path) ? filesNamed(tree, joinPath(path, 'index')) : files;
}

/** Every name that a file would be found by, for a path that leads to none. */
export function namesSought(path) {
  if (WHOLE_NAME.test(path)) return [...sourcesOf(path), path];
  return [...namesOf(path), ...namesOf(joinPath(path, 'index'))];
}

function filesNamed(tree, path) {
  const file = firstFile(tree, namesOf(path));
  if (file !== undefined && TYPED_SCRIPT.test(file)) return [file];
  return [file, declarationsOf(path)].filter((name) => name !== undefined && tree.isFile(name));
}

function firstFile(tree, names) {
  for (const name of names) if (tree.isFile(name)) return name;
  return undefined;
}

function* namesOf(path) {
  yield* sourcesOf(path);
  yield path;
  for (const added of ADDED) yield `${path}${added}`;
}

function sourcesOf(path) {
  const extension = posix.extname(path);
  return (SOURCES_OF[extension] ?? []).map((source) => replaceExtension(path, source));
}

function declarationsOf(path) {
  const declared = DECLARATIONS_OF[posix.extname(path)];
  return declared === undefined ? `${path}.d.ts` : replaceExtension(path, declared);
}

function replaceExtension(path, extension) {
  return `${path.slice(0, -posix.extname(path).length)}${extension}`;
}
