import type { Decision, Handlers, Intent, Step, StepShapes, System } from './contract.ts';
import { badDecision } from './errors.ts';
import { maskEntry, type Mask } from './mask.ts';
import { recordable } from './plain-json.ts';
import { tell } from './receipts.ts';

/** Reasons and ends repeat it. */
const LONGEST_KEY = 4000;

type Deciding<Shapes extends StepShapes> = Pick<System<never, never, Shapes, never>, 'name' | 'handlers' | 'limits'>;

/** Throws `bad-decision` for an answer that is none, and for a wait that would end at once or not be a time. */
export function checkDecision(system: string, decision: Decision<StepShapes>): void {
  const refuse = (what: string) => badDecision({ system, reason: `decided ${what}` });
  switch (decision?.next) {
    case 'steps':
      if (!Array.isArray(decision.steps)) throw refuse('on steps that are no list');
      return;
    case 'wait':
      if (decision.ms !== undefined && !(decision.ms >= 0)) throw refuse(`to wait for ${String(decision.ms)} ms`);
      return;
    case 'park':
      if (typeof decision.reason !== 'string') throw refuse('to park for a reason that is no text');
      return;
    case 'done':
      return;
    default:
      throw refuse('on nothing that there is');
  }
}

/**
 * The steps as they can be begun: masked, and copies, so that nothing changes what was checked. Throws `bad-decision`
 * for an answer that would keep the loop turning in place, begin one deed twice at once, or that no holder could
 * handle once it stands in the log.
 */
export function readySteps<Shapes extends StepShapes>(
  system: Deciding<Shapes>,
  decided: readonly Step<Shapes>[],
  { open, mask }: { readonly open: readonly Intent<Shapes>[]; readonly mask: Mask },
): readonly Step<Shapes>[] {
  const { name } = system;
  if (decided.length === 0) throw badDecision({ system: name, reason: 'decided on steps and named none' });
  const steps = decided.map((step, place) => maskEntry(copyOf(name, step, place), mask));
  const begun = new Set(open.map(nameOf));
  for (const step of steps) {
    if (begun.has(nameOf(step))) throw badDecision({ system: name, reason: `${nameOf(step)} is in flight already` });
    if (!hasHandler(system.handlers, step.kind)) throw badDecision({ system: name, reason: `${nameOf(step)} has no handler` });
    checkDeadline(system, step);
    begun.add(nameOf(step));
  }
  return steps;
}

function copyOf<Shapes extends StepShapes>(system: string, step: Step<Shapes>, place: number): Step<Shapes> {
  const refuse = (reason: string) => badDecision({ system, reason: `step ${place + 1} of its answer ${reason}` });
  try {
    const { kind, key } = step;
    const input = recordable(step.input);
    if (typeof kind === 'string' && typeof key === 'string' && key.length <= LONGEST_KEY) {
      return { kind, key, input } as Step<Shapes>;
    }
  } catch (error) {
    throw refuse(tell(error).message);
  }
  throw refuse(`has no kind, or no key of at most ${LONGEST_KEY} characters`);
}

function checkDeadline<Shapes extends StepShapes>({ name, limits }: Deciding<Shapes>, step: Step<Shapes>): void {
  const refuse = (what: string) => badDecision({ system: name, reason: `the deadline of ${nameOf(step)} ${what}` });
  let ms: unknown;
  try {
    ms = limits.deadlineMs(structuredClone(step));
  } catch (error) {
    throw refuse(`cannot be told: ${tell(error).message}`);
  }
  if (typeof ms !== 'number' || Number.isNaN(ms)) throw refuse('is no number');
}

/** What objects know by themselves is no kind. */
export function hasHandler<Shapes extends StepShapes>(handlers: Handlers<Shapes, never>, kind: string): boolean {
  if (!Object.hasOwn(handlers, kind)) return false;
  const { perform, reconcile } = handlers[kind] as { readonly perform?: unknown; readonly reconcile?: unknown };
  return typeof perform === 'function' && typeof reconcile === 'function';
}

/** Throws `bad-decision` for a wait that nothing would end. */
export function checkWait(system: string, { endless }: { readonly endless: boolean }): void {
  if (endless) throw badDecision({ system, reason: 'waits while nothing is in flight and nothing could wake it' });
}

/** What makes two steps the same deed. */
export function nameOf({ kind, key }: { readonly kind: string; readonly key: string }): string {
  return `${kind} ${key}`;
}
