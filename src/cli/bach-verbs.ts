/** Loads each verb of bach when its command is given, and no other. */
export const bachVerbs = {
  run: async () => (await import('../bach/commands/run.ts')).runVerb,
  validate: async () => (await import('../bach/commands/validate.ts')).validateVerb,
  list: async () => (await import('../bach/commands/list.ts')).listVerb,
  explain: async () => (await import('../bach/commands/explain.ts')).explainVerb,
  graph: async () => (await import('../bach/commands/graph.ts')).graphVerb,
  affected: async () => (await import('../bach/commands/affected.ts')).affectedVerb,
  provenance: async () => (await import('../bach/commands/provenance.ts')).provenanceVerb,
  runsList: async () => (await import('../bach/commands/runs-list.ts')).runsListVerb,
  runsInspect: async () => (await import('../bach/commands/runs-inspect.ts')).runsInspectVerb,
  runsPrune: async () => (await import('../bach/commands/runs-prune.ts')).runsPruneVerb,
  artifacts: async () => (await import('../bach/commands/artifacts.ts')).artifactsVerb,
  logs: async () => (await import('../bach/commands/logs.ts')).logsVerb,
  reference: async () => (await import('../bach/commands/reference.ts')).referenceVerb,
  init: async () => (await import('../bach/commands/init.ts')).initVerb,
  backendSqlite: async () => (await import('../bach/commands/backend-sqlite.ts')).backendSqliteVerb,
  completion: async () => (await import('../bach/commands/completion.ts')).completionVerb,
  complete: async () => (await import('../bach/commands/complete.ts')).completeVerb,
};

export type BachVerbs = typeof bachVerbs;
