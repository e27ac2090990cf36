import { cleanPath } from '../../kernel/paths/index.ts';

/** Folders of programs that keep state beside the sources; what is in them changes while targets run. */
const STATE_FOLDERS: ReadonlySet<string> = new Set(['.git', '.jj', '.bach', '.bmad-loop', '.bacchus']);

/** Of the folder `.ratchet` only the state of its runs. */
const RATCHET_STATE = /(^|\/)\.ratchet\/(batches\/[^/]+\/run|changes\/[^/]+\/\.run)(\/|$)/;

/** True for a cleaned path from the root that no walk enters. */
export type IsState = (path: string) => boolean;

/** `statePath` is the state database from the root; what stands beside it and belongs to it counts too. */
export function stateRule(statePath: string): IsState {
  const database = cleanPath(statePath);
  const runs = [...database.split('/').slice(0, -1), 'runs'].join('/');
  return (path) => isBelow(path, database, '-') || isBelow(path, database, '.') || isBelow(path, runs, '/') || isKnownState(path);
}

/** The path itself, or one that goes on after it with a letter. */
function isBelow(path: string, start: string, letter: string): boolean {
  return path.startsWith(start) && (path.length === start.length || path[start.length] === letter);
}

function isKnownState(path: string): boolean {
  // Asked of each of thousands of files, few of which have such a name in their path.
  if (!path.startsWith('.') && !path.includes('/.')) return false;
  return path.split('/').some((name) => STATE_FOLDERS.has(name)) || RATCHET_STATE.test(path);
}

/** True for a path from the root at which runs leave what they keep: a change there is none of the person's. */
export function isOwnState(path: string, statePath: string): boolean {
  // Wherever the state is, decoded projects are kept there.
  if (path.startsWith('.bach/')) return true;
  const database = cleanPath(statePath);
  const slash = database.lastIndexOf('/');
  if (slash > 0) return path.startsWith(database.slice(0, slash + 1));
  return path.startsWith('runs/') || path === database || path.startsWith(`${database}-`);
}
