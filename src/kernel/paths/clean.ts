/**
 * The shortest path that means the same without looking at the disk, as Go's `filepath.Clean` gives it:
 * no `.`, no doubled or trailing slash, `..` taken back where possible. An empty path is `.`.
 *
 * @example
 * cleanPath('a//b/../c/'); // 'a/c'
 */
export function cleanPath(path: string): string {
  const parts = partsOf(path);
  if (path.startsWith('/')) return `/${parts.join('/')}`;
  return parts.length === 0 ? '.' : parts.join('/');
}

/**
 * Joins and cleans, as Go's `filepath.Join` does: empty parts are left out, and nothing but empty parts is empty.
 * A later absolute part does not start over: `joinPath('/a', '/b')` is `/a/b`.
 */
export function joinPath(...parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '');
  return filled.length === 0 ? '' : cleanPath(filled.join('/'));
}

/** The names in a cleaned path; a rooted one has no `..`, a relative one only at its start. */
export function partsOf(path: string): readonly string[] {
  const rooted = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') {
      parts.push(part);
      continue;
    }
    const canGoBack = parts.length > 0 && parts.at(-1) !== '..';
    if (canGoBack) parts.pop();
    if (!canGoBack && !rooted) parts.push('..');
  }
  return parts;
}
