export { afterSuccess, type Keeping, type Success } from './afterwards.ts';
export { evidencePaths, inputSearch, isCacheable, RUN_DIRECTORY, type InputSearch } from './evidence.ts';
export {
  Fingerprints,
  type Fingerprint,
  type FingerprintPart,
  type FingerprintsOptions,
  type Look,
  type SeenInput,
} from './fingerprints.ts';
export { staleReasons, type Evidence, type StaleReason, type StoredFingerprint } from './freshness.ts';
export { verdictEntry, verdictText, type CacheVerdict } from './verdict.ts';
export type { Digest } from './written.ts';
