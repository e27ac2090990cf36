import type { Redaction } from '../../kernel/redact/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import type { EnvironmentEntry, Project } from '../model/index.ts';
import { redactionOf } from '../store/index.ts';

/** Masks every secret that a target may see, those of selected profiles among them. */
export function projectRedaction(project: Project, files: readonly EnvironmentEntry[], { env, secretNames }: VerbContext): Redaction {
  const environment = [...project.environment, ...project.profiles.environment];
  return redactionOf({ env, secretNames, files, project: { ...project, environment } });
}
