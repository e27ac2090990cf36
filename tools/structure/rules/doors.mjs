import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { findingAt, findingIn } from '../finding.mjs';
import { placeOf } from '../rooms.mjs';

const README_LINES = 25;

/** Whoever is outside a room imports its `index.ts` and nothing else of it; each room has its README. */
export function* doors(tree) {
  const rooms = roomsOf(tree);
  for (const room of rooms) yield* describedRoom(tree, room);
  for (const module of tree.modules.values()) {
    for (const { target, kind, start } of module.imports) {
      if (!tree.modules.has(target.file) || isVerbOnItsOwn(module.file, { target, kind })) continue;
      const room = roomEntered(rooms, { from: module.file, to: target.file });
      if (room === undefined || target.file === `${room}/index.ts`) continue;
      yield findingAt(module, start, { rule: 'door', message: `enter ${room} by its index.ts, not by ${target.file}` });
    }
  }
}

/** The rooms of the house that have files, and every folder that has a door of its own. */
function roomsOf({ modules }) {
  const rooms = new Set();
  for (const file of modules.keys()) {
    const place = placeOf(file);
    if (place !== undefined) rooms.add(place.path);
    if (posix.basename(file) === 'index.ts') rooms.add(posix.dirname(file));
  }
  return [...rooms].sort();
}

function* describedRoom({ files, root }, room) {
  const readme = `${room}/README.md`;
  if (!files.has(readme)) {
    yield findingIn(readme, { rule: 'readme', message: 'each room says in a README.md what it promises' });
    return;
  }
  const lines = readFileSync(join(root, readme), 'utf8').trimEnd().split('\n').length;
  if (lines <= README_LINES) return;
  yield findingIn(readme, { rule: 'readme', message: `${lines} lines; a room is told in at most ${README_LINES}` });
}

/** The outermost room that holds the target and not the importing file. */
function roomEntered(rooms, { from, to }) {
  return rooms.find((room) => to.startsWith(`${room}/`) && !from.startsWith(`${room}/`));
}

/** Start-up is part of the product: the command line loads one verb alone, by its file, and may know its types. */
function isVerbOnItsOwn(from, { target, kind }) {
  return kind !== 'static' && from.startsWith('src/cli/') && /^src\/[^/]+\/commands\/[^/]+\.ts$/.test(target.file);
}
