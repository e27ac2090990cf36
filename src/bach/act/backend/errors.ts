import { defineError } from '../../../kernel/errors/index.ts';

interface OfProvider {
  readonly provider: string;
}

const BY_HAND = 'start the command of the backend block by hand to see what it says';

export const backendNotStarted = defineError<OfProvider & { reason: string }>({
  code: 'backend-not-started',
  means: 'The program of the backend block could not be started. Nothing was run.',
  message: ({ provider, reason }) => `backend ${JSON.stringify(provider)} was not started: ${reason}`,
  remedy: 'correct the command of the backend block',
});

export const backendEnded = defineError<OfProvider & { how: string; said: string }>({
  code: 'backend-ended',
  means: 'The program that keeps the records of a run ended before the run did. What it had not confirmed may be stored or not.',
  message: ({ provider, how, said }) => `backend ${JSON.stringify(provider)} ended early: ${how}${said === '' ? '' : `; it said: ${said}`}`,
  remedy: BY_HAND,
});

export const backendSilent = defineError<OfProvider & { method: string; limitMs: number }>({
  code: 'backend-silent',
  means: 'The program that keeps the records of a run did not answer a request in time, and was ended.',
  message: ({ provider, method, limitMs }) => `backend ${JSON.stringify(provider)} did not answer ${method} within ${limitMs / 1000} s`,
  remedy: BY_HAND,
});

export const backendGarbled = defineError<OfProvider & { reason: string }>({
  code: 'backend-garbled',
  means: 'The program of the backend block sent what is no answer of bach.backend.v1, and was ended.',
  message: ({ provider, reason }) => `backend ${JSON.stringify(provider)} does not speak bach.backend.v1: ${reason}`,
  remedy: 'let it print nothing but answers on standard output; diagnostics belong on standard error',
});

export const backendRefused = defineError<OfProvider & { method: string; code: string; message: string }>({
  code: 'backend-refused',
  means: 'The program that keeps the records of a run refused a request; the message has its reason.',
  message: ({ provider, method, code, message }) => `backend ${JSON.stringify(provider)} refused ${method}: ${message} (${code})`,
  remedy: 'correct what it names; its own documentation tells what it takes',
});

export const backendLacks = defineError<OfProvider & { capability: string }>({
  code: 'backend-lacks-capability',
  means: 'The program of the backend block does not say that it can keep runs, so that nothing was run.',
  message: ({ provider, capability }) => `backend ${JSON.stringify(provider)} lacks the capability ${JSON.stringify(capability)}`,
  remedy: 'name another program in the backend block, or leave the block out',
});
