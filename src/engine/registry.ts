import type { Handlers, KindOf, StepShapes } from './contract.ts';
import { stepTableGap } from './errors.ts';

/** One durable effect of a step, and what there is when the process ends right behind it. */
export interface StepWrite {
  readonly write: string;
  readonly leaves: string;
  readonly repairedBy: string;
}

/** The durable effects of one kind of step, in their order. */
export type StepRows<Shapes extends StepShapes> = { readonly [Kind in KindOf<Shapes>]: readonly StepWrite[] };

/** A system as the step table sees it. */
export interface RegisteredSteps {
  readonly system: string;
  readonly kinds: readonly { readonly kind: string; readonly writes: readonly StepWrite[] }[];
}

/**
 * Registers the kinds of a system for the step table. A kind without a handler or without rows does not compile;
 * what slips past the compiler throws `step-table-gap`.
 */
export function registerSteps<Shapes extends StepShapes, World>(
  system: string,
  { handlers, rows }: { readonly handlers: Handlers<Shapes, World>; readonly rows: StepRows<Shapes> },
): RegisteredSteps {
  const declared: Readonly<Record<string, readonly StepWrite[]>> = rows;
  const given: Readonly<Record<string, { readonly perform?: unknown; readonly reconcile?: unknown }>> = handlers;
  const unhandled = Object.keys(declared).find((kind) => !(kind in given));
  if (unhandled !== undefined) throw stepTableGap({ system, kind: unhandled, reason: 'has a row and no handler' });
  const kinds = Object.entries(given).map(([kind, handler]) => {
    const missing = (['perform', 'reconcile'] as const).find((member) => typeof handler[member] !== 'function');
    if (missing !== undefined) throw stepTableGap({ system, kind, reason: `has no ${missing}` });
    const { [kind]: writes = [] } = declared;
    if (writes.length === 0) throw stepTableGap({ system, kind, reason: 'has no row' });
    return { kind, writes };
  });
  return { system, kinds };
}

/** What the engine itself writes around each step. */
const AROUND = {
  first: {
    write: 'intent in the step log',
    leaves: 'a step that may have begun',
    repairedBy: 'the next holder: `reconcile` looks and gives the receipt',
  },
  last: {
    write: 'receipt in the step log',
    leaves: 'documented files that are one step behind',
    repairedBy: 'the next holder publishes them before it decides',
  },
};

/** The step table in Markdown: every kind, its durable writes in order, what a crash behind each leaves. */
export function stepTable(systems: readonly RegisteredSteps[]): string {
  const head = ['| step | durable write | a crash right behind it leaves | repaired by |', '|---|---|---|---|'];
  const own = systems.flatMap(({ system, kinds }) =>
    kinds.flatMap(({ kind, writes }) => writes.map((write) => lineOf(`${system}: ${kind}`, write))),
  );
  return [...head, lineOf('every step, first', AROUND.first), ...own, lineOf('every step, last', AROUND.last)].join('\n');
}

function lineOf(step: string, { write, leaves, repairedBy }: StepWrite): string {
  return `| ${[step, write, leaves, repairedBy].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
