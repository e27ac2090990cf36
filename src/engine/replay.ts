import type { Decision, Policy, StepShapes } from './contract.ts';
import { History } from './history.ts';
import { maskEntry, type Mask } from './mask.ts';
import type { Seen, StepRecord } from './record.ts';

/** `sequence` is that of the step that differs; an end has that of the step before it. */
export type Replay =
  | { readonly equal: true; readonly decisions: number }
  | { readonly equal: false; readonly sequence: number; readonly recorded: unknown; readonly decided: unknown };

/**
 * Decides a recorded run again from what each decision saw, and compares. A stop, a crash or the number in flight may
 * have cut an answer short, so what was recorded has to be the beginning of what is decided now. Waits are not
 * recorded. `mask` is for a system that makes secrets up itself: what it decides now is then compared as it was
 * recorded. Throws `step-log-broken`, `step-log-foreign`, and what `decide` and `fold` throw.
 */
export function replay<State, Facts, Shapes extends StepShapes>(
  records: readonly StepRecord[],
  policy: Policy<State, Facts, Shapes>,
  { path = 'the recorded run', mask = (value) => value }: { readonly path?: string; readonly mask?: Mask } = {},
): Replay {
  const history = new History(policy, { path });
  let answer: readonly unknown[] = [];
  let decisions = 0;
  for (const record of records) {
    const told = history.counts(record) ? toldBy(record) : undefined;
    if (told?.seen !== undefined) {
      const decision = policy.decide(history.state, told.seen.facts as Facts, told.seen.now, history.open);
      answer = answerOf(decision).map((part) => maskEntry(part, mask));
      decisions += 1;
    }
    history.apply(record);
    if (told === undefined) continue;
    const decided = answer[told.place];
    if (JSON.stringify(decided) === JSON.stringify(told.recorded)) continue;
    return { equal: false, sequence: history.lastSequence, recorded: told.recorded, decided };
  }
  return { equal: true, decisions };
}

interface Told {
  readonly seen: Seen | undefined;
  readonly place: number;
  readonly recorded: unknown;
}

/** What a record tells of a decision. */
function toldBy(record: StepRecord): Told | undefined {
  if (record.type === 'intent' || record.type === 'refused') {
    const { kind, key, input, place, seen } = record;
    return { seen, place, recorded: { kind, key, input } };
  }
  if (record.type !== 'ended' || record.seen === undefined) return undefined;
  const { standing, seen } = record;
  const recorded = standing.is === 'parked' ? { next: 'park', reason: standing.reason } : { next: standing.is };
  return { seen, place: 0, recorded };
}

/** In one form, whatever order a system writes its fields in. */
function answerOf<Shapes extends StepShapes>(decision: Decision<Shapes>): readonly object[] {
  if (decision.next === 'steps') return decision.steps.map(({ kind, key, input }) => ({ kind, key, input }));
  if (decision.next === 'park') return [{ next: 'park', reason: decision.reason }];
  return [{ next: decision.next }];
}
