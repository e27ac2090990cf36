import { defineError } from '../kernel/errors/index.ts';

interface Usage {
  readonly message: string;
  readonly remedy: string;
}

/** The command line itself is wrong: a word, an option, a count. */
export const wrongUsage = defineError<Usage>({
  code: 'wrong-usage',
  means: 'The command line cannot be understood: a command or an option that does not exist, or too many or too few words.',
  message: ({ message }) => message,
  remedy: ({ remedy }) => remedy,
  exit: 2,
});

/** An option was given a value that it cannot take. */
export const invalidOptionValue = defineError<{ option: string; value: string; expected: string }>({
  code: 'invalid-option-value',
  means: 'An option was given a value that it cannot take. Nothing was done.',
  message: ({ option, value, expected }) => `invalid ${option} ${JSON.stringify(value)}: expected ${expected}`,
  remedy: ({ option }) => `correct the value of ${option}`,
  exit: 2,
});

export const currentFolderGone = defineError<void>({
  code: 'current-folder-gone',
  means: 'The folder that the command was started in was removed, so that no path can be resolved.',
  message: () => 'the current folder does not exist any more',
  remedy: 'change to an existing folder',
});

/** A verb waits for something that nothing will bring: the process would end as if all were well. */
export const noAnswer = defineError<void>({
  code: 'no-answer',
  means: 'The command ended before it had an answer. This is a defect of the program, not of your input.',
  message: () => 'internal error: the command ended without an answer',
  remedy: 'this is a defect of the program: report the command with all that it printed',
});

/** Told of a file that the loader of the program marked as its own. */
export const programPartGone = defineError<{ part: string }>({
  code: 'program-part-gone',
  means: 'A file of the program itself is not there: it was updated or removed while the command ran, or only a part of it is installed.',
  message: ({ part }) => `${part}, a part of this program, is not there any more`,
  remedy: 'run the command again, with the program that is there now; when it stays, install the program again',
});
