import { defineError } from '../kernel/errors/index.ts';

export const ledgerRowDamaged = defineError<{ table: string; key: string; column: string; value: string }>({
  code: 'ledger-row-damaged',
  means: 'A row of the ledger holds a value that this version never writes: it was edited by hand or the file is damaged.',
  message: ({ table, key, column, value }) => `the ledger's row ${JSON.stringify(key)} of ${table} has ${column} ${JSON.stringify(value)}`,
  remedy: 'move the ledger file aside and keep it; its rows are made again from the files of the projects',
});

export const askUnknown = defineError<{ id: string }>({
  code: 'ask-unknown',
  means: 'An answer was given to a question that the ledger does not hold.',
  message: ({ id }) => `there is no question ${JSON.stringify(id)}`,
  remedy: 'list the open questions and name one of them',
});

export const askClosed = defineError<{ id: string; how: string }>({
  code: 'ask-closed',
  means: 'A question can be answered once; this one was answered or withdrawn before.',
  message: ({ id, how }) => `question ${JSON.stringify(id)} is closed: ${how}`,
  remedy: 'nothing is left to do; the first answer stands',
});

export const askOptionUnknown = defineError<{ id: string; option: string; options: readonly string[] }>({
  code: 'ask-option-unknown',
  means: 'An answer must be one of the options that the question offers.',
  message: ({ id, option, options }) => `${JSON.stringify(option)} is no answer to question ${JSON.stringify(id)}: it offers ${options.join(', ')}`,
  remedy: ({ options }) => `answer with one of: ${options.join(', ')}`,
});

export const askChanged = defineError<{ id: string }>({
  code: 'ask-changed',
  means: 'What a question asks about changed after it was shown, so an answer to the old text does not count.',
  message: ({ id }) => `what question ${JSON.stringify(id)} asks about has changed since it was shown`,
  remedy: 'look at the question again, then answer it',
});

export const amountInvalid = defineError<{ field: string; value: number }>({
  code: 'amount-invalid',
  means: 'Amounts of spend are whole numbers from 0 on: tokens, and millionths of a US dollar.',
  message: ({ field, value }) => `${field} ${value} is not a whole number from 0 on`,
  remedy: 'report this message: the amount came from a usage report that was not checked',
});

export const quietHoursInvalid = defineError<{ value: string; reason: string }>({
  code: 'quiet-hours-invalid',
  means: 'Quiet hours are two times of day and, optionally, a time zone: 22:00-07:00 Europe/Berlin.',
  message: ({ value, reason }) => `quiet hours ${JSON.stringify(value)}: ${reason}`,
  remedy: 'write them as HH:MM-HH:MM with an optional time zone, such as 22:00-07:00 Europe/Berlin',
});

export const ledgerBusy = defineError<{ path: string }>({
  code: 'ledger-busy',
  means: 'Another process is making the ledger again and did not finish in time.',
  message: ({ path }) => `${path} is being made again by another process`,
  remedy: 'run the command again when the other one has ended',
});
