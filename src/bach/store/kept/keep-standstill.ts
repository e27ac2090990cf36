import type { EnvironmentEntry } from '../../model/index.ts';
import { dropEntries, putEntry } from './folder.ts';
import type { Candidate, ProjectSource } from './kept-project.ts';
import { headOf, STANDSTILL, standstillName, standstillText } from './standstill-entry.ts';
import type { AskedRun, Standstill } from './standstill.ts';

/** The run that came to a standstill. */
export interface RunAsked {
  readonly source: ProjectSource;
  /** The kept project that it was a run of. */
  readonly project: Pick<Candidate, 'head' | 'root'>;
  readonly asked: AskedRun;
  /** Entries of `.env`, then of `--env-file`. */
  readonly environmentFiles: readonly EnvironmentEntry[];
}

/** Keeps a standstill for the next run, where the folder takes it. */
export function keepStandstill({ source, project, asked, environmentFiles }: RunAsked, standstill: Standstill): void {
  const head = headOf(project.head, environmentFiles, standstill.environment);
  putEntry(project.root, standstillName(source, asked), standstillText(head, standstill));
}

/** For who is about to change what they rest on: the next run need not find out that they stand no more. */
export function dropStandstills(root: string): void {
  dropEntries(root, STANDSTILL);
}
