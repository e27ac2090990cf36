import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { nulSeparated } from '../nul.ts';
import { readBlob } from '../objects/blob.ts';
import type { PathChange, PathSide } from '../objects/difference.ts';
import { indexLines, kindOf, writeIndexTree } from '../objects/tree.ts';
import { pathBytes, type GitPath } from '../path.ts';
import { checkoutOf } from '../repository.ts';
import { foldersAbove, statsAt } from './stats-at.ts';

export interface TakenIn {
  /** Of the index, in which the files of the change stand as they are on the disk. */
  readonly tree: ObjectId;
  /** Written by somebody else since: in the index they are as the goal has them, and so stay as they are on the disk. */
  readonly foreign: readonly GitPath[];
}

interface Taking {
  readonly index: string;
  readonly changes: readonly PathChange[];
  readonly goal: 'from' | 'to';
}

const LARGEST_FILE = 256 * 2 ** 20;

/**
 * Tells files of a change that was cut off, which may be as before, as after, or half written, from those that somebody
 * wrote since, and puts the former into the index as they are: from there git switches them safely.
 */
export async function takeInOurs(checkout: Repository, { index, changes, goal }: Taking): Promise<TakenIn> {
  const root = checkoutOf(checkout);
  const plain = changes.filter(({ path }) => canBeTakenIn(root, path));
  await updateIndex(checkout, { index, args: ['--add', '--remove', '--replace', '--stdin'], input: pathLines(plain) });
  const found = await entriesOf(checkout, index);
  const isOurs = await Promise.all(changes.map((change) => plain.includes(change) && isAsWeWrite(checkout, change, found.get(change.path))));
  const foreign = changes.filter((_, at) => isOurs[at] !== true);
  const edits = foreign.map(({ path, before, after }) => ({ path, ...((goal === 'to' ? after : before) ?? { kind: 'absent' as const }) }));
  await updateIndex(checkout, { index, args: ['--index-info'], input: indexLines(checkout, edits) });
  return { tree: await writeIndexTree(checkout, index), foreign: foreign.map(({ path }) => path) };
}

/** A folder or something special has come there, or a link leads away: git would not take it for the file. */
function canBeTakenIn(root: string, path: GitPath): boolean {
  const isPlainAbove = foldersAbove(path).every((folder) => statsAt(root, folder)?.isSymbolicLink() !== true);
  const stats = statsAt(root, path);
  return isPlainAbove && (stats === undefined || stats.isFile() || stats.isSymbolicLink());
}

async function isAsWeWrite(checkout: Repository, { before, after }: PathChange, now: PathSide | undefined): Promise<boolean> {
  if (isSame(now, before) || isSame(now, after)) return true;
  if (now === undefined) return true;
  const [half, ...wholes] = await Promise.all([now, before, after].map((side) => contentOf(checkout, side)));
  return wholes.some((whole) => half !== undefined && whole !== undefined && half.length < whole.length && whole.subarray(0, half.length).equals(half));
}

function isSame(one: PathSide | undefined, other: PathSide | undefined): boolean {
  return one?.id === other?.id && one?.kind === other?.kind;
}

async function contentOf(checkout: Repository, side: PathSide | undefined): Promise<Buffer | undefined> {
  if (side === undefined || side.kind === 'module' || side.kind === 'link') return undefined;
  return readBlob(checkout, side.id, { maxBytes: LARGEST_FILE });
}

async function entriesOf(checkout: Repository, index: string): Promise<ReadonlyMap<GitPath, PathSide>> {
  const call = { what: 'read an index', args: ['ls-files', '-z', '--stage'], env: { GIT_INDEX_FILE: index }, checkout: 'none', maxBytes: LARGEST_FILE } as const;
  const lines = nulSeparated((await callGit(checkout, call)).stdout);
  return new Map(
    lines.flatMap((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', id = ''] = line.slice(0, tab).split(' ');
      const kind = kindOf(mode);
      return kind === 'folder' ? [] : [[line.slice(tab + 1) as GitPath, { kind, id }] as const];
    }),
  );
}

interface Update {
  readonly index: string;
  readonly args: readonly string[];
  readonly input: Buffer;
}

async function updateIndex(checkout: Repository, { index, args, input }: Update): Promise<void> {
  if (input.length === 0) return;
  const call = { what: 'take in files', cwd: checkoutOf(checkout), env: { GIT_INDEX_FILE: index } };
  await callGit(checkout, { ...call, args: ['-c', 'core.safecrlf=false', 'update-index', '-z', ...args], input });
}

function pathLines(changes: readonly PathChange[]): Buffer {
  return Buffer.concat(changes.flatMap(({ path }) => [pathBytes(path), Buffer.of(0)]));
}
