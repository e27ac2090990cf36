import { findingAt } from '../finding.mjs';
import { isPureKernelRoom, isPureRoom, placeOf } from '../rooms.mjs';

const PACKAGES = ['js-yaml', 'smol-toml', 'yaml'];

const AMBIENT = new Set([
  'process',
  'console',
  'performance',
  'crypto',
  'fetch',
  'globalThis',
  'navigator',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'require',
]);

/**
 * `model/` and `decide/` give the same answer for the same input: what their value imports reach, through whatever
 * number of files, does no I/O and asks no clock, no dice, no process and no locale. Types may come from anywhere.
 */
export function* purity(tree) {
  const impureBeyond = reachFinder(tree);
  for (const module of tree.modules.values()) {
    if (!isPure(module.file)) continue;
    for (const { start, what } of impuritiesOf(module)) {
      yield findingAt(module, start, { rule: 'pure', message: `${what} has no place in pure code` });
    }
    for (const { target, kind, start } of module.imports) {
      if (kind === 'type' || !tree.modules.has(target.file) || isPure(target.file)) continue;
      const message = impureKernelRoom(target.file) ?? impureBeyond(target.file);
      if (message !== undefined) yield findingAt(module, start, { rule: 'pure', message });
    }
  }
}

function isPure(file) {
  const place = placeOf(file);
  return place !== undefined && isPureRoom(place);
}

function impureKernelRoom(file) {
  const place = placeOf(file);
  if (place?.folder !== 'kernel' || isPureKernelRoom(place)) return undefined;
  return `${place.path} is no pure room: import only types from it`;
}

/** `(file) => message` naming the way to the first impurity that the file reaches by value imports. */
function reachFinder({ modules }) {
  return (file) => {
    const cameFrom = new Map([[file, undefined]]);
    for (const current of cameFrom.keys()) {
      const module = modules.get(current);
      const [impurity] = impuritiesOf(module);
      if (impurity !== undefined) return `reaches ${impurity.what} by ${wayTo(cameFrom, current)}`;
      for (const { target, kind } of module.imports) {
        if (kind === 'type' || !modules.has(target.file) || cameFrom.has(target.file)) continue;
        cameFrom.set(target.file, current);
      }
    }
    return undefined;
  };
}

function wayTo(cameFrom, file) {
  const way = [];
  for (let step = file; step !== undefined; step = cameFrom.get(step)) way.unshift(step);
  return way.join(' -> ');
}

function impuritiesOf(module) {
  return [...impureImports(module), ...impureGlobals(module), ...localeMethods(module)];
}

function* impureImports({ imports }) {
  for (const { target, kind, start } of imports) {
    if (kind === 'type') continue;
    if (target.builtin !== undefined) yield { start, what: target.builtin };
    if (target.package !== undefined && !PACKAGES.includes(target.package)) yield { start, what: target.package };
  }
}

function* impureGlobals({ globals }) {
  for (const { name, property, use, argument, start } of globals) {
    const what = property === undefined ? name : `${name}.${property}`;
    if (AMBIENT.has(name) || isClock({ name, property, use }) || what === 'Math.random') yield { start, what };
    if (name === 'Intl' && !isFixedSegmenter({ property, use, argument })) yield { start, what };
  }
}

function isClock({ name, property, use }) {
  return name === 'Date' && (property === 'now' || (property === undefined && use !== 'read'));
}

/** Cutting text into grapheme clusters depends on no locale once one is named. */
function isFixedSegmenter({ property, use, argument }) {
  return property === 'Segmenter' && use === 'new' && typeof argument?.value === 'string';
}

function* localeMethods({ nodes }) {
  for (const node of nodes) {
    if (node.type !== 'MemberExpression' || node.computed) continue;
    const { name } = node.property;
    if (/^toLocale|^localeCompare$/.test(name)) yield { start: node.property.start, what: name };
  }
}
