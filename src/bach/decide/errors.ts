import { defineError } from '../../kernel/errors/index.ts';
import { didYouMean } from '../../kernel/text/index.ts';

export const noTargets = defineError<Record<never, never>>({
  code: 'no-targets',
  message: () => 'no targets provided',
  remedy: 'name at least one target; "bach list" shows them',
  exit: 2,
});

export const unknownTarget = defineError<{ name: string; known: Iterable<string> }>({
  code: 'unknown-target',
  message: ({ name, known }) => `unknown target ${JSON.stringify(name)}${didYouMean(name, known)}`,
  remedy: '"bach list" shows the targets of this project',
});

export const dependencyCycle = defineError<{ name: string }>({
  code: 'dependency-cycle',
  message: ({ name }) => `dependency cycle includes ${JSON.stringify(name)}`,
  remedy: 'remove one depends_on of the cycle',
});

export const compositeTargetCycle = defineError<{ name: string }>({
  code: 'composite-target-cycle',
  message: ({ name }) => `composite target cycle includes ${JSON.stringify(name)}`,
  remedy: 'remove one step, member or depends_on of the cycle',
});
