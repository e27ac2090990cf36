import type { Identity, ObjectId, Repository } from '../contract.ts';
import { gitFailed } from '../errors.ts';
import { requireId } from '../object-id.ts';
import { changeRef, moveRef, type RefMoveOutcome } from './move-ref.ts';
import { requireRef } from './ref-name.ts';

const KEPT = 'refs/drover/keep';

export interface Keep {
  readonly id: ObjectId;
  /** What it was, in the form of a ref below `refs/`: `tasks/t-12`. The ref gets the id behind it. */
  readonly name: string;
  readonly who: Identity;
  readonly reason: string;
}

/**
 * Keeps an object, and with it all that it refers to, from being collected, and gives the full name of the ref. Keeping
 * it again changes nothing. Throws `bad-ref-name`, and `git-failed` when there is no such object.
 */
export async function keepRef(repository: Repository, { id, name, who, reason }: Keep): Promise<string> {
  const ref = requireRef(`${KEPT}/${name}/${requireId(id)}`);
  const outcome = await moveRef(repository, { ref, from: undefined, to: id, who, reason });
  if (outcome.kind === 'moved' || (outcome.kind === 'moved-on' && outcome.actual === id)) return ref;
  throw gitFailed({ what: `keep ${id}`, where: repository.commonDir, said: `${ref} holds something else` });
}

/**
 * Removes a ref that holds `from`, after keeping that under `refs/drover/keep/deleted/`; `moved-on` when it holds
 * something else. Throws as `moveRef` does.
 */
export async function deleteRef(
  repository: Repository,
  { ref, from, who, reason }: { readonly ref: string; readonly from: ObjectId; readonly who: Identity; readonly reason: string },
): Promise<RefMoveOutcome> {
  await keepRef(repository, { id: from, name: `deleted/${requireRef(ref).slice('refs/'.length)}`, who, reason });
  return changeRef(repository, { ref, from, to: undefined, who, reason });
}
