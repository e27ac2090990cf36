import { rename } from 'node:fs/promises';
import { durablePoint, removeDurably, syncFolderNow, syncPath } from '../../files/index.ts';
import { describeSystemError } from '../../errors/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { changedPaths, emptyTree } from '../objects/difference.ts';
import { requireId } from '../object-id.ts';
import { nulSeparated } from '../nul.ts';
import type { GitPath } from '../path.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { holdIndex, noteOf, releaseIndex, type AdvanceNote } from './index-hold.ts';
import { obstaclesTo, type Obstruction } from './obstacles.ts';
import { takeInOurs } from './own-files.ts';
import { copyIndex } from './working-tree.ts';

/** Of the branch that the checkout stands on. */
export type AdvanceRequest = AdvanceNote;

export type AdvanceOutcome = { readonly kind: 'ready'; readonly advance: Advance } | ({ readonly kind: 'in-the-way' } & Obstruction);

/** The files are those of `to`; nobody else can use the index until it is one or the other. */
export interface Advance {
  /** What differs from its commit and is none of the change's; it stayed as it was. */
  readonly tolerated: readonly GitPath[];
  /** The branch was moved: the index follows. */
  readonly finish: () => Promise<void>;
  /** The branch was not moved: files go back. */
  readonly undo: () => Promise<void>;
}

const LIMIT_MS = 10 * 60_000;
const LARGEST_LISTING = 256 * 2 ** 20;
const NEXT_INDEX = 'drover-index';

/**
 * Writes the files of a checkout for the move of its branch, which the caller makes next, by compare-and-swap. Until
 * then its index is locked, as by git itself: nobody can commit what is half there. Nothing is touched where something
 * is in the way: a merge or the like under way, anything staged, and at the paths of the change whatever differs.
 * A killed caller leaves the lock with its request in it: `unfinishedAdvance` reads it, `settleAdvance` puts it in order.
 * Throws `git-locked`, `no-checkout`, `disk-full`, `git-failed`.
 */
export async function advanceCheckout(checkout: Repository, request: AdvanceRequest): Promise<AdvanceOutcome> {
  const hold = await holdIndex(checkout, request);
  try {
    const found = await obstaclesTo(checkout, request);
    if (found.kind === 'in-the-way') {
      await hold.release();
      return found;
    }
    const index = await nextIndex(checkout);
    const hidden = await switchUnlessHidden(checkout, { index, before: sideOf(checkout, request.from), after: request.to });
    if (hidden.length > 0) {
      await hold.release();
      return { kind: 'in-the-way', reason: 'changed', paths: hidden };
    }
    return {
      kind: 'ready',
      advance: {
        tolerated: found.tolerated,
        finish: async () => {
          await putIndex(checkout, index);
          await hold.release();
        },
        undo: async () => {
          await switchFiles(checkout, { index, before: request.to, after: sideOf(checkout, request.from) });
          await removeDurably(index);
          await hold.release();
        },
      },
    };
  } catch (error) {
    await settleAdvance(checkout, request, 'from').catch(() => undefined);
    throw error;
  }
}

/** What a killed process was about to do here, or `undefined`. The lock of another git is none of ours. */
export function unfinishedAdvance(checkout: Repository): AdvanceRequest | undefined {
  return noteOf(checkout);
}

/**
 * Ends an advance whose process was killed, in either direction. Each file of the change that is as one of the two
 * commits has it, or that git was just writing, goes to the wanted one. A file that somebody wrote since stays, and
 * is named. To be called by whoever holds the lock for landing on that branch. Throws as `advanceCheckout` does.
 */
export async function settleAdvance(checkout: Repository, request: AdvanceRequest, goal: 'from' | 'to'): Promise<readonly GitPath[]> {
  const index = await nextIndex(checkout);
  const from = sideOf(checkout, request.from);
  const wanted = goal === 'to' ? request.to : from;
  const changes = await changedPaths(checkout, { before: from, after: request.to });
  const { tree, foreign } = await takeInOurs(checkout, { index, changes, goal });
  await switchFiles(checkout, { index, before: tree, after: wanted });
  await putIndex(checkout, index);
  await releaseIndex(checkout);
  return foreign;
}

function sideOf(checkout: Repository, commit: ObjectId | undefined): ObjectId {
  return commit ?? emptyTree(checkout);
}

interface Switch {
  readonly index: string;
  readonly before: ObjectId;
  readonly after: ObjectId;
}

/**
 * An edit that its index hides (assumed unchanged, or left out on purpose) is found by git alone, which then refuses.
 * Gives the paths of such entries in the change.
 */
async function switchUnlessHidden(checkout: Repository, change: Switch): Promise<readonly GitPath[]> {
  try {
    await switchFiles(checkout, change);
    return [];
  } catch (error) {
    const touched = new Set((await changedPaths(checkout, change)).map(({ path }) => path));
    const hidden = (await hiddenPaths(checkout)).filter((path) => touched.has(path));
    if (hidden.length === 0) throw error;
    return hidden;
  }
}

/** `h` stands for what is assumed unchanged, `S` for what is left out. */
async function hiddenPaths(checkout: Repository): Promise<readonly GitPath[]> {
  const call = { what: 'read an index', args: ['ls-files', '-z', '-v'], cwd: checkoutOf(checkout), maxBytes: LARGEST_LISTING };
  const lines = nulSeparated((await callGit(checkout, call)).stdout);
  return lines.filter((line) => /^[a-zS] /.test(line)).map((line) => line.slice(2) as GitPath);
}

/** Git looks at all first: where it refuses, no file is touched. */
async function switchFiles(checkout: Repository, { index, before, after }: Switch): Promise<void> {
  const args = ['read-tree', '-m', '-u', requireId(before), requireId(after)];
  durablePoint('checkout-files:before');
  const call = { what: 'write the files of a checkout', args, cwd: checkoutOf(checkout), env: { GIT_INDEX_FILE: index } };
  await callGit(checkout, { ...call, limitMs: LIMIT_MS });
  durablePoint('checkout-files:after');
}

async function nextIndex(checkout: Repository): Promise<string> {
  const index = inGitDir(checkout, NEXT_INDEX);
  // A git that was killed on it leaves its own lock.
  await removeDurably(`${index}.lock`);
  await removeDurably(index);
  await copyIndex(inGitDir(checkout, 'index'), index);
  return index;
}

async function putIndex(checkout: Repository, index: string): Promise<void> {
  const to = inGitDir(checkout, 'index');
  try {
    await syncPath(index);
    durablePoint('checkout-index:before');
    await rename(index, to);
    syncFolderNow(checkout.gitDir);
    durablePoint('checkout-index:after');
  } catch (error) {
    throw describeSystemError(error, { action: 'replace', path: to });
  }
}
