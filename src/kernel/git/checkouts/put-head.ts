import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { requireId } from '../object-id.ts';
import { keepRef } from '../refs/keep-ref.ts';
import { moveRef, type RefMoveOutcome } from '../refs/move-ref.ts';
import { readHead, readRef } from '../refs/read-refs.ts';
import { requireRef } from '../refs/ref-name.ts';
import { checkoutOf } from '../repository.ts';
import { operationUnderWay, type Operation } from './operation.ts';

export interface HeadPlace {
  readonly commit: ObjectId;
  /** In full; `undefined` detaches HEAD. */
  readonly branch: string | undefined;
  /** Names the keep-ref of what the branch held. */
  readonly name: string;
  readonly who: Identity;
  /** Whether the person's hooks may refuse the move of the branch. Default `none`. */
  readonly hooks?: 'none' | 'run';
}

const QUIT: Readonly<Partial<Record<Operation, string>>> = { rebase: 'rebase', patches: 'am', 'cherry-pick': 'cherry-pick', revert: 'revert' };

/**
 * Puts HEAD and the index of a checkout at a commit, and the branch with them; files stay. What the branch held is kept
 * before, and a merge, rebase or the like is given up: its commits are in the log of HEAD. Does nothing further when
 * the branch moved meanwhile or a hook refused. Throws `git-locked`, and what `keepRef` and `moveRef` throw.
 */
export async function putHead(checkout: Repository, place: HeadPlace): Promise<RefMoveOutcome> {
  const moved = place.branch === undefined ? DONE : await moveBranch(checkout, { ...place, branch: place.branch });
  if (moved.kind !== 'moved') return moved;
  await giveUp(checkout);
  await pointHead(checkout, place);
  durablePoint('index:before');
  // Without paths it forgets a merge under way too.
  await callGit(checkout, { what: 'put back an index', cwd: checkoutOf(checkout), args: ['reset', '--quiet', '--mixed', requireId(place.commit), '--'] });
  durablePoint('index:after');
  return DONE;
}

const DONE = { kind: 'moved' } as const;

async function moveBranch(checkout: Repository, place: HeadPlace & { readonly branch: string }): Promise<RefMoveOutcome> {
  const { branch: ref, commit, name, who, hooks } = place;
  const from = (await readRef(checkout, ref))?.id;
  if (from === commit) return DONE;
  const reason = 'drover: put back';
  if (from !== undefined) await keepRef(checkout, { id: from, name, who, reason });
  return moveRef(checkout, { ref, from, to: commit, who, reason, ...(hooks === undefined ? {} : { hooks }) });
}

async function giveUp(checkout: Repository): Promise<void> {
  const operation = operationUnderWay(checkout);
  const verb = operation === undefined ? undefined : QUIT[operation];
  if (verb === undefined) return;
  await callGit(checkout, { what: `give up a ${verb}`, cwd: checkoutOf(checkout), args: [verb, '--quit'] });
}

async function pointHead(checkout: Repository, { branch, commit }: HeadPlace): Promise<void> {
  const head = await readHead(checkout);
  if (branch === undefined ? head.kind === 'detached' && head.id === commit : head.kind === 'branch' && head.ref === branch) return;
  const message = ['-m', 'drover: put back'];
  const args = branch === undefined ? ['update-ref', ...message, '--no-deref', 'HEAD', requireId(commit)] : ['symbolic-ref', ...message, 'HEAD', requireRef(branch)];
  durablePoint('head:before');
  await callGit(checkout, { what: 'put back HEAD', args });
  durablePoint('head:after');
}
