import type { Intent, Step, StepShapes } from './contract.ts';
import { badDecision } from './errors.ts';

/** Throws `bad-decision` for an answer that would keep the loop turning in place, or begin one deed twice at once. */
export function checkSteps<Shapes extends StepShapes>(
  system: string,
  steps: readonly Step<Shapes>[],
  open: readonly Intent<Shapes>[],
): void {
  if (steps.length === 0) throw badDecision({ system, reason: 'decided on steps and named none' });
  const begun = new Set(open.map(nameOf));
  for (const step of steps) {
    if (begun.has(nameOf(step))) throw badDecision({ system, reason: `${nameOf(step)} is in flight already` });
    begun.add(nameOf(step));
  }
}

/** Throws `bad-decision` for a wait that nothing would end. */
export function checkWait(system: string, { endless }: { readonly endless: boolean }): void {
  if (endless) throw badDecision({ system, reason: 'waits while nothing is in flight and nothing could wake it' });
}

/** What makes two steps the same deed. */
export function nameOf({ kind, key }: { readonly kind: string; readonly key: string }): string {
  return `${kind} ${key}`;
}
