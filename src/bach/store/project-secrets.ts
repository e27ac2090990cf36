import { createRedaction, secretsFrom, type Redaction, type SecretNames } from '../../kernel/redact/index.ts';
import type { EnvironmentEntry, Project } from '../model/index.ts';

export interface SecretPlaces {
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Entries of environment files. */
  readonly files: readonly EnvironmentEntry[];
  readonly project: Pick<Project, 'environment' | 'targets'>;
  readonly secretNames: SecretNames;
}

/** Masks every secret that a target of the project may see, wherever it comes from. */
export function redactionOf({ env, files, project, secretNames }: SecretPlaces): Redaction {
  const layers = [files, project.environment, ...[...project.targets.values()].map(({ environment }) => environment)];
  const entries = layers.filter((layer) => layer.length > 0).map(recordOf);
  return createRedaction([...new Set([env, ...entries].flatMap((layer) => secretsFrom({ env: layer, ...secretNames })))]);
}

/** A name that stands twice keeps both values: the earlier one may be in a log. */
function recordOf(entries: readonly EnvironmentEntry[]): Readonly<Record<string, string>> {
  const record: Record<string, string> = Object.create(null);
  for (const { name, value } of entries) record[name in record ? `${name}_${value}` : name] = value;
  return record;
}
