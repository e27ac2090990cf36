import type { Threshold } from '../later.ts';
import { GATE_SCHEMA } from './schemas.ts';
import type { Section } from './section.ts';

/** The `quality_gate` blocks of a section; `word` is how its messages name one. */
export function gatesOf(section: Section, word: 'quality_gate' | 'quality_gate:'): readonly Threshold[] {
  return section.blocks('quality_gate', GATE_SCHEMA).map(({ block }) => gateOf(section.inner(block, word)));
}

function gateOf(gate: Section): Threshold {
  const metric = gate.required('metric', 'must set metric');
  const threshold = { metric, min: gate.number('min'), max: gate.number('max') };
  const isBound = gate.given('min') !== undefined || gate.given('max') !== undefined;
  if (metric !== '' && !isBound) gate.fault(gate.block.header, `${JSON.stringify(metric)} must set min or max`);
  return threshold;
}
