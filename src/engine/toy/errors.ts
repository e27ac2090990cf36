import { defineError } from '../../kernel/errors/index.ts';

export const toyFileBroken = defineError<{ path: string }>({
  code: 'toy-file-broken',
  means: 'A file of the self-test does not hold what the self-test wrote there.',
  message: ({ path }) => `${path}: it is not JSON`,
  remedy: 'run the self-test again; report it when this happens twice',
});

export const toyMisused = defineError<{ scenario: string }>({
  code: 'toy-misused',
  means: 'The program of the self-test was started by hand, with words that it does not know.',
  message: ({ scenario }) => `there is no scenario ${JSON.stringify(scenario)}`,
  remedy: 'start it with: drover selftest crash',
});
