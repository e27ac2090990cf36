export type * from './contract.ts';
export { landChange, type LandRequest } from './land/land.ts';
export { queuePolicy, queueSystem, type LandQueue, type QueuedChange, type QueueFacts, type QueueStage, type QueueState, type QueueWorld } from './land/queue.ts';
export type { LandSteps, LandWorld } from './land/steps.ts';
