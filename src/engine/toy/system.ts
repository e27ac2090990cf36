import type { System } from '../contract.ts';
import { toyHandlers } from './handlers.ts';
import { allowToy, toyPolicy, type ToyFacts, type ToyState, type ToySteps } from './model.ts';
import { gatherToy, publishToy, type ToyWorld } from './world.ts';

const DEADLINE_MS = 60_000;
const GRACE_MS = 2_000;

/** A small system that uses all of the engine: it draws work from a file, runs a program, and moves a branch. */
export function toySystem({ maxInFlight }: { readonly maxInFlight: number }): System<ToyState, ToyFacts, ToySteps, ToyWorld> {
  return {
    name: 'toy',
    ...toyPolicy,
    limits: { maxInFlight, deadlineMs: () => DEADLINE_MS, graceMs: GRACE_MS },
    handlers: toyHandlers,
    gather: gatherToy,
    publish: publishToy,
    allow: allowToy,
  };
}
