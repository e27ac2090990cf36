/**
 * The targets that `exports` or `imports` of a package.json has for a subpath (`.`, `./x`, `#x`): those of every
 * condition, since which of them hold is for the runtime to say. `undefined` where the map knows no such subpath.
 *
 * @example
 * targetsOf({ './*': { types: './types/*.d.ts', default: './src/*.js' } }, './a'); // ['./types/a.d.ts', './src/a.js']
 */
export function targetsOf(map, subpath) {
  const entries = hasSubpaths(map) ? map : { '.': map };
  if (Object.hasOwn(entries, subpath) && !subpath.includes('*')) return leavesOf(entries[subpath]);
  const patterns = Object.keys(entries).filter((key) => matched(key, subpath) !== undefined);
  const [best] = patterns.sort((a, b) => prefixOf(b).length - prefixOf(a).length || b.length - a.length);
  if (best === undefined) return undefined;
  return leavesOf(entries[best]).map((target) => filledIn(target, matched(best, subpath)));
}

function hasSubpaths(map) {
  return isObject(map) && Object.keys(map).some((key) => key.startsWith('.') || key.startsWith('#'));
}

/** What the `*` of a key stands for; a key that ends in a slash is an older form of the same. */
function matched(key, subpath) {
  if (!key.includes('*') && !key.endsWith('/')) return undefined;
  const before = prefixOf(key);
  const after = key.includes('*') ? key.slice(before.length + 1) : '';
  const fits = subpath.length >= before.length + after.length && subpath.startsWith(before) && subpath.endsWith(after);
  return fits ? subpath.slice(before.length, subpath.length - after.length) : undefined;
}

function prefixOf(key) {
  return key.includes('*') ? key.slice(0, key.indexOf('*')) : key;
}

function filledIn(target, text) {
  return target.endsWith('/') ? `${target}${text}` : target.replaceAll('*', () => text);
}

/** A target of `null` is refused by the package. */
function leavesOf(value) {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(leavesOf) : [];
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
