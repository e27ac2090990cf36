import { defineError } from '../../kernel/errors/index.ts';
import { targetHint } from '../model/index.ts';

export const noTargets = defineError<Record<never, never>>({
  code: 'no-targets',
  means: 'A run was asked for without naming anything to run.',
  message: () => 'no targets provided',
  remedy: 'name at least one target; "bach list" shows them',
  exit: 2,
});

export const unknownTarget = defineError<{ name: string; known: Iterable<string> }>({
  code: 'unknown-target',
  means: 'A target was named that the Bachfile does not declare.',
  message: ({ name, known }) => `unknown target ${JSON.stringify(name)}${targetHint(name, known)}`,
  remedy: '"bach list" shows the targets of this project',
});

export const dependencyCycle = defineError<{ name: string }>({
  code: 'dependency-cycle',
  means: 'Targets wait for each other in a circle of depends_on, so that none of them could ever start.',
  message: ({ name }) => `dependency cycle includes ${JSON.stringify(name)}`,
  remedy: 'remove one depends_on of the cycle',
});

export const compositeTargetCycle = defineError<{ name: string }>({
  code: 'composite-target-cycle',
  means: 'A group or a pipeline contains itself, by its members, its steps or what they depend on.',
  message: ({ name }) => `composite target cycle includes ${JSON.stringify(name)}`,
  remedy: 'remove one step, member or depends_on of the cycle',
});
