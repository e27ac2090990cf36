import { defineError } from '../kernel/errors/index.ts';

interface Usage {
  readonly message: string;
  readonly remedy: string;
}

/** The command line itself is wrong: a word, an option, a count. */
export const wrongUsage = defineError<Usage>({
  code: 'wrong-usage',
  message: ({ message }) => message,
  remedy: ({ remedy }) => remedy,
  exit: 2,
});

/** An option was given a value that it cannot take. */
export const invalidOptionValue = defineError<{ option: string; value: string; expected: string }>({
  code: 'invalid-option-value',
  message: ({ option, value, expected }) => `invalid ${option} ${JSON.stringify(value)}: expected ${expected}`,
  remedy: ({ option }) => `correct the value of ${option}`,
  exit: 2,
});

export const currentFolderGone = defineError<void>({
  code: 'current-folder-gone',
  message: () => 'the current folder does not exist any more',
  remedy: 'change to an existing folder',
});

/** A verb waits for something that nothing will bring: the process would end as if all were well. */
export const noAnswer = defineError<void>({
  code: 'no-answer',
  message: () => 'internal error: the command ended without an answer',
  remedy: 'this is a defect of the program: report the command with all that it printed',
});
