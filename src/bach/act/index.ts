export { ExternalRunRecords, serveBackend } from './backend/index.ts';
export { dryRun, dryRunDocument } from './dry-run.ts';
export { expandOperation } from './operation.ts';
export { runGraphPlugins } from './plugins.ts';
export { refuseLaterNames, refuseLaterParts, refuseUnconfirmed } from './refusals.ts';
export { repeatRun } from './repeat.ts';
export type { RunRequest, ShownOutput } from './run-context.ts';
export { isStop } from './stop.ts';
export { runTargets, type RunOutcome } from './run-targets.ts';
