import type { EnvironmentEntry, Project } from '../../model/index.ts';
import { NUL, written } from './written.ts';

export interface SharedEnvironment extends Pick<Project, 'environment' | 'profiles'> {
  /** Of `.env`, then of `--env-file`. */
  readonly files: readonly EnvironmentEntry[];
}

/**
 * Gives the text of the whole environment of a target by that of its own entries. Neither the environment of the
 * process nor git takes part in it.
 */
export function environmentTexts({ environment, profiles, files }: SharedEnvironment): (own: string) => string {
  const before = written(entriesText(environment), profiles.selected.join(NUL), entriesText(profiles.environment));
  // Without a word between them, an entry that moves from a file to the target would leave the text as it was.
  const after = files.length === 0 ? '' : written('dotenv', entriesText(effective(files)));
  return (own) => `${before}${written(own)}${after}`;
}

export function entriesText(entries: readonly EnvironmentEntry[]): string {
  return entries.map(({ name, value }) => `${name}=${value}`).join(NUL);
}

/** A later file stands above an earlier one; which of them an entry comes from says nothing. */
function effective(files: readonly EnvironmentEntry[]): readonly EnvironmentEntry[] {
  const last = new Map(files.map((entry) => [entry.name, entry]));
  return [...last.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
