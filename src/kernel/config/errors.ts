import { defineError } from '../errors/index.ts';

interface Faults {
  /** One a fault, each with its file, line and column, or the variable or option. */
  readonly lines: readonly string[];
}

export const configInvalid = defineError<Faults>({
  code: 'config-invalid',
  means:
    'A configuration file, a DROVER_ variable or a --set option holds something that cannot be used: broken TOML, a key that does not exist, or a value of the wrong kind. Nothing was done, since guessing what was meant could undo a protection.',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'correct these places; docs/drover.md lists the keys and what each takes',
});

export const configOptionInvalid = defineError<Faults>({
  code: 'config-option-invalid',
  means: 'An option of this command sets a key that does not exist, or gives it a value of the wrong kind. Nothing was done.',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'correct the option; docs/drover.md lists the keys and what each takes',
  exit: 2,
});

export const configNotTrusted = defineError<Faults>({
  code: 'config-not-trusted',
  means:
    'The configuration file of a project sets a key that only the user may set, such as where notices go, which database is used, or what is not masked. A project comes from other people, so drover refuses instead of ignoring it silently.',
  message: ({ lines }) => lines.join('\n'),
  remedy: 'take the key out of the project file; where you want its value, set it in your own configuration file',
});

export const homeUnknown = defineError<{ purpose: string; reason: string; setting: string }>({
  code: 'home-unknown',
  means: 'A place in the home folder is needed, and HOME is not set to an absolute path, so that nobody knows where that is.',
  message: ({ purpose, reason }) => `cannot tell where ${purpose} is: ${reason}`,
  remedy: ({ setting }) => `set HOME to an absolute path, or ${setting}`,
});
