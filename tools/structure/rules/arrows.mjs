import { findingAt, findingIn } from '../finding.mjs';
import { forbiddenArrow, isSystem, JOINING_FILE, placeOf } from '../rooms.mjs';

/** Files live in a room of the house, imports resolve, and they go along the arrows, type imports included. */
export function* arrows(tree) {
  for (const module of tree.modules.values()) {
    const place = placeOf(module.file);
    if (place === undefined) yield findingIn(module.file, { rule: 'room', message: 'no room of the house is here' });
    else yield* arrowsFrom(tree, module, place);
  }
}

function* arrowsFrom(tree, module, place) {
  const joined = new Set();
  for (const { target, source, start } of module.imports) {
    const message = brokenImport(tree, { target, source }) ?? brokenArrow(place, target);
    if (message !== undefined) yield findingAt(module, start, { rule: 'arrow', message });
    const system = systemOf(target);
    if (system === undefined || joined.has(system)) continue;
    joined.add(system);
    if (joined.size === 2 && module.file !== JOINING_FILE) {
      yield findingAt(module, start, { rule: 'join', message: `${[...joined].join(' and ')} meet only in ${JOINING_FILE}` });
    }
  }
}

function brokenImport(tree, { target, source }) {
  if (source === undefined) return 'the name of an import is a literal, or nobody can check it';
  if (target.file === undefined || tree.modules.has(target.file)) return undefined;
  return `${source} is no source file of ours; imports name the file with .ts`;
}

function brokenArrow(place, { file }) {
  const to = file === undefined ? undefined : placeOf(file);
  return to === undefined ? undefined : forbiddenArrow(place, to);
}

function systemOf({ file }) {
  const folder = file === undefined ? undefined : placeOf(file)?.folder;
  return folder !== undefined && isSystem(folder) ? folder : undefined;
}
