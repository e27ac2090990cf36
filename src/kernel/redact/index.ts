export { createRedaction, createRedactor, type Redaction } from './redaction.ts';
export type { Redactor } from './redactor.ts';
export type { LogRange, LogScrubber } from './scrubber.ts';
export { secretsFrom, type SecretNames, type SecretSources } from './secrets.ts';
