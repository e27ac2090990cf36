import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { objectMissing, pathRefused } from '../errors.ts';
import { nulSeparated } from '../nul.ts';
import { idIn, requireId, zeroId } from '../object-id.ts';
import type { GitPath } from '../path.ts';
import { withTemporaryIndex } from '../scratch.ts';

/** `link` is a symbolic link, `module` the commit of a submodule; `folder` appears only in a listing of one level. */
export type EntryKind = 'file' | 'executable' | 'link' | 'module' | 'folder';

export interface TreeEntry {
  readonly path: GitPath;
  readonly kind: EntryKind;
  readonly id: ObjectId;
}

/** One path of a tree to be: what stands there, or that nothing does. */
export type TreeEdit = (TreeEntry & { readonly kind: Exclude<EntryKind, 'folder'> }) | { readonly path: GitPath; readonly kind: 'absent' };

const MODES: Readonly<Record<EntryKind | 'absent', string>> = {
  file: '100644',
  executable: '100755',
  link: '120000',
  module: '160000',
  folder: '040000',
  absent: '0',
};
const LARGEST_LISTING = 256 * 2 ** 20;

/**
 * What a tree (or the tree of a commit) holds, in git's order: each file with its whole path, or with
 * `depth: 'one-level'` the names at its root. Throws `object-missing`.
 */
export async function listTree(
  repository: Repository,
  id: ObjectId,
  { depth = 'files' }: { readonly depth?: 'files' | 'one-level' } = {},
): Promise<readonly TreeEntry[]> {
  const args = ['ls-tree', '-z', '--full-tree', ...(depth === 'files' ? ['-r'] : []), requireId(id)];
  const call = { what: 'list a tree', args, answers: [0, 128], maxBytes: LARGEST_LISTING };
  const answer = await callGit(repository, call);
  if (answer.code !== 0) throw objectMissing({ id, wanted: 'tree', where: repository.commonDir });
  return nulSeparated(answer.stdout).map(entryOf);
}

/** Where `path` leads in a tree, or `undefined` when nothing is there. Throws `object-missing` for the tree. */
export async function findInTree(repository: Repository, id: ObjectId, path: GitPath): Promise<TreeEntry | undefined> {
  const names = path.split('/');
  let entry: TreeEntry = { path: '' as GitPath, kind: 'folder', id };
  for (const name of names) {
    if (entry.kind !== 'folder') return undefined;
    const level = await listTree(repository, entry.id, { depth: 'one-level' });
    const found = level.find((candidate) => candidate.path === name);
    if (found === undefined) return undefined;
    entry = found;
  }
  return { ...entry, path };
}

/**
 * Writes the tree that results when `edits` are made to `base` (default: the empty tree), durably, and names it.
 * Throws `path-refused` for a path that no checkout may have (`.git/x`, `../x`), `git-failed`.
 *
 * @example
 * const blob = await writeBlob(repository, 'hello\n');
 * const tree = await writeTree(repository, [{ path: gitPath('notes/hello.txt'), kind: 'file', id: blob }]);
 */
export async function writeTree(
  repository: Repository,
  edits: readonly TreeEdit[],
  { base }: { readonly base?: ObjectId } = {},
): Promise<ObjectId> {
  return withTemporaryIndex(repository, async (index) => {
    const env = { GIT_INDEX_FILE: index };
    if (base !== undefined) await callGit(repository, { what: 'read a tree', args: ['read-tree', requireId(base)], env });
    const input = indexLines(repository, edits);
    const args = ['update-index', '-z', '--index-info'];
    const { stderr } = await callGit(repository, { what: 'put together a tree', args, input, env });
    // It passes over a path that no checkout may have, and ends as if all went well.
    if (stderr.includes('Ignoring path')) throw pathRefused({ said: stderr.trim().split('\n', 1)[0] ?? '' });
    return writeIndexTree(repository, index);
  });
}

/** The tree of an index of ours. */
export async function writeIndexTree(repository: Repository, index: string): Promise<ObjectId> {
  durablePoint('tree:before');
  const env = { GIT_INDEX_FILE: index };
  const { stdout } = await callGit(repository, { what: 'write a tree', args: ['write-tree'], env });
  durablePoint('tree:after');
  return idIn(stdout);
}

/** As `update-index -z --index-info` takes them. */
export function indexLines(repository: Repository, edits: readonly TreeEdit[]): Buffer {
  return Buffer.from(edits.map((edit) => editLine(edit, repository)).join(''), 'latin1');
}

function editLine(edit: TreeEdit, { objectFormat }: Repository): string {
  const id = edit.kind === 'absent' ? zeroId(objectFormat) : requireId(edit.id);
  return `${MODES[edit.kind]} ${id}\t${edit.path}\0`;
}

function entryOf(line: GitPath): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
  return { path: line.slice(tab + 1) as GitPath, kind: kindOf(mode), id };
}

/** Old trees have files of mode 100664 too. */
export function kindOf(mode: string): EntryKind {
  if (mode === MODES.link) return 'link';
  if (mode === MODES.module) return 'module';
  if (mode === MODES.folder) return 'folder';
  return mode === MODES.executable ? 'executable' : 'file';
}
