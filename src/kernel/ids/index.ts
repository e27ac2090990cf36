export { claimRunId, type RunClaim, type RunId } from './run-id.ts';
