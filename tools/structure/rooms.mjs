/** The rooms of `src/` and who may import whom. This table is the house; the rules only read it. */

const SYSTEMS = ['bach', 'loop', 'batch', 'swarm'];

/** From the top down: a folder imports from the rows below its own, never from its own row or above. */
const LAYERS = [
  ['cli'],
  ['desk'],
  SYSTEMS,
  ['workspace', 'evidence', 'agents'],
  ['engine', 'ledger'],
  ['kernel'],
];

/** What a system's room imports from its sisters. */
const SYSTEM_ARROWS = {
  model: [],
  decide: ['model'],
  store: ['model'],
  act: ['model', 'decide', 'store'],
  commands: ['model', 'decide', 'store', 'act'],
};

/** What a room of the desk imports from its sisters. */
const DESK_ARROWS = {
  settings: [],
  explain: [],
  journals: ['settings'],
  doctor: ['settings'],
  commands: ['settings', 'explain', 'journals', 'doctor'],
};

/** What a room of the kernel imports from its sisters. */
const KERNEL_ARROWS = {
  errors: [],
  text: ['errors'],
  time: ['errors'],
  paths: ['errors', 'text'],
  ids: ['errors', 'files', 'time'],
  files: ['errors', 'paths'],
  redact: ['errors', 'files', 'text'],
  journal: ['errors', 'files', 'text', 'time'],
  sql: ['errors', 'files', 'time'],
  lock: ['errors', 'files', 'journal', 'sql', 'text', 'time'],
  process: ['errors', 'files', 'redact', 'text', 'time'],
  git: ['errors', 'files', 'journal', 'lock', 'paths', 'process', 'text', 'time'],
  config: ['errors', 'files', 'paths', 'text'],
  terminal: ['errors', 'redact', 'text', 'time'],
};

/** The rooms of the kernel whose values pure code may use. */
const PURE_KERNEL = ['errors', 'ids', 'paths', 'text', 'time'];
const PURE_SYSTEM_ROOMS = ['model', 'decide'];

/** The one file that may know more than one system. */
export const JOINING_FILE = 'src/cli/wire.ts';

/**
 * Where a file lives: `folder` is the first one below `src`, `room` the one inside it where the folder is divided,
 * and `path` the folder of the room. `undefined` when the house has no such place.
 */
export function placeOf(file) {
  const [source, folder, room, ...rest] = file.split('/');
  if (source !== 'src' || !LAYERS.flat().includes(folder)) return undefined;
  const rooms = dividedInto(folder);
  if (rooms === undefined) return { folder, path: `src/${folder}` };
  if (folder !== 'kernel' && room === 'index.ts' && rest.length === 0) return { folder, path: `src/${folder}` };
  if (rest.length === 0 || !rooms.includes(room)) return undefined;
  return { folder, room, path: `src/${folder}/${room}` };
}

/** Why a file of the one place may not import one of the other, or `undefined` when it may. */
export function forbiddenArrow(from, to) {
  if (from.path === to.path) return undefined;
  if (from.folder === to.folder) return forbiddenWithin(from, to);
  if (isSystem(from.folder) && isSystem(to.folder)) return 'systems never import each other';
  if (layerOf(to.folder) > layerOf(from.folder)) return undefined;
  return `${from.folder} may import only from ${LAYERS.slice(layerOf(from.folder) + 1).flat().join(', ') || 'nothing'}`;
}

export function isSystem(folder) {
  return SYSTEMS.includes(folder);
}

/** Rooms that hold only deterministic code without I/O. */
export function isPureRoom({ folder, room }) {
  return isSystem(folder) && PURE_SYSTEM_ROOMS.includes(room);
}

/** Rooms of the kernel from which pure code may import values. */
export function isPureKernelRoom({ folder, room }) {
  return folder === 'kernel' && PURE_KERNEL.includes(room);
}

function forbiddenWithin(from, to) {
  // The door of a whole system, or of the desk, is made of the doors of its rooms.
  if (from.room === undefined) return undefined;
  const allowed = arrowsOf(from.folder)[from.room];
  if (allowed.includes(to.room)) return undefined;
  return `${from.folder}/${from.room} may import of ${from.folder} only ${allowed.join(', ') || 'nothing'}`;
}

function dividedInto(folder) {
  const arrows = arrowsOf(folder);
  return arrows === undefined ? undefined : Object.keys(arrows);
}

function arrowsOf(folder) {
  if (folder === 'kernel') return KERNEL_ARROWS;
  if (folder === 'desk') return DESK_ARROWS;
  return isSystem(folder) ? SYSTEM_ARROWS : undefined;
}

function layerOf(folder) {
  return LAYERS.findIndex((layer) => layer.includes(folder));
}
