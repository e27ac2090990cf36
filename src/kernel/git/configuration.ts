export { runCommitHooks, type HookOutcome, type HookRequest } from './configuration/commit-hooks.ts';
export { assertUnchanged, compareConfiguration, type ConfigurationChange } from './configuration/compare.ts';
export type { ConfigurationItem, ItemRole } from './configuration/items.ts';
export { snapshotConfiguration, type ConfigurationSnapshot } from './configuration/snapshot.ts';
