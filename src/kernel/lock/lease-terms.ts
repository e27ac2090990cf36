import { leaseRequestInvalid } from './errors.ts';
import type { Lease } from './lease-contract.ts';

/** What is counted in milliseconds goes into a timer at some time, and a timer counts no further. */
const LONGEST_MS = 2 ** 31 - 1;

/** A lease is renewed three times in its time, tried again ten times, and no timer counts parts of a millisecond. */
const SHORTEST_TTL_MS = 10;

/** A NUL and half a character are stored as another text, which would not be found to be ours. */
const STORED_OTHERWISE = /[\0\p{Surrogate}]/u;

type Terms = Pick<Lease, 'name' | 'holder' | 'token' | 'ttlMs'>;

/** Throws `lease-request-invalid`. */
export function requireTerms(terms: Terms): void {
  for (const part of ['name', 'holder', 'token'] as const) requireText(part, terms[part]);
  requireMilliseconds('ttlMs', terms.ttlMs, SHORTEST_TTL_MS);
}

/** As `requireTerms`, of a lease that was given before. */
export function requireLease(lease: Lease): void {
  requireTerms(lease);
  if (!Number.isSafeInteger(lease.epoch) || lease.epoch < 1) throw leaseRequestInvalid({ reason: `its epoch is ${String(lease.epoch)}` });
}

/** Throws `lease-request-invalid` for what is no whole number of milliseconds that a timer can count. */
export function requireMilliseconds(name: string, value: unknown, least: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= LONGEST_MS) return;
  const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
  throw leaseRequestInvalid({ reason: `its ${name} is ${shown}, not a whole number from ${least} to ${LONGEST_MS}` });
}

function requireText(part: string, value: unknown): void {
  if (typeof value !== 'string') throw leaseRequestInvalid({ reason: `its ${part} is no text` });
  if (value === '') throw leaseRequestInvalid({ reason: `its ${part} is empty` });
  if (STORED_OTHERWISE.test(value)) throw leaseRequestInvalid({ reason: `its ${part} holds a NUL or half a character` });
}
