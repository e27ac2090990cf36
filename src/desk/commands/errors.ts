import { defineError } from '../../kernel/errors/index.ts';
import { didYouMean } from '../../kernel/text/index.ts';

export const unknownErrorCode = defineError<{ code: string; known: Iterable<string> }>({
  code: 'unknown-error-code',
  means: 'drover explain was given a word that is no code of an error. Codes stand in documents with `code`, and in docs/errors.md.',
  message: ({ code, known }) => `unknown error code ${JSON.stringify(code)}${didYouMean(code, known)}`,
  remedy: 'see all codes with: drover explain',
  exit: 2,
});

export const journalMissing = defineError<{ paths: readonly string[] }>({
  code: 'journal-missing',
  means: 'A journal was named that does not exist. An empty journal is a file without content; one that is gone is no journal.',
  message: ({ paths }) => paths.map((path) => `${path}: no such file`).join('\n'),
  remedy: 'correct the path, or name no file to check all journals that are found',
  exit: 2,
});
