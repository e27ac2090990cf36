import type { Redaction } from '../../kernel/redact/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { writtenEntries, type TargetRunRecord } from '../model/index.ts';
import { readEnvironmentFiles, redactionOf } from '../store/index.ts';
import type { ReadableProject } from './load-project.ts';

/** Logs are masked while they are written; those of an older release, or of a run that was killed, are not. */
export function logRedaction({ project, place, texts }: ReadableProject, { env, secretNames }: VerbContext): Redaction {
  const environment = [...project.environment, ...project.profiles.environment, ...texts.flatMap(writtenEntries)];
  return redactionOf({ env, secretNames, project: { ...project, environment }, files: environmentFileOf(place.root) });
}

/** What a person is told about a log that somebody removed. */
export function goneLine({ target, logPath }: TargetRunRecord): string {
  return `the log of ${target} is gone: ${logPath}`;
}

function environmentFileOf(root: string): ReturnType<typeof readEnvironmentFiles> {
  try {
    return readEnvironmentFiles(root, undefined);
  } catch {
    // The next run tells what is wrong with the file; logs can be read all the same.
    return [];
  }
}
