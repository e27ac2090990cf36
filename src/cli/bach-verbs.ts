/** Loads each verb of bach when its command is given, and no other. */
export const bachVerbs = {
  run: async () => (await import('../bach/commands/run.ts')).runVerb,
  validate: async () => (await import('../bach/commands/validate.ts')).validateVerb,
  list: async () => (await import('../bach/commands/list.ts')).listVerb,
  runsList: async () => (await import('../bach/commands/runs-list.ts')).runsListVerb,
  logs: async () => (await import('../bach/commands/logs.ts')).logsVerb,
};

export type BachVerbs = typeof bachVerbs;
