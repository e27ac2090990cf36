import { readBytesIfPresent, removeDurably, writeNew } from '../../files/index.ts';
import { isDroverError } from '../../errors/index.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { indexLocked } from '../errors.ts';
import { isObjectId } from '../object-id.ts';
import { isRefName } from '../refs/ref-name.ts';
import { inGitDir } from '../repository.ts';

/** What is about to be done to a checkout; it stands in the lock of its index, where the next one finds it. */
export interface AdvanceNote {
  /** In full. */
  readonly ref: string;
  /** `undefined` for a branch without a commit. */
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
}

export interface Hold {
  readonly release: () => Promise<void>;
}

const LOCK = 'index.lock';
const TITLE = 'drover is moving the branch of this checkout';
const LONGEST_NOTE = 64 * 1024;

/** Takes the lock that git itself takes before it writes the index. Throws `git-locked`. */
export async function holdIndex(checkout: Repository, { ref, from, to }: AdvanceNote): Promise<Hold> {
  const path = inGitDir(checkout, LOCK);
  try {
    await writeNew(path, `${JSON.stringify({ what: TITLE, ref, from: from ?? null, to })}\n`);
  } catch (error) {
    throw isDroverError(error) && error.code === 'already-exists' ? indexLocked({ path }, error) : error;
  }
  return { release: () => releaseIndex(checkout) };
}

export async function releaseIndex(checkout: Repository): Promise<void> {
  await removeDurably(inGitDir(checkout, LOCK));
}

/** `undefined` where there is no lock, and for the one of another git, which has an index in it. */
export function noteOf(checkout: Repository): AdvanceNote | undefined {
  const bytes = readBytesIfPresent(inGitDir(checkout, LOCK));
  if (bytes === undefined || bytes.length > LONGEST_NOTE) return undefined;
  const { what, ref, from, to } = fieldsOf(Buffer.from(bytes).toString());
  const isOurs = what === TITLE && isText(ref) && isRefName(ref) && isText(to) && isObjectId(to) && (from === null || (isText(from) && isObjectId(from)));
  return isOurs ? { ref, from: from ?? undefined, to } : undefined;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // An index, which is what git's own lock holds.
    return {};
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
