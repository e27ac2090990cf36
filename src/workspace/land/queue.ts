import type { Decision, Intent, Now, Policy, Settled, Step, System } from '../../engine/index.ts';
import { isNotDone } from '../../engine/index.ts';
import { readRef, type Identity, type ObjectId } from '../../kernel/git/index.ts';
import type { Change, Strategy } from '../contract.ts';
import { landHandlers, MOVED_ON, type LandSteps, type LandWorld } from './steps.ts';

/** Changes that land one after the other, in their order. */
export interface LandQueue {
  /** In full. */
  readonly ref: string;
  readonly changes: readonly QueuedChange[];
  readonly who: Identity;
}

export interface QueuedChange {
  readonly change: Change;
  readonly strategy: Strategy;
}

/** What became of a change. */
export type QueueStage =
  | { readonly at: 'queued' }
  | { readonly at: 'prepared'; readonly from: ObjectId | null; readonly commit: ObjectId; readonly tree: ObjectId }
  | { readonly at: 'landed'; readonly commit: ObjectId; readonly tree: ObjectId }
  /** The destination had it. */
  | { readonly at: 'already' }
  /** `code`: as in the receipts of landing. */
  | { readonly at: 'stopped'; readonly code: string; readonly message: string };

/** By key of the change. */
export interface QueueState {
  readonly stages: Readonly<Record<string, QueueStage>>;
}

export interface QueueWorld extends LandWorld {
  /** Called with each new state, and once at each start. */
  readonly publish: (state: QueueState) => Promise<void>;
}

export interface QueueFacts {
  readonly tip: ObjectId | null;
}

const DEADLINE_MS = 10 * 60_000;
const GRACE_MS = 10_000;
const MILLISECONDS = 1000;

/**
 * Lands a queue of changes without checks. One that conflicts, is refused, or has something in its way stops alone, and
 * those behind it land; what was prepared for a destination that moved is prepared anew.
 */
export function queueSystem(queue: LandQueue): System<QueueState, QueueFacts, LandSteps, QueueWorld> {
  return {
    name: 'land',
    ...queuePolicy(queue),
    limits: { maxInFlight: 1, deadlineMs: () => DEADLINE_MS, graceMs: GRACE_MS },
    handlers: landHandlers,
    gather: async (_state, { repository }) => ({ tip: (await readRef(repository, queue.ref))?.id ?? null }),
    publish: (state, _standing, { publish }) => publish(state),
  };
}

export function queuePolicy(queue: LandQueue): Policy<QueueState, QueueFacts, LandSteps> {
  return { initial: { stages: {} }, decide: (state, facts, now, open) => decide(queue, { state, facts, now, open }), fold };
}

interface Situation {
  readonly state: QueueState;
  readonly facts: QueueFacts;
  readonly now: Now;
  readonly open: readonly Intent<LandSteps>[];
}

function decide(queue: LandQueue, { state, facts, now, open }: Situation): Decision<LandSteps> {
  if (open.length > 0) return { next: 'wait' };
  const next = queue.changes.find(({ change }) => isUnfinished(state.stages[change.key]));
  return next === undefined ? { next: 'done' } : { next: 'steps', steps: [stepFor(queue, next, { state, facts, now })] };
}

function isUnfinished(stage: QueueStage | undefined): boolean {
  return stage === undefined || stage.at === 'queued' || stage.at === 'prepared';
}

function stepFor({ ref, who }: LandQueue, { change, strategy }: QueuedChange, { state, facts: { tip }, now }: Omit<Situation, 'open'>): Step<LandSteps> {
  const { key } = change;
  const { [key]: stage } = state.stages;
  if (stage?.at === 'prepared') {
    const { from, commit, tree } = stage;
    return { kind: 'move', key: `${key}@${from}`, input: { ref, key, from, to: commit, tree, who } };
  }
  const date = { seconds: Math.floor(now.wallMs / MILLISECONDS), offsetMinutes: 0 };
  return { kind: 'prepare', key: `${key}@${tip}`, input: { ref, onto: tip, change, strategy, committer: { ...who, date } } };
}

function fold(state: QueueState, settled: Settled<LandSteps>): QueueState {
  const key = settled.kind === 'move' ? settled.input.key : settled.input.change.key;
  return { stages: { ...state.stages, [key]: stageAfter(settled, state.stages[key] ?? { at: 'queued' }) } };
}

function stageAfter(settled: Settled<LandSteps>, before: QueueStage): QueueStage {
  if (settled.outcome === 'refused') return { at: 'stopped', code: settled.outcome, message: settled.reason };
  if (settled.outcome === 'failed') {
    if (isNotDone(settled)) return before;
    return settled.code === MOVED_ON ? { at: 'queued' } : { at: 'stopped', code: settled.code, message: settled.message };
  }
  if (settled.kind === 'move') return { at: 'landed', commit: settled.input.to, tree: settled.input.tree };
  const { commit, tree, already } = settled.data;
  return already || tree === null ? { at: 'already' } : { at: 'prepared', from: settled.input.onto, commit, tree };
}
