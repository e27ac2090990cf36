import { copyFile } from 'node:fs/promises';
import { describeSystemError } from '../../errors/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { failureOf } from '../failure.ts';
import { nulSeparated } from '../nul.ts';
import type { GitPath } from '../path.ts';
import { readHead } from '../refs/read-refs.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { withTemporaryIndex } from '../scratch.ts';
import { writeIndexTree } from '../objects/tree.ts';

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

async function copyIndex(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    // Before the first `git add` there is none.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw describeSystemError(error, { action: 'copy', path: from });
  }
}

async function addFiles(repository: Repository, index: string): Promise<readonly GitPath[]> {
  const call = { what: 'take in the files', cwd: checkoutOf(repository), env: { GIT_INDEX_FILE: index } };
  const settings = ['-c', 'core.safecrlf=false', '-c', 'core.fsyncMethod=batch', '-c', 'advice.addEmbeddedRepo=false'];
  // What a sparse checkout leaves out is taken in where it is there all the same: an agent may have written the rules.
  const args = [...settings, 'add', '--all', '--sparse', '--ignore-errors', '--', '.'];
  const added = await callGit(repository, { ...call, args, answers: [0, 1, 128] });
  if (added.code === 0) return [];
  const listing = ['ls-files', '-z', '--others', '--modified', '--exclude-standard'];
  const missed = nulSeparated((await callGit(repository, { ...call, args: listing })).stdout);
  if (missed.length === 0) throw failureOf(added, { what: call.what, where: call.cwd });
  return [...new Set(missed)];
}
