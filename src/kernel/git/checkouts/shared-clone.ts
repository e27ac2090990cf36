import { copyFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { createFolderExclusive, durablePoint, replaceFile } from '../../files/index.ts';
import { programArgument } from '../../paths/index.ts';
import { describeSystemError } from '../../errors/index.ts';
import { callAnywhere, callGit } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { placeTaken } from '../errors.ts';
import { keepRef } from '../refs/keep-ref.ts';
import { moveRef } from '../refs/move-ref.ts';
import { requireId } from '../object-id.ts';
import { requireRef } from '../refs/ref-name.ts';
import { openRepository } from '../repository.ts';
import { requireText } from '../text.ts';

export interface CloneRequest {
  /** Absolute; nothing may be there yet, and its parent must exist. */
  readonly path: string;
  readonly commit: ObjectId;
  /** In full, such as `refs/heads/work`; the clone stands on it, at `commit`. Without it HEAD is detached. */
  readonly branch?: string;
  /** Names the keep-ref in the source: `clones/t-12`. */
  readonly name: string;
  readonly who: Identity;
}

const CHECKOUT_LIMIT_MS = 10 * 60_000;

/**
 * Makes a repository of its own for an agent, and opens it. It reads the objects of `source` and cannot change them:
 * nothing is copied or hard-linked, neither configuration nor hooks nor remotes come along, and a keep-ref in the
 * source holds what it needs. Filters that only the source's configuration has are not applied to its files.
 * Throws `place-taken`, `dash-path`, `git-failed`, `disk-full`.
 */
export async function cloneShared(source: Repository, request: CloneRequest): Promise<Repository> {
  const { path, commit, branch, name, who } = request;
  if (branch !== undefined) requireRef(branch);
  requireText(programArgument(path));
  const reason = 'drover: a clone needs it';
  await keepRef(source, { id: requireId(commit), name, who, reason });
  const clone = await initialise(source, path);
  if (branch !== undefined) await nameBranch(clone, branch);
  await shareObjects(source, clone);
  if (branch === undefined) await detach(clone, commit);
  else await moveRef(clone, { ref: branch, from: undefined, to: commit, who, reason: 'drover: clone' });
  const args = ['read-tree', '-m', '-u', commit];
  durablePoint('clone-files:before');
  await callGit(clone, { what: 'write the files of a clone', args, cwd: path, limitMs: CHECKOUT_LIMIT_MS });
  durablePoint('clone-files:after');
  return clone;
}

async function initialise(source: Repository, path: string): Promise<Repository> {
  if (!isAbsolute(path) || createFolderExclusive(path) === 'exists') throw placeTaken({ path });
  const shape = ['--quiet', '--template=', `--object-format=${source.objectFormat}`];
  durablePoint('clone-init:before');
  await callAnywhere(source.git, { what: 'make a repository', args: ['init', ...shape, '--', path], cwd: dirname(path) });
  durablePoint('clone-init:after');
  return openRepository(source.git, path);
}

async function nameBranch(clone: Repository, branch: string): Promise<void> {
  durablePoint('clone-branch:before');
  await callGit(clone, { what: 'name the branch of a clone', args: ['symbolic-ref', 'HEAD', branch] });
  durablePoint('clone-branch:after');
}

async function detach(clone: Repository, commit: ObjectId): Promise<void> {
  durablePoint('clone-branch:before');
  await callGit(clone, { what: 'detach the HEAD of a clone', args: ['update-ref', '--no-deref', 'HEAD', commit] });
  durablePoint('clone-branch:after');
}

async function shareObjects(source: Repository, clone: Repository): Promise<void> {
  const objects = join(source.commonDir, 'objects');
  const info = join(clone.commonDir, 'objects/info');
  createFolderExclusive(info, { mode: 0o777 });
  await replaceFile(join(info, 'alternates'), `${quoted(objects)}\n`, { mode: 0o644 });
  await copyIfPresent(join(source.commonDir, 'shallow'), join(clone.commonDir, 'shallow'));
}

/** Where the history of the source ends, that of the clone ends too. */
async function copyIfPresent(from: string, to: string): Promise<void> {
  try {
    durablePoint('clone-shallow:before');
    await copyFile(from, to);
    durablePoint('clone-shallow:after');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw describeSystemError(error, { action: 'copy', path: from });
  }
}

/** As C does, which is how git reads a line that starts with a quote. */
function quoted(path: string): string {
  if (!/[\n"\\]/.test(path)) return path;
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
