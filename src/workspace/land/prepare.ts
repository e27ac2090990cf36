import { commitTree, emptyTree, isAncestor, mergeBases, mergeTrees, readCommit, type GitPath, type Identity, type ObjectId, type Repository, type Signature } from '../../kernel/git/index.ts';
import type { Change, Strategy } from '../contract.ts';
import { linksLeadingOut } from './links.ts';
import { replay } from './rebase.ts';

export interface PrepareRequest {
  /** What the destination holds; `undefined` where it does not exist yet. */
  readonly onto: ObjectId | undefined;
  readonly change: Change;
  readonly strategy: Strategy;
  /** Of commits made here. With the same moment the same commits come out. */
  readonly committer: Signature;
}

/** A commit with exactly the tree that is to be checked, on top of what the destination held. No ref leads to it yet. */
export interface Prepared {
  readonly kind: 'prepared';
  readonly onto: ObjectId | undefined;
  readonly commit: ObjectId;
  readonly tree: ObjectId;
}

export type PrepareOutcome =
  | Prepared
  /** The destination has it. */
  | { readonly kind: 'already'; readonly commit: ObjectId }
  | { readonly kind: 'conflict'; readonly paths: readonly GitPath[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Makes the commit that a change becomes on its destination, in the object store alone: no ref, index or file is touched.
 * A link that leads out of the repository is refused, since whoever works there next would follow it.
 * Throws `git-too-old` below 2.38 for all but `ff`, and `git-failed`.
 */
export async function prepareChange(repository: Repository, request: PrepareRequest): Promise<PrepareOutcome> {
  const outcome = await commitFor(repository, request);
  if (outcome.kind !== 'prepared') return outcome;
  const before = outcome.onto ?? emptyTree(repository);
  const [link] = await linksLeadingOut(repository, { before, after: outcome.tree });
  return link === undefined ? outcome : { kind: 'refused', reason: `the change has a link that leads out of the repository: ${link}` };
}

async function commitFor(repository: Repository, request: PrepareRequest): Promise<PrepareOutcome> {
  const { onto, change, strategy } = request;
  const based = await baseProblem(repository, change);
  if (based !== undefined) return based;
  if (onto === undefined) return first(repository, request);
  if (await isAncestor(repository, { ancestor: change.tip, descendant: onto })) return { kind: 'already', commit: onto };
  if (strategy === 'ff') return fastForward(repository, { onto, tip: change.tip });
  if ((await mergeBases(repository, onto, change.tip)).length === 0) return { kind: 'refused', reason: noCommonCommit(change) };
  if (strategy === 'rebase') return rebased(repository, { ...request, onto });
  return strategy === 'merge' ? merged(repository, { ...request, onto }) : squashed(repository, { ...request, onto });
}

/** With a wrong base, what others did since would be undone without a conflict. */
async function baseProblem(repository: Repository, { base, tip }: Change): Promise<PrepareOutcome | undefined> {
  if (base === undefined || (await isAncestor(repository, { ancestor: base, descendant: tip }))) return undefined;
  return { kind: 'refused', reason: `the change ${tip} does not descend from its base ${base}` };
}

/** A shallow clone may lack the commit that both come from. */
function noCommonCommit({ tip }: Change): string {
  return `the change ${tip} and the destination have no common commit here; in a shallow clone: git fetch --unshallow`;
}

interface OnTip extends PrepareRequest {
  readonly onto: ObjectId;
}

async function first(repository: Repository, { change, strategy, committer }: PrepareRequest): Promise<PrepareOutcome> {
  const { tree } = await readCommit(repository, change.tip);
  const commit = strategy === 'squash' ? await ownCommit(repository, { change, committer, tree, parents: [] }) : change.tip;
  return { kind: 'prepared', onto: undefined, commit, tree };
}

async function fastForward(repository: Repository, { onto, tip }: { readonly onto: ObjectId; readonly tip: ObjectId }): Promise<PrepareOutcome> {
  if (!(await isAncestor(repository, { ancestor: onto, descendant: tip }))) {
    return { kind: 'refused', reason: `the destination has commits that the change ${tip} does not have; another strategy than ff takes both` };
  }
  return { kind: 'prepared', onto, commit: tip, tree: (await readCommit(repository, tip)).tree };
}

async function merged(repository: Repository, { onto, change, committer }: OnTip): Promise<PrepareOutcome> {
  const outcome = await mergeTrees(repository, { ours: onto, theirs: change.tip });
  if (outcome.kind === 'conflict') return { kind: 'conflict', paths: outcome.paths };
  const { tree } = outcome;
  return { kind: 'prepared', onto, tree, commit: await ownCommit(repository, { change, committer, tree, parents: [onto, change.tip] }) };
}

/** With a base of its own the change is what came after that; else what the destination does not have. */
async function squashed(repository: Repository, { onto, change, committer }: OnTip): Promise<PrepareOutcome> {
  const { tip, base } = change;
  const outcome = await mergeTrees(repository, { ours: onto, theirs: tip, ...(base === undefined ? {} : { base }) });
  if (outcome.kind === 'conflict') return { kind: 'conflict', paths: outcome.paths };
  const { tree } = outcome;
  if (tree === (await readCommit(repository, onto)).tree) return { kind: 'already', commit: onto };
  return { kind: 'prepared', onto, tree, commit: await ownCommit(repository, { change, committer, tree, parents: [onto] }) };
}

async function rebased(repository: Repository, { onto, change, committer }: OnTip): Promise<PrepareOutcome> {
  const outcome = await replay(repository, { onto, base: change.base ?? onto, tip: change.tip, committer });
  if (outcome.kind !== 'replayed') return outcome;
  if (outcome.commit === onto) return { kind: 'already', commit: onto };
  return { kind: 'prepared', onto, commit: outcome.commit, tree: outcome.tree };
}

interface OwnCommit {
  readonly change: Change;
  readonly committer: Signature;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
}

function ownCommit(repository: Repository, { change, committer, tree, parents }: OwnCommit): Promise<ObjectId> {
  return commitTree(repository, { tree, parents, author: authorOf(change.author, committer), committer, message: change.message });
}

function authorOf({ name, email }: Identity, { date }: Signature): Signature {
  return { name, email, date };
}
