import { callGit } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { dateOf } from '../environment.ts';
import { commitTree, readCommit } from '../objects/commit.ts';
import { emptyTree } from '../objects/difference.ts';
import { kindOf, listTree, writeIndexTree, writeTree, type TreeEdit } from '../objects/tree.ts';
import { nulSeparated } from '../nul.ts';
import { pathBytes, type GitPath } from '../path.ts';
import { keepRef } from '../refs/keep-ref.ts';
import { readHead } from '../refs/read-refs.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { withTemporaryIndex } from '../scratch.ts';
import { surveyFolder, type Survey } from './survey.ts';
import { snapshotFiles } from './working-tree.ts';

export interface KeptFiles {
  /** Holds the commit. */
  readonly ref: string;
  /**
   * Of the files as they were, on top of the checkout's HEAD; HEAD itself when nothing differs. More parents follow
   * where more had to be kept: the ignored files, the index, commits that nothing else holds.
   */
  readonly commit: ObjectId;
  /** What could not be kept: git refuses the name (`git~1`), or it cannot be read; with a slash, a repository in it. */
  readonly missed: readonly GitPath[];
  /** Ignored files that are too many or too large to be kept, and are not; folders of nothing else end with a slash. */
  readonly tooLarge: readonly GitPath[];
}

/** What is kept of ignored files: more of them is what a build or an installation made, as a rule. */
export const MOST_IGNORED = { files: 10_000, bytes: 100 * 2 ** 20 } as const;

export interface Keeping {
  readonly name: string;
  readonly who: Identity;
}

/** What more there is to keep than a checkout shows. */
export interface KeepingMore extends Keeping {
  readonly survey: Survey;
  /** Of ignored ones: files, and folders with all that is in them. */
  readonly expendable: readonly GitPath[];
  readonly commits: readonly ObjectId[];
}

/**
 * Keeps what a checkout holds, committed or not, under `refs/drover/keep/<name>/`: files, ignored ones up to 10,000 of
 * 100 MiB together, and what only its index has. An index that an agent may have written is not believed for files.
 * What lies in repositories inside the checkout is missed. Throws as `snapshotFiles` and `keepRef` do.
 */
export async function keepFiles(checkout: Repository, { name, who }: Keeping): Promise<KeptFiles> {
  const survey = await surveyFolder(checkoutOf(checkout));
  return keepMore(checkout, { name, who, survey, expendable: [], commits: [] });
}

export async function keepMore(checkout: Repository, more: KeepingMore): Promise<KeptFiles> {
  const { tree } = await snapshotFiles(checkout, { index: 'doubted' });
  const left = await leftBy(checkout, more, tree);
  const isMuch = left.length > MOST_IGNORED.files || bytesOf(left, more.survey) > MOST_IGNORED.bytes;
  const others = isMuch ? emptyTree(checkout) : await treeOf(checkout, left);
  const there = new Set(others === emptyTree(checkout) ? [] : await pathsIn(checkout, others));
  const rest = left.filter((path) => !there.has(path));
  const index = await indexTrees(checkout);
  const head = await headOf(checkout);
  const extra = [
    ...(there.size === 0 ? [] : [await note(checkout, more.who, { tree: others, what: 'Ignored files' })]),
    ...(await notesOf(checkout, more.who, index.filter((each) => each !== tree && each !== head?.tree))),
    ...more.commits,
  ];
  const commit = await topCommit(checkout, { tree, head, extra, who: more.who });
  const ref = await keepRef(checkout, { id: commit, name: more.name, who: more.who, reason: 'drover: keep the files of a worktree' });
  const closed = [...more.survey.repositories, ...more.survey.mounts].map((path) => `${path}/` as GitPath);
  return isMuch ? { ref, commit, missed: closed, tooLarge: foldersOf(left, more.survey) } : { ref, commit, missed: [...rest, ...closed], tooLarge: [] };
}

/** Keeps what git itself has of a checkout whose files are gone. */
export async function keepWithoutFiles(checkout: Repository, { name, who, commits }: Keeping & Pick<KeepingMore, 'commits'>): Promise<KeptFiles | undefined> {
  const head = await headOf(checkout);
  const index = (await indexTrees(checkout)).filter((each) => each !== head?.tree);
  const extra = [...(await notesOf(checkout, who, index)), ...commits];
  if (head === undefined && extra.length === 0) return undefined;
  const commit = await topCommit(checkout, { tree: head?.tree ?? emptyTree(checkout), head, extra, who });
  const ref = await keepRef(checkout, { id: commit, name, who, reason: 'drover: keep the commits of a worktree' });
  return { ref, commit, missed: [], tooLarge: [] };
}

/** Files and links that the tree does not have: ignored, or refused by git. */
async function leftBy(checkout: Repository, { survey, expendable }: KeepingMore, tree: ObjectId): Promise<readonly GitPath[]> {
  const taken = new Set(await pathsIn(checkout, tree));
  return [...survey.entries].flatMap(([path, { kind }]) => {
    const holdsContent = kind === 'file' || kind === 'link';
    return holdsContent && !taken.has(path) && !isAmong(path, expendable) ? [path] : [];
  });
}

