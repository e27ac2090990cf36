import { durablePoint } from '../../files/index.ts';
import { isDroverError } from '../../errors/index.ts';
import { callGit, type GitAnswer } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { dateOf, signatureEnvironment } from '../environment.ts';
import { effectUnknown, refIsSymbolic } from '../errors.ts';
import { failureOf } from '../failure.ts';
import { requireId, zeroId } from '../object-id.ts';
import { requireDecodable, requireIdentity } from '../text.ts';
import { withReceipt } from './receipts.ts';
import { requireRef } from './ref-name.ts';
import { glanceAtRef, readRef, symbolicTarget } from './read-refs.ts';

export interface RefMove {
  /** In full. */
  readonly ref: string;
  /** What the ref must hold now; `undefined`: it must not exist. */
  readonly from: ObjectId | undefined;
  readonly to: ObjectId;
  readonly who: Identity;
  /** For the ref log, one line. */
  readonly reason: string;
  /** `run` asks the repository's `reference-transaction` hook, which may refuse. Default `none`. */
  readonly hooks?: 'none' | 'run';
}

/** `to` is `undefined` when the ref goes. */
type RefChange = Omit<RefMove, 'to'> & { readonly to: ObjectId | undefined };

export type RefMoveOutcome =
  | { readonly kind: 'moved' }
  /** Somebody else moved it first; `actual` is `undefined` when it is gone. */
  | { readonly kind: 'moved-on'; readonly actual: ObjectId | undefined }
  /** The hook said no, with these words. */
  | { readonly kind: 'refused'; readonly said: string };

/**
 * Moves one ref from a value to another, or not at all when it holds something else by now (compare-and-swap).
 * When git was cut off (by its limit, the host's signal, another signal), the ref is looked at: `moved` when it holds
 * `to`; the reason is thrown when it still holds `from`; otherwise `git-effect-unknown`.
 * Throws `bad-ref-name`, `ref-is-symbolic`, `git-locked`, `git-failed` when `to` does not exist, and
 * `git-receipt-not-written` after the move.
 *
 * @example
 * const outcome = await moveRef(repository, { ref: 'refs/heads/main', from: tip, to: commit, who, reason: 'drover: land' });
 * if (outcome.kind === 'moved-on') startOver(outcome.actual);
 */
export async function moveRef(repository: Repository, move: RefMove): Promise<RefMoveOutcome> {
  return changeRef(repository, move);
}

export async function changeRef(repository: Repository, change: RefChange): Promise<RefMoveOutcome> {
  const { ref, from, to } = change;
  const command = commandFor(repository, { ref: requireRef(ref), from, to });
  requireDecodable(change.reason);
  requireIdentity(change.who);
  const found = await glanceAtRef(repository, ref);
  // One that leads nowhere is in no listing, and counts as absent for git's own comparison.
  const target = found === undefined ? await symbolicTarget(repository, ref) : found.symbolic;
  if (target !== undefined) throw refIsSymbolic({ ref, target });
  if (found !== undefined && found.id !== from) return { kind: 'moved-on', actual: found.id };
  const receipt = { kind: 'ref', name: ref, before: from, after: to, who: change.who } as const;
  const outcome = await withReceipt(repository, receipt, async () => {
    const reached = await attempt(repository, { ...change, command });
    return { outcome: reached, done: reached.kind === 'moved' };
  });
  if (outcome.kind === 'cut-off') throw outcome.error;
  return outcome;
}

type Attempt = RefMoveOutcome | { readonly kind: 'cut-off'; readonly error: unknown };

async function attempt(repository: Repository, change: RefChange & { readonly command: string }): Promise<Attempt> {
  durablePoint('ref:before');
  let answer: GitAnswer;
  try {
    answer = await transact(repository, change);
  } catch (error) {
    return lookAfter(repository, change, error);
  }
  durablePoint('ref:after');
  return outcomeOf(repository, change, answer);
}

/** Git has ended without an answer: what the ref holds now is the answer, where it tells. */
async function lookAfter(repository: Repository, { ref, from, to }: RefChange, error: unknown): Promise<Attempt> {
  const unknown = (): unknown =>
    effectUnknown({ change: ref, where: repository.commonDir, reason: error instanceof Error ? error.message : String(error) }, error);
  // What is left of a process that could not be ended may still move it.
  if (isDroverError(error) && error.code === 'process-not-ended') throw unknown();
  // Also when the host wants everything stopped: what happened has to be known.
  const { signal: _, ...git } = repository.git;
  const found = await readRef({ ...repository, git }, ref).catch(() => {
    throw unknown();
  });
  if (found?.id === to) return { kind: 'moved' };
  if (found?.id === from) return { kind: 'cut-off', error };
  throw unknown();
}

function commandFor({ objectFormat }: Repository, { ref, from, to }: Pick<RefChange, 'ref' | 'from' | 'to'>): string {
  const old = from === undefined ? zeroId(objectFormat) : requireId(from);
  return to === undefined ? `delete ${ref}\0${old}\0` : `update ${ref}\0${requireId(to)}\0${old}\0`;
}

/** Without following symbolic refs: whatever `ref` is by now, no other one moves. */
function transact(repository: Repository, { command, who, reason, hooks }: RefChange & { command: string }): Promise<GitAnswer> {
  const message = reason.replaceAll(/\p{Cc}+/gu, ' ');
  return callGit(repository, {
    what: 'move a ref',
    args: ['update-ref', '-m', message, '--stdin', '-z'],
    input: `start\0option no-deref\0${command}prepare\0commit\0`,
    env: signatureEnvironment('COMMITTER', { ...who, date: dateOf(repository.git.clock) }),
    ...(hooks === undefined ? {} : { hooks }),
    answers: [0, 1, 128],
  });
}

async function outcomeOf(repository: Repository, { ref, from }: RefChange, answer: GitAnswer): Promise<RefMoveOutcome> {
  if (answer.code === 0) return { kind: 'moved' };
  const actual = (await readRef(repository, ref))?.id;
  if (actual !== from) return { kind: 'moved-on', actual };
  if (/aborted by (the reference-transaction )?hook/.test(answer.stderr)) return { kind: 'refused', said: answer.stderr.trim() };
  throw failureOf(answer, { what: `move ${ref}`, where: repository.commonDir });
}
