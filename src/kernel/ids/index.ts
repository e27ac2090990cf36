export { claimRunId, type RunClaim, type RunId } from './run-id.ts';
export type { IdSource } from './source.ts';
export { systemIds } from './system-ids.ts';
export { uuidv7, type UuidOptions } from './uuid.ts';
