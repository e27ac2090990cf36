export { commandCheck } from './check/command-check.ts';
export type { CheckCommand, CheckHost } from './check/command.ts';
export { runChecks, type CheckOrder, type ChecksOutcome } from './check/checks.ts';
export { guardCheckout, unchanged, type FilesGuard, type FilesWatch } from './check/unchanged.ts';
export type * from './contract.ts';
export { landChange, type LandRequest } from './land/land.ts';
export { queuePolicy, queueSystem, type LandQueue, type QueuedChange, type QueueFacts, type QueueStage, type QueueState, type QueueWorld } from './land/queue.ts';
export type { LandSteps, LandWorld } from './land/steps.ts';
