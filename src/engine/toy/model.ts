import type { Allowance, Decision, Intent, Now, Policy, Settled, Step } from '../contract.ts';
import { isNotDone } from '../receipts.ts';

/** One line of work: a program whose output becomes a file of the branch. */
export interface Unit {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
}

/** How the toy left a unit; it stands in a file beside the work file, which is the person's alone. */
export type Mark = 'done' | 'failed';

export type ToySteps = {
  readonly claim: { readonly input: { readonly unit: string }; readonly data: null };
  readonly run: { readonly input: { readonly unit: string; readonly attempt: number; readonly argv: Unit['argv'] }; readonly data: null };
  readonly commit: { readonly input: { readonly unit: string; readonly base: string }; readonly data: { readonly commit: string } };
  readonly move: { readonly input: { readonly unit: string; readonly from: string; readonly to: string }; readonly data: null };
  readonly finish: { readonly input: { readonly unit: string; readonly mark: Mark }; readonly data: null };
};

/** Where a unit stands: what was done last. */
export type Stage =
  | { readonly at: 'new' | 'claimed' | 'ran' | 'moved' | 'gave-up' }
  | { readonly at: 'committed'; readonly base: string; readonly commit: string }
  | { readonly at: 'finished'; readonly mark: Mark }
  | { readonly at: 'stuck'; readonly reason: string };

/** What the toy knows of a unit; `attempts` are those that were charged. */
export interface Progress {
  readonly stage: Stage;
  readonly attempts: number;
}

export interface ToyState {
  readonly units: Readonly<Record<string, Progress>>;
}

export interface ToyFacts {
  readonly units: readonly Unit[];
  /** The units that have a mark. */
  readonly marked: readonly string[];
  /** The commit that the branch holds. */
  readonly tip: string;
  /** Why no unit may be begun now. */
  readonly shortage?: string | undefined;
}

const ATTEMPTS = 2;
const UNTOUCHED: Progress = { stage: { at: 'new' }, attempts: 0 };
/** The branch holds another commit than the step was made for. */
export const MOVED_ON = 'moved-on';
/** Of these one at a time, since they build on the tip of the branch. */
const LANDING: readonly string[] = ['commit', 'move'];

/** The space that is left is for units that were begun; what frees some is none of the toy's steps. */
export function allowToy({ kind }: Step<ToySteps>, { shortage }: ToyFacts): Allowance {
  return kind === 'claim' && shortage !== undefined ? { allowed: false, reason: shortage } : { allowed: true };
}

export const toyPolicy: Policy<ToyState, ToyFacts, ToySteps> = { initial: { units: {} }, decide, fold };

function decide(state: ToyState, facts: ToyFacts, _now: Now, open: readonly Intent<ToySteps>[]): Decision<ToySteps> {
  const busy = new Set(open.map(({ input }) => input.unit));
  let landing = open.some(({ kind }) => LANDING.includes(kind));
  const steps: Step<ToySteps>[] = [];
  for (const unit of facts.units) {
    const step = busy.has(unit.name) ? undefined : nextStep(unit, state, facts);
    if (step === undefined || (landing && LANDING.includes(step.kind))) continue;
    landing ||= LANDING.includes(step.kind);
    steps.push(step);
  }
  if (steps.length > 0) return { next: 'steps', steps };
  if (open.length > 0) return { next: 'wait' };
  const stuck = Object.values(state.units).find(({ stage }) => stage.at === 'stuck')?.stage;
  return stuck?.at === 'stuck' ? { next: 'park', reason: stuck.reason } : { next: 'done' };
}

function nextStep({ name: unit, argv }: Unit, { units }: ToyState, { marked, tip }: ToyFacts): Step<ToySteps> | undefined {
  const { stage, attempts } = units[unit] ?? UNTOUCHED;
  switch (stage.at) {
    case 'new':
      return marked.includes(unit) ? undefined : { kind: 'claim', key: unit, input: { unit } };
    case 'claimed':
      return { kind: 'run', key: `${unit}#${attempts + 1}`, input: { unit, attempt: attempts + 1, argv } };
    case 'ran':
      return { kind: 'commit', key: `${unit}@${tip}`, input: { unit, base: tip } };
    case 'committed':
      return { kind: 'move', key: `${unit}@${stage.base}`, input: { unit, from: stage.base, to: stage.commit } };
    case 'moved':
      return { kind: 'finish', key: unit, input: { unit, mark: 'done' } };
    case 'gave-up':
      return { kind: 'finish', key: unit, input: { unit, mark: 'failed' } };
    case 'finished':
    case 'stuck':
      return undefined;
  }
}

function fold(state: ToyState, settled: Settled<ToySteps>): ToyState {
  const { unit } = settled.input;
  const before = state.units[unit] ?? UNTOUCHED;
  const after = settled.outcome === 'ok' ? { ...before, stage: reached(settled) } : setBack(settled, before);
  return { units: { ...state.units, [unit]: after } };
}

type Success = Extract<Settled<ToySteps>, { readonly outcome: 'ok' }>;

function reached(settled: Success): Stage {
  switch (settled.kind) {
    case 'claim':
      return { at: 'claimed' };
    case 'run':
      return { at: 'ran' };
    case 'commit':
      return { at: 'committed', base: settled.input.base, commit: settled.data.commit };
    case 'move':
      return { at: 'moved' };
    case 'finish':
      return { at: 'finished', mark: settled.input.mark };
  }
}

/** What never began, was not let begin, or was late only because the machine slept, costs no attempt. */
function setBack(settled: Exclude<Settled<ToySteps>, Success>, before: Progress): Progress {
  const { kind, outcome, timing } = settled;
  if (isNotDone(settled) || timing?.deadline === 'slept') return before;
  if (outcome === 'refused' && kind === 'claim') return before;
  if (outcome === 'failed' && settled.code === MOVED_ON) return { ...before, stage: { at: 'ran' } };
  const attempts = before.attempts + 1;
  if (attempts < ATTEMPTS) return { ...before, attempts };
  const reason = outcome === 'failed' ? settled.message : settled.reason;
  return { attempts, stage: kind === 'finish' ? { at: 'stuck', reason } : { at: 'gave-up' } };
}