/** Whether it is one of them, or lies in one. */
export function isAmong(path: GitPath, places: readonly GitPath[]): boolean {
  return places.some((place) => path === place || path.startsWith(place.endsWith('/') ? place : `${place}/`));
}

/** Instead of files the highest folders in which there is nothing else. */
function foldersOf(files: readonly GitPath[], { entries }: Survey): readonly GitPath[] {
  const among = new Set(files);
  const mixed = new Set<string>();
  for (const [path, { kind }] of entries) {
    if (kind !== 'folder' && !among.has(path)) ancestorsOf(path).forEach((folder) => mixed.add(folder));
  }
  const tops = files.map((path) => {
    const folder = ancestorsOf(path).find((each) => !mixed.has(each));
    return folder === undefined ? path : (`${folder}/` as GitPath);
  });
  return [...new Set(tops)];
}

/** The highest first, without the root. */
function ancestorsOf(path: GitPath): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
}

function bytesOf(paths: readonly GitPath[], { entries }: Survey): number {
  return paths.reduce((sum, path) => sum + (entries.get(path)?.bytes ?? 0), 0);
}

async function pathsIn(repository: Repository, tree: ObjectId): Promise<readonly GitPath[]> {
  return (await listTree(repository, tree)).map(({ path }) => path);
}

/** A tree of files that would be left out by themselves; git may refuse some of them still. */
async function treeOf(checkout: Repository, paths: readonly GitPath[]): Promise<ObjectId> {
  if (paths.length === 0) return emptyTree(checkout);
  return withTemporaryIndex(checkout, async (index) => {
    const input = Buffer.concat(paths.flatMap((path) => [pathBytes(path), Buffer.of(0)]));
    const settings = ['-c', 'core.safecrlf=false', '-c', 'core.fsyncMethod=batch'];
    const add = ['add', '--force', '--sparse', '--ignore-errors', '--pathspec-from-file=-', '--pathspec-file-nul'];
    const call = { what: 'take in ignored files', cwd: checkoutOf(checkout), env: { GIT_INDEX_FILE: index } };
    await callGit(checkout, { ...call, args: [...settings, ...add], input, answers: [0, 1, 128] });
    return writeIndexTree(checkout, index);
  });
}

/** What stands in the index, as trees: of what is to be committed, and of each side of a conflict. */
async function indexTrees(checkout: Repository): Promise<readonly ObjectId[]> {
  const env = { GIT_INDEX_FILE: inGitDir(checkout, 'index') };
  const call = { what: 'read an index', args: ['ls-files', '-z', '--stage'], env, checkout: 'none', maxBytes: LARGEST_LISTING } as const;
  const lines = nulSeparated((await callGit(checkout, call)).stdout);
  const stages = new Map<string, TreeEdit[]>();
  for (const line of lines) {
    const tab = line.indexOf('\t');
    const [mode = '', id = '', stage = ''] = line.slice(0, tab).split(' ');
    const kind = kindOf(mode);
    if (kind === 'folder') continue;
    const edits = stages.get(stage) ?? [];
    edits.push({ path: line.slice(tab + 1) as GitPath, kind, id });
    stages.set(stage, edits);
  }
  return Promise.all([...stages.values()].map((edits) => writeTree(checkout, edits)));
}

const LARGEST_LISTING = 256 * 2 ** 20;

interface HeadCommit {
  readonly id: ObjectId;
  readonly tree: ObjectId;
}

async function headOf(checkout: Repository): Promise<HeadCommit | undefined> {
  const head = await readHead(checkout);
  return head.kind === 'unborn' ? undefined : readCommit(checkout, head.id);
}

interface Top {
  readonly tree: ObjectId;
  readonly head: HeadCommit | undefined;
  readonly extra: readonly ObjectId[];
  readonly who: Identity;
}

async function topCommit(checkout: Repository, { tree, head, extra, who }: Top): Promise<ObjectId> {
  const more = [...new Set(extra)].filter((id) => id !== head?.id);
  if (head?.tree === tree && more.length === 0) return head.id;
  const parents = [...(head === undefined ? [] : [head.id]), ...(await tied(checkout, who, more))];
  return note(checkout, who, { tree, parents, what: 'Files of a checkout' });
}

/** A command line has an end. */
const MOST_PARENTS = 500;

async function tied(checkout: Repository, who: Identity, ids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  if (ids.length <= MOST_PARENTS) return ids;
  const first = await note(checkout, who, { tree: emptyTree(checkout), parents: ids.slice(0, MOST_PARENTS), what: 'Commits' });
  return tied(checkout, who, [...ids.slice(MOST_PARENTS), first]);
}

function notesOf(checkout: Repository, who: Identity, trees: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  return Promise.all(trees.map((tree) => note(checkout, who, { tree, what: 'Index of a checkout' })));
}

interface Note {
  readonly tree: ObjectId;
  readonly parents?: readonly ObjectId[];
  readonly what: string;
}

function note(checkout: Repository, who: Identity, { tree, parents = [], what }: Note): Promise<ObjectId> {
  const author = { ...who, date: dateOf(checkout.git.clock) };
  return commitTree(checkout, { tree, parents, author, committer: author, message: `${what}, kept by drover\n` });
}
