import { existsSync, lstatSync } from 'node:fs';
import { copyFile, stat, utimes } from 'node:fs/promises';
import { describeSystemError } from '../../errors/index.ts';
import { callGit, type GitCall } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { failureOf } from '../failure.ts';
import { nulSeparated } from '../nul.ts';
import { pathBytes, type GitPath } from '../path.ts';
import { readHead } from '../refs/read-refs.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { withTemporaryIndex } from '../scratch.ts';
import { writeIndexTree } from '../objects/tree.ts';
import { placeOf } from './survey.ts';

const ADD = ['-c', 'core.safecrlf=false', '-c', 'core.fsyncMethod=batch', '-c', 'advice.addEmbeddedRepo=false', 'add', '--ignore-errors'];

export interface FileSnapshot {
  readonly tree: ObjectId;
  /** What the tree does not have although it is there: git refuses the name (`git~1`), or it cannot be read. */
  readonly missed: readonly GitPath[];
}

/**
 * Writes the files of a checkout as a tree, durably: tracked ones as they are now, and untracked ones unless ignored.
 * The person's index is neither used nor locked nor changed. Clean filters of the configuration run, so that the tree
 * is what a commit would hold; a repository inside the checkout is recorded by its commit alone.
 *
 * `index: 'trusted'` believes the stamps of the checkout's own index, which is quick. An agent that had write access
 * may have marked files there as unchanged: `index: 'doubted'` reads each file.
 * Throws `no-checkout`, `git-failed`.
 */
export async function snapshotFiles(
  repository: Repository,
  { index }: { readonly index: 'trusted' | 'doubted' },
): Promise<FileSnapshot> {
  return withTemporaryIndex(repository, async (temporary) => {
    await fillIndex(repository, { temporary, index });
    const missed = await addFiles(repository, temporary);
    return { tree: await writeIndexTree(repository, temporary), missed };
  });
}

async function fillIndex(
  repository: Repository,
  { temporary, index }: { readonly temporary: string; readonly index: 'trusted' | 'doubted' },
): Promise<void> {
  if (index === 'trusted') return copyIndex(inGitDir(repository, 'index'), temporary);
  const head = await readHead(repository);
  if (head.kind === 'unborn') return;
  const env = { GIT_INDEX_FILE: temporary };
  // With -m it follows the sparse checkout: what is left out on purpose is not taken for deleted.
  await callGit(repository, { what: 'read a tree', args: ['read-tree', '-m', head.id], env });
}

/** Nothing where there is none yet. */
export async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(from);
    await copyFile(from, to);
    // Git reads a file anew that is no older than the index: a younger copy would hide what was written just then.
    const second = Math.floor(mtimeMs / 1000);
    await utimes(to, second, second);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw describeSystemError(error, { action: 'copy', path: from });
  }
}

async function addFiles(repository: Repository, index: string): Promise<readonly GitPath[]> {
  const call = { what: 'take in the files', cwd: checkoutOf(repository), env: { GIT_INDEX_FILE: index } };
  const added = await callGit(repository, { ...call, args: [...ADD, '--all', '--', '.'], answers: [0, 1, 128] });
  const isSparse = existsSync(inGitDir(repository, 'info/sparse-checkout'));
  if (added.code === 0 && !isSparse) return [];
  if (isSparse) await addLeftOut(repository, { call, paths: await notTaken(repository, call) });
  const missed = await notTaken(repository, call);
  if (added.code !== 0 && missed.length === 0 && !isSparse) throw failureOf(added, { what: call.what, where: call.cwd });
  return missed;
}

type IndexCall = Pick<GitCall, 'what' | 'env'> & { readonly cwd: string };

async function notTaken(repository: Repository, call: IndexCall): Promise<readonly GitPath[]> {
  const args = ['ls-files', '-z', '--others', '--modified', '--exclude-standard'];
  const paths = new Set(nulSeparated((await callGit(repository, { ...call, args })).stdout));
  // What is left out on purpose is listed as well.
  return [...paths].filter((path) => isThere(placeOf(call.cwd, path)));
}

function isThere(place: Buffer): boolean {
  try {
    lstatSync(place);
    return true;
  } catch (error) {
    // A file stands where its folder was.
    return !['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code));
  }
}

interface LeftOut {
  readonly call: IndexCall;
  readonly paths: readonly GitPath[];
}

/**
 * What a sparse checkout leaves out and what is there all the same: an agent may have written the rules. By its name,
 * since with a folder git would take for deleted what is left out on purpose.
 */
async function addLeftOut(repository: Repository, { call, paths }: LeftOut): Promise<void> {
  if (paths.length === 0) return;
  const input = Buffer.concat(paths.flatMap((path) => [pathBytes(path), Buffer.of(0)]));
  const args = [...ADD, '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await callGit(repository, { ...call, args, input, answers: [0, 1, 128] });
}
