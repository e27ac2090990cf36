import { defineError } from '../../kernel/errors/index.ts';
import { didYouMean, onOneLine } from '../../kernel/text/index.ts';

export const unknownErrorCode = defineError<{ code: string; known: Iterable<string> }>({
  code: 'unknown-error-code',
  means: 'drover explain was given a word that is no code of an error. Codes stand in documents with `code`, and in docs/errors.md.',
  message: ({ code, known }) => `unknown error code ${JSON.stringify(code)}${didYouMean(code, known)}`,
  remedy: 'see all codes with: drover explain',
  exit: 2,
});

export const noTemporaryFolder = defineError<{ message: string; source: string }>({
  code: 'no-temporary-folder',
  means: 'No folder for temporary files could be made where TMPDIR leads, or in /tmp when it is not set. Nothing was done.',
  message: ({ message, source }) => `${onOneLine(message)} (from ${source})`,
  remedy: 'set TMPDIR to a folder that exists and that you can write',
});

export const journalMissing = defineError<{ paths: readonly string[] }>({
  code: 'journal-missing',
  means: 'A journal was named that does not exist. An empty journal is a file without content; one that is gone is no journal.',
  message: ({ paths }) => paths.map((path) => `${path}: no such file`).join('\n'),
  remedy: 'correct the path, or name no file to check all journals that are found',
  exit: 2,
});
