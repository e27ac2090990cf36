import type { Fingerprint } from './fingerprints.ts';

/** Why a stored result is not enough. */
export type StaleReason =
  | 'forced run'
  | 'no cache record'
  | 'changed input'
  | 'changed env var'
  | 'changed operation'
  | 'dependency fingerprint change'
  | 'missing output'
  | 'output changed'
  | 'fingerprint changed';

export interface Evidence {
  /** `--force`. */
  readonly isForced: boolean;
  readonly fingerprint: Fingerprint;
  /** Of the last success. */
  readonly stored: StoredFingerprint | undefined;
  /** How the outputs are that are evidence. */
  readonly outputs: readonly { readonly state: 'missing' | 'same' | 'changed' }[];
}

export interface StoredFingerprint {
  readonly fingerprint: string;
  /** The hash of each part by its name, read only where it is needed; none in a record of an older implementation. */
  readonly parts: () => Readonly<Record<string, string>>;
}

/** In their fixed order, each once; none when the stored result stands. */
export function staleReasons({ isForced, fingerprint, stored, outputs }: Evidence): readonly StaleReason[] {
  const reasons: StaleReason[] = isForced ? ['forced run'] : [];
  reasons.push(...recordReasons(fingerprint, stored));
  if (outputs.some(({ state }) => state === 'missing')) reasons.push('missing output');
  // Without a record nothing is known of what they were.
  if (stored !== undefined && outputs.some(({ state }) => state === 'changed')) reasons.push('output changed');
  const isExplained = reasons.length > 0 || fingerprint.hash === stored?.fingerprint;
  return isExplained ? reasons : ['fingerprint changed'];
}

function recordReasons({ hash, parts }: Fingerprint, stored: StoredFingerprint | undefined): readonly StaleReason[] {
  if (stored === undefined) return ['no cache record'];
  if (stored.fingerprint === hash) return [];
  const before = stored.parts();
  if (Object.keys(before).length === 0) return ['fingerprint changed'];
  // An older implementation called the operation by the word of its commonest part.
  const operation = before['operation'] ?? before['command'];
  return [
    ...when(before['inputs'] !== parts.inputs, 'changed input'),
    ...when(before['env'] !== parts.env, 'changed env var'),
    ...when(operation !== parts.operation, 'changed operation'),
    ...when(before['dependencies'] !== parts.dependencies, 'dependency fingerprint change'),
  ];
}

function when(holds: boolean, reason: StaleReason): readonly StaleReason[] {
  return holds ? [reason] : [];
}
