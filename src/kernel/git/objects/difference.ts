import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { nulSeparated } from '../nul.ts';
import { requireId } from '../object-id.ts';
import type { GitPath } from '../path.ts';
import { kindOf, type EntryKind } from './tree.ts';

/** One path that two trees have differently; a side is `undefined` where the path is not there. */
export interface PathChange {
  readonly path: GitPath;
  readonly before: PathSide | undefined;
  readonly after: PathSide | undefined;
}

export interface PathSide {
  readonly kind: Exclude<EntryKind, 'folder'>;
  readonly id: ObjectId;
}

/** Two trees, or the trees of two commits. */
export interface TreePair {
  readonly before: ObjectId;
  readonly after: ObjectId;
}

const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};
const LARGEST_LISTING = 256 * 2 ** 20;
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-renames', '--no-abbrev', '--ignore-submodules=none'];
/** Without a checkout, nobody's `.gitattributes` has a say in how a change is shown. */
const WITHOUT_CHECKOUT = ['-c', 'core.bare=true'];

/** The tree without files, which each repository knows. */
export function emptyTree({ objectFormat }: Repository): ObjectId {
  return EMPTY_TREES[objectFormat];
}

/** The paths that differ, in git's order; a rename is a path that went and one that came. Throws `git-failed`. */
export async function changedPaths(repository: Repository, { before, after }: TreePair): Promise<readonly PathChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', ...PLAIN, requireId(before), requireId(after)];
  const { stdout } = await callGit(repository, { what: 'compare trees', args, maxBytes: LARGEST_LISTING });
  const fields = nulSeparated(stdout);
  return fields.flatMap((path, at) => (at % 2 === 1 ? [changeOf(fields[at - 1] ?? '', path)] : []));
}

/** The change as a patch that `git apply` takes, binary files included. Throws `git-output-too-large` past `maxBytes`. */
export async function patchBetween(
  repository: Repository,
  { before, after, maxBytes }: TreePair & { readonly maxBytes: number },
): Promise<Buffer> {
  const shape = ['-p', '--binary', '--full-index', '--no-color', '--src-prefix=a/', '--dst-prefix=b/'];
  const args = [...WITHOUT_CHECKOUT, 'diff-tree', '-r', ...shape, ...PLAIN, requireId(before), requireId(after)];
  const { stdout } = await callGit(repository, { what: 'write a patch', args, maxBytes, checkout: 'none' });
  return stdout;
}

/** `:<mode> <mode> <id> <id> <letter>` */
function changeOf(facts: string, path: GitPath): PathChange {
  const [modeBefore = '', modeAfter = '', idBefore = '', idAfter = ''] = facts.slice(1).split(' ');
  return { path, before: sideOf(modeBefore, idBefore), after: sideOf(modeAfter, idAfter) };
}

function sideOf(mode: string, id: ObjectId): PathSide | undefined {
  const kind = kindOf(mode);
  return mode === '000000' || kind === 'folder' ? undefined : { kind, id };
}
