import { readBytesIfPresent, removeDurably } from '../../files/index.ts';
import type { Repository } from '../contract.ts';
import { inGitDir } from '../repository.ts';

/** What git writes into the lock of a worktree until all its files are there. */
const UNFINISHED = 'initializing';

/**
 * Takes away the lock with which git guards a worktree that it is still making. Only for one whose maker is known to
 * be dead: the lock of a person, who asked git to leave a worktree alone, is `not-unfinished` and stays.
 */
export async function releaseUnfinished(worktree: Repository): Promise<'released' | 'not-unfinished'> {
  const file = inGitDir(worktree, 'locked');
  const text = readBytesIfPresent(file, { maxBytes: 64 * 1024 });
  if (text === undefined || Buffer.from(text).toString().trim() !== UNFINISHED) return 'not-unfinished';
  await removeDurably(file);
  return 'released';
}
