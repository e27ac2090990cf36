import type { Diagnostic } from '../../../kernel/text/index.ts';
import type { EntryHead } from './entry.ts';
import type { DecodedProject, EnvironmentEntry, FactAnswer, FactRequest, ProcessVariables, Reads } from '../../model/index.ts';

/** What a project is decoded from, as far as the command line and the place of the Bachfile go. */
export interface ProjectSource {
  /** The Bachfile as the user gave it. */
  readonly file: string;
  /** The same, absolute and with all links followed. */
  readonly canonical: string;
  readonly bytes: Uint8Array;
  readonly cwd: string;
  readonly overrides: readonly EnvironmentEntry[];
  /** In the order given. */
  readonly profiles: readonly string[];
  /** The environment of the process. */
  readonly environment: ProcessVariables;
}

/** A decoded project as it is kept from one run to the next. */
export interface KeptProject {
  readonly decoded: DecodedProject;
  /** The project in it is linked already: no graph plugin adds to it. */
  readonly linked: boolean;
  /** Warnings, to be shown again. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A kept project that was decoded from the same; it is the right one when `facts` are still answered so. */
export interface Candidate {
  /** The folder of the project. */
  readonly root: string;
  /** Of the state database, from the root, as it is known before anything is evaluated. */
  readonly statePath: string;
  readonly facts: readonly (readonly [request: FactRequest, answer: FactAnswer])[];
  /** What it was decoded from. */
  readonly head: EntryHead;
  /** Nothing when it cannot be read after all. */
  open(): KeptProject | undefined;
}

/** What is to be kept, with what its evaluation looked at. */
export interface Keeping {
  readonly kept: KeptProject;
  readonly reads: Reads;
  /** The bytes of what was imported, by canonical path. */
  readonly imported: ReadonlyMap<string, Uint8Array>;
  /** The folder of the project. */
  readonly root: string;
  /** Of the state database, from the root, as it is known before anything is evaluated. */
  readonly statePath: string;
}
