import { existsSync, readdirSync, type Stats } from 'node:fs';
import type { Repository } from '../contract.ts';
import { changedPaths, emptyTree, type PathChange } from '../objects/difference.ts';
import { pathFromBytes, type GitPath } from '../path.ts';
import { readHead } from '../refs/read-refs.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import type { AdvanceNote } from './index-hold.ts';
import { foldersAbove, statsAt } from './stats-at.ts';
import { readStatus, type StatusEntry } from './status.ts';
import { placeOf } from './survey.ts';

/** Why a checkout cannot follow its branch now. */
export interface Obstruction {
  readonly reason:
    /** It stands on another branch, or on none. */
    | 'elsewhere'
    /** A merge, rebase, cherry-pick or the like is not finished; `paths` has git's own file of it. */
    | 'under-way'
    /** Something is staged, wherever: it would mix with the change. */
    | 'staged'
    /** At the paths of the change something differs from the commit, or stands where a new file goes. */
    | 'changed';
  readonly paths: readonly GitPath[];
}

export type Obstacles =
  | { readonly kind: 'clear'; readonly tolerated: readonly GitPath[] }
  | ({ readonly kind: 'in-the-way' } & Obstruction);

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply', 'sequencer'];

/** Looks at everything and changes nothing. Throws as `readStatus` does. */
export async function obstaclesTo(checkout: Repository, { ref, from, to }: AdvanceNote): Promise<Obstacles> {
  const head = await readHead(checkout);
  if (head.kind === 'detached' || head.ref !== ref) return { kind: 'in-the-way', reason: 'elsewhere', paths: [] };
  const operation = UNDER_WAY.find((name) => existsSync(inGitDir(checkout, name)));
  if (operation !== undefined) return { kind: 'in-the-way', reason: 'under-way', paths: [pathFromBytes(Buffer.from(operation))] };
  const [changes, status] = await Promise.all([changedPaths(checkout, { before: from ?? emptyTree(checkout), after: to }), readStatus(checkout)]);
  const staged = status.filter(isStaged).map(({ path }) => path);
  if (staged.length > 0) return { kind: 'in-the-way', reason: 'staged', paths: staged };
  const touched = new Set(changes.map(({ path }) => path));
  const dirty = status.filter(({ path }) => touched.has(path)).map(({ path }) => path);
  const changed = [...new Set([...dirty, ...standingAt(checkoutOf(checkout), changes)])];
  if (changed.length > 0) return { kind: 'in-the-way', reason: 'changed', paths: changed };
  return { kind: 'clear', tolerated: status.map(({ path }) => path) };
}

function isStaged(entry: StatusEntry): boolean {
  return entry.kind === 'conflicted' || (entry.kind === 'changed' && entry.staged !== undefined);
}

/** What stands where the change has a new file, ignored or not: git would write over what is ignored. */
function standingAt(root: string, changes: readonly PathChange[]): readonly GitPath[] {
  const had = new Set(changes.filter(({ before }) => before !== undefined).map(({ path }) => path));
  const fresh = changes.filter(({ before, after }) => before === undefined && after !== undefined);
  return fresh.flatMap(({ path }) => {
    const above = foldersAbove(path).find((folder) => isNoFolder(statsAt(root, folder)));
    if (above !== undefined) return had.has(above) ? [] : [above];
    const stats = statsAt(root, path);
    if (stats === undefined) return [];
    return stats.isDirectory() ? filesBelow(root, path).filter((file) => !had.has(file)) : [path];
  });
}

function isNoFolder(stats: Stats | undefined): boolean {
  return stats !== undefined && !stats.isDirectory();
}

function filesBelow(root: string, folder: GitPath): readonly GitPath[] {
  const entries = readdirSync(placeOf(root, folder), { withFileTypes: true, encoding: 'buffer' });
  return entries.flatMap((entry) => {
    const path = `${folder}/${pathFromBytes(entry.name)}` as GitPath;
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}
