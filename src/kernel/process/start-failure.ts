import type { DroverError } from '../errors/index.ts';
import { START_ERRORS, type StartFailureReason } from './errors.ts';

type Details<Reason extends StartFailureReason> = Parameters<(typeof START_ERRORS)[Reason]>[0];

export interface StartFailure {
  readonly reason: StartFailureReason;
  readonly error: DroverError;
}

export function startFailure<Reason extends StartFailureReason>(
  reason: Reason,
  details: Details<Reason>,
  cause?: unknown,
): StartFailure {
  // A union of makers takes the intersection of their details, which no caller can name; the signature keeps the pair.
  const make = START_ERRORS[reason] as (details: Details<Reason>, cause?: unknown) => DroverError;
  return { reason, error: make(details, cause) };
}
