import { KnownSearch } from './known-search.ts';
import { redactValue } from './redact-value.ts';
import { redactorFor, redactText, type Redactor } from './redactor.ts';
import { scrubberFor, type LogScrubber } from './scrubber.ts';

/** Masks known secrets and whatever looks like a token, in every form that output takes. */
export interface Redaction {
  /** A whole text, masked byte for byte. */
  readonly redactText: (text: string) => string;
  /** A value that is to be written as JSON; masked before it is. */
  readonly redactValue: (value: unknown) => unknown;
  /** For a stream of bytes. */
  readonly createRedactor: () => Redactor;
  /** For one log file that somebody still writes. */
  readonly createScrubber: () => LogScrubber;
}

/**
 * Everything that masks these secrets; what it needs for them is made at the first use.
 *
 * @example
 * const redaction = createRedaction(secretsFrom({ env: process.env }));
 * redaction.redactText('token: ghp_0123456789abcdefghijABCDEFGHIJ012345'); // 'token: ****…'
 */
export function createRedaction(secrets: readonly string[]): Redaction {
  let made: KnownSearch | undefined;
  const known = (): KnownSearch => (made ??= new KnownSearch(secrets));
  const ofText = (text: string): string => redactText(text, known());
  return {
    redactText: ofText,
    redactValue: (value) => redactValue(value, ofText),
    createRedactor: () => redactorFor(known()),
    createScrubber: () => scrubberFor(known()),
  };
}

/** A redactor alone. */
export function createRedactor(secrets: readonly string[]): Redactor {
  return createRedaction(secrets).createRedactor();
}
