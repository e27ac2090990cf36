export type { RunRequest } from './run-context.ts';
export { runTargets, type RunOutcome } from './run-targets.ts';
