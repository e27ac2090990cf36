import { redactionOf } from '../project-secrets.ts';
import type { SecretNames } from '../../../kernel/redact/index.ts';
import { entryName, entryText } from './entry.ts';
import { putEntry } from './folder.ts';
import type { Keeping, ProjectSource } from './kept-project.ts';

/** Keeps a project for the next time, unless something secret is in it, or the folder takes nothing. */
export function keepProject(source: ProjectSource, keeping: Keeping, secretNames: SecretNames): void {
  const text = entryText(source, keeping);
  if (text === undefined || holdsSecret(text, { source, keeping, secretNames })) return;
  putEntry(keeping.root, entryName(source), text);
}

interface Suspect {
  readonly source: ProjectSource;
  readonly keeping: Keeping;
  readonly secretNames: SecretNames;
}

/** A digest would let a short secret be guessed: what was only looked at counts as what is in it. */
function holdsSecret(text: string, { source, keeping, secretNames }: Suspect): boolean {
  const { kept, reads } = keeping;
  const redaction = redactionOf({ env: source.environment, files: [], project: kept.decoded.project, secretNames });
  const seen = [text, ...reads.environment.values()].filter((each) => each !== undefined);
  return seen.some((each) => redaction.redactText(each) !== each);
}
