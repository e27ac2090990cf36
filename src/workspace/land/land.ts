import { readRef, type Identity, type ObjectId, type Repository } from '../../kernel/git/index.ts';
import type { Change, LandOutcome, Strategy } from '../contract.ts';
import { moveDestination, settleDestination, type MoveOutcome } from './move.ts';
import { prepareChange, type Prepared } from './prepare.ts';

export interface LandRequest {
  /** In full: `refs/heads/main`. */
  readonly ref: string;
  readonly change: Change;
  readonly strategy: Strategy;
  readonly who: Identity;
  readonly signal: AbortSignal;
}

/** So often a change is prepared anew when somebody else was quicker. */
const MOST_ATTEMPTS = 8;
const NANOSECONDS = 1_000_000_000n;

/**
 * Lands a change that needs no checks: prepares it on what the destination holds, and moves the destination there. Where
 * that moved meanwhile, it is prepared anew, eight times at most.
 *
 * @example
 * const outcome = await landChange(repository, { ref: 'refs/heads/main', change, strategy: 'squash', who, signal });
 * if (outcome.kind === 'conflict') tell(outcome.paths);
 */
export async function landChange(repository: Repository, request: LandRequest): Promise<LandOutcome> {
  let actual: ObjectId | undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const outcome = await attemptOnce(repository, request);
    if (outcome.kind !== 'moved') return outcome;
    actual = outcome.actual;
  }
  return { kind: 'moved', actual };
}

async function attemptOnce(repository: Repository, { ref, change, strategy, who, signal }: LandRequest): Promise<LandOutcome> {
  const onto = (await readRef(repository, ref))?.id;
  const date = { seconds: Number(repository.git.clock.wall() / NANOSECONDS), offsetMinutes: 0 };
  const prepared = await prepareChange(repository, { onto, change, strategy, committer: { ...who, date } });
  // The branch may have moved, and its mover been killed.
  if (prepared.kind === 'already') await settleDestination(repository, ref, signal);
  if (prepared.kind !== 'prepared') return prepared;
  const { commit, tree } = prepared;
  const moved = await moveDestination(repository, { ref, from: onto, to: commit, tree, who, reason: `drover: land ${change.key}` }, signal);
  return landOutcome(prepared, moved);
}

function landOutcome({ commit, tree, onto }: Prepared, moved: MoveOutcome): LandOutcome {
  switch (moved.kind) {
    case 'moved':
      return { kind: 'landed', commit, tree, before: onto, tolerated: moved.tolerated };
    case 'moved-on':
      return { kind: 'moved', actual: moved.actual };
    case 'waiting':
      return moved;
    case 'refused':
      return { kind: 'refused', reason: moved.said };
  }
}
