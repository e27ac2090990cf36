import { failed, notDone, ok, type Handlers, type Intent, type Receipt, type StepContext } from '../../engine/index.ts';
import { displayPath, type GitPath, type Identity, type ObjectId, type Repository, type Signature } from '../../kernel/git/index.ts';
import type { Change, Strategy } from '../contract.ts';
import { lookAtMove, moveDestination, settleDestination } from './move.ts';
import { prepareChange } from './prepare.ts';

/** Landing as steps of the engine; a system takes both kinds in among its own. */
export type LandSteps = {
  readonly prepare: {
    readonly input: {
      /** In full. */
      readonly ref: string;
      /** What the destination holds; `null` where it does not exist yet. */
      readonly onto: ObjectId | null;
      readonly change: Change;
      readonly strategy: Strategy;
      /** With its moment, so that a repetition makes the same commits. */
      readonly committer: Signature;
    };
    /** `already`: the destination has it, and `commit` is what it holds. */
    readonly data: { readonly commit: ObjectId; readonly tree: ObjectId | null; readonly already: boolean };
  };
  readonly move: {
    readonly input: {
      readonly ref: string;
      readonly key: string;
      readonly from: ObjectId | null;
      readonly to: ObjectId;
      readonly tree: ObjectId;
      readonly who: Identity;
    };
    readonly data: { readonly tolerated: readonly string[] };
  };
};

export interface LandWorld {
  readonly repository: Repository;
}

/** Codes of receipts that failed. */
export const CONFLICT = 'conflict';
export const REFUSED = 'refused';
/** Prepared anew it may land. */
export const MOVED_ON = 'moved-on';
/** Something stands in a checkout of the destination. */
export const WAITING = 'waiting';

export const landHandlers: Handlers<LandSteps, LandWorld> = {
  prepare: {
    perform: prepare,
    // Nothing leads to the objects yet: made again they are the same ones.
    reconcile: async () => notDone('nothing refers to the commit'),
  },
  move: { perform: move, reconcile: lookAfterMove },
};

type Context = StepContext<LandWorld>;

async function prepare({ input }: Intent<LandSteps, 'prepare'>, { world: { repository }, signal }: Context): Promise<Receipt<LandSteps['prepare']['data']>> {
  const { ref, onto, change, strategy, committer } = input;
  const outcome = await prepareChange(repository, { onto: onto ?? undefined, change, strategy, committer });
  switch (outcome.kind) {
    case 'prepared':
      return ok({ commit: outcome.commit, tree: outcome.tree, already: false });
    case 'already':
      // The branch may have moved, and its mover been killed.
      await settleDestination(repository, ref, signal);
      return ok({ commit: outcome.commit, tree: null, already: true });
    case 'conflict':
      return failed(CONFLICT, `${change.key} conflicts in ${shown(outcome.paths)}`, { paths: outcome.paths });
    case 'refused':
      return failed(REFUSED, outcome.reason);
  }
}

async function move({ input }: Intent<LandSteps, 'move'>, { world: { repository }, signal }: Context): Promise<Receipt<LandSteps['move']['data']>> {
  const { ref, key, from, to, tree, who } = input;
  const outcome = await moveDestination(repository, { ref, from: from ?? undefined, to, tree, who, reason: `drover: land ${key}` }, signal);
  switch (outcome.kind) {
    case 'moved':
      return ok({ tolerated: outcome.tolerated });
    case 'moved-on':
      return failed(MOVED_ON, `${ref} holds ${outcome.actual ?? 'nothing'} by now`);
    case 'waiting':
      return failed(WAITING, `${outcome.checkout} is in the way (${outcome.reason}): ${shown(outcome.paths)}`, outcome);
    case 'refused':
      return failed(REFUSED, outcome.said);
  }
}

async function lookAfterMove({ input }: Intent<LandSteps, 'move'>, { world: { repository } }: Context): Promise<Receipt<LandSteps['move']['data']>> {
  const { ref, from, to } = input;
  switch (await lookAtMove(repository, { ref, from: from ?? undefined, to })) {
    case 'done':
      return ok({ tolerated: [] });
    case 'not-done':
      return notDone('the branch or a checkout of it was not moved');
    case 'moved-on':
      return failed(MOVED_ON, `${ref} was moved by somebody else`);
  }
}

function shown(paths: readonly GitPath[]): string {
  return paths.map(displayPath).join(', ');
}
