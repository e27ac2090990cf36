import { isDroverError } from '../../kernel/errors/index.ts';
import {
  advanceCheckout,
  checkoutsOn,
  isAncestor,
  moveRef,
  readCommit,
  readRef,
  repositoryLock,
  settleAdvance,
  tryRepositoryLock,
  unfinishedAdvance,
  type Advance,
  type GitPath,
  type Identity,
  type ObjectId,
  type Obstruction,
  type RefMoveOutcome,
  type Repository,
} from '../../kernel/git/index.ts';
import { landedTreeDiffers } from '../errors.ts';

export interface MoveRequest {
  /** In full. */
  readonly ref: string;
  /** What it held when the change was prepared. */
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
  /** What passed the checks; `to` must have exactly this one. */
  readonly tree: ObjectId;
  readonly who: Identity;
  /** For the ref log. */
  readonly reason: string;
}

export type MoveOutcome =
  | { readonly kind: 'moved'; readonly tolerated: readonly GitPath[] }
  | { readonly kind: 'moved-on'; readonly actual: ObjectId | undefined }
  | ({ readonly kind: 'waiting'; readonly checkout: string } & Waiting)
  | { readonly kind: 'refused'; readonly said: string };

type Waiting = Omit<Obstruction, 'reason'> & { readonly reason: Obstruction['reason'] | 'busy' };

/**
 * Moves the destination from a value to a commit, and with it the files of each checkout that stands on it, or nothing
 * at all. Called again after it was cut off anywhere, it comes to the same end; the files of a half-moved checkout
 * are put in order first. Hooks for refs may refuse.
 * Throws `landed-tree-differs` when the commit is not the tree that was checked, and as `moveRef` and `advanceCheckout` do.
 */
export async function moveDestination(repository: Repository, request: MoveRequest, signal: AbortSignal): Promise<MoveOutcome> {
  const lock = await repositoryLock(repository, { kind: 'landing', branch: request.ref }, { signal });
  try {
    await requireTree(repository, request);
    await settleCheckouts(repository, request.ref);
    const tip = (await readRef(repository, request.ref))?.id;
    if (tip !== undefined && (await isIn(repository, { commit: request.to, tip }))) return { kind: 'moved', tolerated: [] };
    if (tip !== request.from) return { kind: 'moved-on', actual: tip };
    return await moveWithCheckouts(repository, request);
  } finally {
    lock.release();
  }
}

/** Whether the move stands, and whole: the checkouts of the destination have followed. Changes nothing. */
export async function lookAtMove(repository: Repository, { ref, from, to }: Pick<MoveRequest, 'ref' | 'from' | 'to'>): Promise<'done' | 'not-done' | 'moved-on'> {
  const checkouts = await checkoutsOn(repository, ref);
  if (checkouts.some(({ checkout }) => unfinishedAdvance(checkout) !== undefined)) return 'not-done';
  const tip = (await readRef(repository, ref))?.id;
  if (tip !== undefined && (await isIn(repository, { commit: to, tip }))) return 'done';
  return tip === from ? 'not-done' : 'moved-on';
}

async function requireTree(repository: Repository, { to, tree, ref }: MoveRequest): Promise<void> {
  const commit = await readCommit(repository, to);
  if (commit.tree !== tree) throw landedTreeDiffers({ ref, commit: to, tree: commit.tree, checked: tree });
}

/**
 * Puts in order what a killed landing left half done in checkouts of the destination: files go the way the branch went.
 * Throws as `moveDestination` does.
 */
export async function settleDestination(repository: Repository, ref: string, signal: AbortSignal): Promise<void> {
  const lock = await repositoryLock(repository, { kind: 'landing', branch: ref }, { signal });
  try {
    await settleCheckouts(repository, ref);
  } finally {
    lock.release();
  }
}

async function settleCheckouts(repository: Repository, ref: string): Promise<void> {
  for (const { checkout } of await checkoutsOn(repository, ref)) {
    const unfinished = unfinishedAdvance(checkout);
    if (unfinished === undefined) continue;
    const tip = (await readRef(repository, unfinished.ref))?.id;
    const isMoved = tip !== undefined && (await isIn(repository, { commit: unfinished.to, tip }));
    await settleAdvance(checkout, unfinished, isMoved ? 'to' : 'from');
  }
}

function isIn(repository: Repository, { commit, tip }: { readonly commit: ObjectId; readonly tip: ObjectId }): Promise<boolean> {
  return commit === tip ? Promise.resolve(true) : isAncestor(repository, { ancestor: commit, descendant: tip });
}

async function moveWithCheckouts(repository: Repository, request: MoveRequest): Promise<MoveOutcome> {
  const ready: Advance[] = [];
  for (const { checkout, isRebasing } of await checkoutsOn(repository, request.ref)) {
    const waiting = isRebasing ? UNDER_WAY : await follow(checkout, { request, ready });
    if (waiting === undefined) continue;
    await undoAll(ready);
    return { kind: 'waiting', checkout: checkout.topLevel ?? checkout.gitDir, ...waiting };
  }
  const outcome = await moveOrUndo(repository, request, ready);
  if (outcome.kind !== 'moved') return outcome;
  for (const advance of ready) await advance.finish();
  return { kind: 'moved', tolerated: ready.flatMap(({ tolerated }) => tolerated) };
}

const UNDER_WAY: Waiting = { reason: 'under-way', paths: [] };

async function follow(checkout: Repository, { request, ready }: { readonly request: MoveRequest; readonly ready: Advance[] }): Promise<Waiting | undefined> {
  const lock = tryRepositoryLock(checkout, { kind: 'checkout', path: checkout.topLevel ?? checkout.gitDir });
  if (lock === 'held') return { reason: 'busy', paths: [] };
  try {
    const outcome = await advanceCheckout(checkout, { ref: request.ref, from: request.from, to: request.to });
    if (outcome.kind === 'in-the-way') return { reason: outcome.reason, paths: outcome.paths };
    ready.push(outcome.advance);
    return undefined;
  } catch (error) {
    // Another git is at work there; when it was killed, a person has to look at its lock.
    if (isDroverError(error) && error.code === 'git-locked') return { reason: 'busy', paths: [] };
    throw error;
  } finally {
    lock.release();
  }
}

async function moveOrUndo(repository: Repository, request: MoveRequest, ready: readonly Advance[]): Promise<RefMoveOutcome> {
  const { ref, from, to, who, reason } = request;
  try {
    const outcome = await moveRef(repository, { ref, from, to, who, reason, hooks: 'run' });
    if (outcome.kind !== 'moved') await undoAll(ready);
    return outcome;
  } catch (error) {
    await settleCheckouts(repository, ref).catch(() => undefined);
    throw error;
  }
}

async function undoAll(ready: readonly Advance[]): Promise<void> {
  for (const advance of ready) await advance.undo();
}
