import { lstatSync, type Stats } from 'node:fs';
import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { changedPaths } from '../objects/difference.ts';
import { listTree } from '../objects/tree.ts';
import type { GitPath } from '../path.ts';
import { checkoutOf } from '../repository.ts';
import { withTemporaryIndex } from '../scratch.ts';
import { placeOf, surveyFolder } from './survey.ts';

/** The trees between which files of a checkout change. */
export interface FilesChange {
  /** What is there now, as `snapshotFiles` wrote it. */
  readonly from: ObjectId;
  readonly to: ObjectId;
}

const LIMIT_MS = 10 * 60_000;

/**
 * What stands where the files of `to` have to be, and is not in `from`: ignored files, and what git refuses. To be
 * asked before `putFiles`, which would not tell all of them.
 */
export async function filesInTheWay(checkout: Repository, { from, to }: FilesChange): Promise<readonly GitPath[]> {
  const root = checkoutOf(checkout);
  const known = new Set((await listTree(checkout, from)).map(({ path }) => path));
  const found = new Set<GitPath>();
  for (const { path, before, after } of await changedPaths(checkout, { before: from, after: to })) {
    if (after === undefined || before !== undefined) continue;
    for (const each of await obstaclesAt({ root, path, known })) found.add(each);
  }
  return [...found].sort();
}

interface Place {
  readonly root: string;
  readonly path: GitPath;
  readonly known: ReadonlySet<GitPath>;
}

async function obstaclesAt({ root, path, known }: Place): Promise<readonly GitPath[]> {
  const names = path.split('/');
  const above = names.slice(0, -1).map((_, at) => names.slice(0, at + 1).join('/') as GitPath);
  const file = above.find((each) => statsAt(root, each)?.isDirectory() === false);
  if (file !== undefined) return known.has(file) ? [] : [file];
  const stats = statsAt(root, path);
  if (stats === undefined || known.has(path)) return [];
  return stats.isDirectory() ? unknownIn({ root, path, known }) : [path];
}

/** A folder gives way when nothing else is in it. */
async function unknownIn({ root, path, known }: Place): Promise<readonly GitPath[]> {
  const { entries, repositories, mounts } = await surveyFolder(placeOf(root, path).toString());
  const closed = [...repositories, ...mounts].map((each) => `${each === '' ? path : `${path}/${each}`}/` as GitPath);
  const files = [...entries].flatMap(([each, { kind }]) => (kind === 'folder' ? [] : [`${path}/${each}` as GitPath]));
  return [...closed, ...files.filter((each) => !known.has(each))];
}

function statsAt(root: string, path: GitPath): Stats | undefined {
  try {
    return lstatSync(placeOf(root, path));
  } catch {
    // Nothing is there, or it cannot be looked at; then git does not get there either, and says so.
    return undefined;
  }
}

/**
 * Changes the files of a checkout, which must be as `from` has them, into those of `to`, all or none: git refuses when
 * one is otherwise. The index and HEAD of the checkout stay. Smudge filters of the configuration run.
 * Throws `git-failed`, `no-checkout`, `disk-full`.
 */
export async function putFiles(checkout: Repository, { from, to }: FilesChange): Promise<void> {
  if (from === to) return;
  await withTemporaryIndex(checkout, async (index) => {
    const call = { cwd: checkoutOf(checkout), env: { GIT_INDEX_FILE: index }, limitMs: LIMIT_MS };
    await callGit(checkout, { ...call, what: 'read a tree', args: ['read-tree', '-m', from] });
    await callGit(checkout, { ...call, what: 'look at files', args: ['update-index', '-q', '--refresh'], answers: [0, 1] });
    durablePoint('files:before');
    await callGit(checkout, { ...call, what: 'put back files', args: ['read-tree', '-m', '-u', from, to] });
    durablePoint('files:after');
  });
}
