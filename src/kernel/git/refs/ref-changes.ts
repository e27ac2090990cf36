import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../../errors/index.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { markReceipts, readReceipts, requireReceipts, type Receipt, type ReceiptsMark } from './receipts.ts';
import { requireOutOfReach } from './receipts-place.ts';
import { listRefs } from './read-refs.ts';

/** The refs of a repository at one moment, with what is needed to tell later whose the changes are. JSON keeps it. */
export interface RefRecord {
  readonly refs: Readonly<Record<string, ObjectId>>;
  readonly receipts: ReceiptsMark;
  /** Sizes of the logs in which each checkout notes the moves of its HEAD. */
  readonly logs: Readonly<Record<string, number>>;
}

/** A move that somebody other than the agent made; of any ref, where the log does not say of which. */
export interface ExplainedMove {
  readonly ref: string | undefined;
  readonly before: ObjectId | undefined;
  readonly after: ObjectId | undefined;
}

export interface UnexplainedChange {
  readonly ref: string;
  readonly before: ObjectId | undefined;
  readonly after: ObjectId | undefined;
}

interface Comparison {
  readonly before: Readonly<Record<string, ObjectId>>;
  readonly after: Readonly<Record<string, ObjectId>>;
  readonly explanations: readonly ExplainedMove[];
  /** Whether the agent could have written this ref from its workspace: in a clone of its own, none of the source. */
  readonly reach: (ref: string) => boolean;
}

export interface Suspicions {
  readonly changes: readonly UnexplainedChange[];
  /** As in `Receipts`: lines that somebody else put among the receipts, where no agent should be able to. */
  readonly foreignLines: readonly number[];
}

/** Taken when an agent is let in. Throws `receipts-in-reach`. */
export async function recordRefs(repository: Repository): Promise<RefRecord> {
  requireOutOfReach(repository);
  const [receipts, logs, refs] = await Promise.all([markReceipts(repository), logSizes(repository), listRefs(repository)]);
  return { refs: refTable(refs), receipts, logs };
}

/**
 * The ref changes since `before` that the agent of `checkout` may have made. Not blamed on it: what drover has a
 * receipt for (an open one too), what HEAD of another checkout went through (a person's commit), and what the agent
 * could not reach. The rest is a suspicion and no proof: a person may have moved a branch that is checked out nowhere.
 * Throws `receipts-in-reach`, and `receipts-changed` when those of that time are not there as they were.
 */
export async function suspectChanges(
  checkout: Repository,
  before: RefRecord,
  reach: (ref: string) => boolean,
): Promise<Suspicions> {
  requireOutOfReach(checkout);
  // The refs first: what explains a change is written before it, or with it.
  const after = refTable(await listRefs(checkout));
  await requireReceipts(checkout, before.receipts);
  const { receipts, foreignLines } = await readReceipts(checkout, { since: before.receipts.bytes });
  const moves = await movesOfOthers(checkout, before);
  const explanations = [...receipts.flatMap(moveOf), ...moves];
  return { changes: unexplainedChanges({ before: before.refs, after, explanations, reach }), foreignLines };
}

/** A change is explained when explained moves lead from the one value to the other, in as many steps as it takes. */
export function unexplainedChanges({ before, after, explanations, reach }: Comparison): readonly UnexplainedChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((ref) => {
    const change = { ref, before: before[ref], after: after[ref] };
    if (change.before === change.after || !reach(ref) || leadsThere(change, explanations)) return [];
    return [change];
  });
}

function leadsThere({ ref, before, after }: UnexplainedChange, explanations: readonly ExplainedMove[]): boolean {
  const moves = explanations.filter((move) => move.ref === undefined || move.ref === ref);
  const reached = new Set([before]);
  for (const value of reached) {
    for (const move of moves) {
      if (move.before === value) reached.add(move.after);
    }
  }
  return reached.has(after);
}

function refTable(refs: readonly { readonly name: string; readonly id: ObjectId }[]): Record<string, ObjectId> {
  return Object.fromEntries(refs.map(({ name, id }) => [name, id]));
}

function moveOf({ kind, name, before, after, state }: Receipt): readonly ExplainedMove[] {
  return kind === 'ref' && state !== 'not-done' ? [{ ref: name, before, after }] : [];
}

async function movesOfOthers(checkout: Repository, { logs }: RefRecord): Promise<readonly ExplainedMove[]> {
  const own = join(checkout.gitDir, LOG);
  const files = (await logFiles(checkout)).filter((file) => file !== own);
  return (await Promise.all(files.map((file) => movesIn(file, logs[file] ?? 0)))).flat();
}

const LOG = 'logs/HEAD';
const MOST_LOG_BYTES = 16 * 2 ** 20;
const LINE = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) /;

async function logFiles({ commonDir }: Repository): Promise<readonly string[]> {
  const worktrees = join(commonDir, 'worktrees');
  const names = await readdir(worktrees).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw describeSystemError(error, { action: 'read', path: worktrees });
  });
  return [join(commonDir, LOG), ...names.map((name) => join(worktrees, name, LOG))];
}

async function logSizes(repository: Repository): Promise<Record<string, number>> {
  const files = await logFiles(repository);
  const sizes = await Promise.all(files.map(async (file) => [file, await sizeOf(file)] as const));
  return Object.fromEntries(sizes);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    // Without a log nothing is explained by it.
    return 0;
  }
}

/** The moves noted behind `start`; a log that was cut since then says nothing. */
async function movesIn(file: string, start: number): Promise<readonly ExplainedMove[]> {
  const size = await sizeOf(file);
  if (size <= start) return [];
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(size - start, MOST_LOG_BYTES));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start);
    return buffer.toString('latin1', 0, bytesRead).split('\n').flatMap(movesOfLine);
  } finally {
    await handle.close();
  }
}

/** Who has HEAD on a commit may also have made a branch there. */
function movesOfLine(line: string): readonly ExplainedMove[] {
  const [, before, after] = LINE.exec(line) ?? [];
  if (before === undefined || after === undefined) return [];
  return [valueOf(before), undefined].map((start) => ({ ref: undefined, before: start, after: valueOf(after) }));
}

function valueOf(id: ObjectId): ObjectId | undefined {
  return /^0+$/.test(id) ? undefined : id;
}
