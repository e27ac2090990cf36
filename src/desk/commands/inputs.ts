import type { FlagValue } from '../../kernel/config/index.ts';

export interface ExplainInput {
  /** Nothing: every code. */
  readonly code: string | undefined;
}

export interface ConfigShowInput {
  readonly origin: boolean;
  /** `--set name=value`, in the order given. */
  readonly flags: readonly FlagValue[];
}

export interface JournalCheckInput {
  /** As the user gave them; none for all that can be found. */
  readonly files: readonly string[];
}

export interface DoctorInput {
  readonly flags: readonly FlagValue[];
  /** The words that start this program again; nothing where it is no process of its own. */
  readonly self: readonly string[] | undefined;
  /** Send a test notice on each channel that is configured. */
  readonly notify: boolean;
  /** Only tells whether this lock is held; how a doctor asks from a second process. */
  readonly lockToLookAt?: string | undefined;
}
