import { posix } from 'node:path';

/** A path from the root as all of these modules have it: no dots, no slash at the end, the root itself empty. */
export function cleanPath(path) {
  const clean = posix.normalize(path).replace(/\/+$/, '');
  return clean === '.' ? '' : clean;
}

export function joinPath(...parts) {
  return cleanPath(posix.join(...parts));
}

/** Of a clean path. */
export function folderOf(path) {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Of a clean path. */
export function nameOf(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function isInside(path) {
  return path !== '..' && !path.startsWith('../') && !path.startsWith('/');
}

/** A path as an input of bach, which would take a `[` or a `*` in it for a pattern. */
export function asInput(path) {
  return path === '' ? '.' : path.replace(/[*?[\\]/g, String.raw`\$&`);
}

/** A pattern of `sources` as an input of bach. */
export function asPattern(pattern) {
  return pattern || '.';
}
