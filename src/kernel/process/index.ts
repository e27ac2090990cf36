export type { Child, ChildExit, LeaderEnd, Origin, SpawnRequest } from './contract.ts';
export type { StartFailureReason } from './errors.ts';
export { start } from './start.ts';
