import type { Risks, Target } from '../model/index.ts';
import { components } from './components.ts';

/** What running a target risks, with all that runs for it. */
export interface EffectiveRisks extends Risks {
  /** The words of those that apply: `remote`, `destructive`, `requires_confirmation`, in this order. */
  readonly labels: readonly string[];
}

type Risky = Pick<Target, 'name' | 'risks' | 'dependsOn' | 'children'>;

/** By name: the risks of each target, with those of its dependencies, steps and members. Circles share theirs. */
export function effectiveRisks(targets: ReadonlyMap<string, Risky>): ReadonlyMap<string, EffectiveRisks> {
  const all = [...targets.values()];
  const ids = new Map(all.map(({ name }, id) => [name, id]));
  const links = all.map(({ dependsOn, children }) => [...dependsOn, ...children].flatMap((name) => ids.get(name) ?? []));
  const knots = components(links);
  const bits = new Uint8Array(knots.count);
  // What a target needs is in its own knot or in one of a lower number.
  const order = [...all.keys()].sort((a, b) => knots.of[a]! - knots.of[b]!);
  for (const id of order) {
    const knot = knots.of[id]!;
    for (const link of links[id]!) bits[knot]! |= bits[knots.of[link]!]!;
    bits[knot]! |= bitsOf(all[id]!.risks);
  }
  return new Map(all.map(({ name }, id) => [name, BY_BITS[bits[knots.of[id]!]!]!]));
}

/** Those of several targets together, as of a plan by what was requested. A name that nobody knows brings none. */
export function risksTogether(names: readonly string[], risks: ReadonlyMap<string, EffectiveRisks>): EffectiveRisks {
  return BY_BITS[names.reduce((bits, name) => bits | bitsOf(risks.get(name) ?? BY_BITS[0]!), 0)]!;
}

const REMOTE = 1;
const DESTRUCTIVE = 2;
const CONFIRMATION = 4;

/** Every combination there is, so that 10,000 targets share eight objects. */
const BY_BITS: readonly EffectiveRisks[] = Array.from({ length: 8 }, (_, bits) => {
  const remote = (bits & REMOTE) > 0;
  const destructive = (bits & DESTRUCTIVE) > 0;
  const requiresConfirmation = (bits & CONFIRMATION) > 0;
  return { remote, destructive, requiresConfirmation, labels: riskLabels({ remote, destructive, requiresConfirmation }) };
});

function bitsOf({ remote, destructive, requiresConfirmation }: Risks): number {
  return (remote ? REMOTE : 0) | (destructive ? DESTRUCTIVE : 0) | (requiresConfirmation ? CONFIRMATION : 0);
}

function riskLabels({ remote, destructive, requiresConfirmation }: Risks): readonly string[] {
  return [...(remote ? ['remote'] : []), ...(destructive ? ['destructive'] : []), ...(requiresConfirmation ? ['requires_confirmation'] : [])];
}
