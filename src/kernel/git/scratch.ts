import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { tryLock, type Lock } from '../lock/index.ts';
import type { Repository } from './contract.ts';
import { droverFolder } from './refs/receipts-place.ts';

const FOLDER = 'scratch';
const LOCK_NAME = /^[0-9a-f]{16}\.lock$/;

/**
 * Lends a folder of its own, in the repository, so that what is made there can be renamed into its place. Folders that
 * killed processes left are removed first: each has a lock beside it, which its process holds as long as it lives.
 */
export async function withScratch<Result>(repository: Repository, work: (folder: string) => Promise<Result>): Promise<Result> {
  const parent = droverFolder(repository, FOLDER);
  await removeAbandoned(parent);
  const { folder, lock } = take(parent);
  try {
    await makeFolder(folder);
    return await work(folder);
  } finally {
    await give(folder, lock);
  }
}

/** Lends the place of an index that is nobody's, so that the person's index is neither used nor locked. */
export function withTemporaryIndex<Result>(repository: Repository, work: (index: string) => Promise<Result>): Promise<Result> {
  return withScratch(repository, (folder) => work(join(folder, 'index')));
}

interface Scratch {
  readonly folder: string;
  readonly lock: Lock;
}

/** The lock comes before its folder, and goes after it: a folder is never without one. */
function take(parent: string): Scratch {
  for (;;) {
    const folder = join(parent, randomBytes(8).toString('hex'));
    const lock = tryLock(`${folder}.lock`);
    // Whoever tidies up may have it for a moment: another name is as good.
    if (lock !== 'held') return { folder, lock };
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    throw describeSystemError(error, { action: 'create', path: folder });
  }
}

async function give(folder: string, lock: Lock): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
    lock.release({ remove: true });
  } catch {
    // The work is done. What is left counts as abandoned, and the next call tries again.
    lock.release();
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch((error: unknown) => {
    throw describeSystemError(error, { action: 'tidy', path: parent });
  });
  for (const name of names.filter((each) => LOCK_NAME.test(each))) {
    const path = join(parent, name);
    const lock = tryLock(path);
    if (lock !== 'held') await give(path.slice(0, -'.lock'.length), lock);
  }
}
