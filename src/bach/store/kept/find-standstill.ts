import { readEnvironmentFiles } from '../project-files.ts';
import { factsOf, isOf, isSameEnvironment, orNothing } from './find.ts';
import { entryBytes } from './folder.ts';
import type { ProjectSource } from './kept-project.ts';
import { likelyRoots } from './likely-roots.ts';
import { filesDigest, readStandstill, standstillName } from './standstill-entry.ts';
import type { AskedRun, FoundStandstill } from './standstill.ts';

/** The last standstill of a run that was asked for like this, of the same project and environment. Throws nothing. */
export function findStandstill(source: ProjectSource, asked: AskedRun): FoundStandstill | undefined {
  const name = standstillName(source, asked);
  for (const root of likelyRoots(source)) {
    const found = orNothing(() => standstillIn(root, name, { source, asked }));
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Sought {
  readonly source: ProjectSource;
  readonly asked: AskedRun;
}

function standstillIn(root: string, name: string, { source, asked }: Sought): FoundStandstill | undefined {
  const bytes = entryBytes(root, name);
  const entry = bytes && readStandstill(bytes);
  if (entry === undefined) return undefined;
  const { head, standstill } = entry;
  const isSame = isOf(head.project, source) && isSameEnvironment(head, source);
  if (!isSame || filesDigest(readEnvironmentFiles(root, asked.envFile)) !== head.environmentFiles) return undefined;
  return { root, statePath: head.project.statePath, facts: factsOf(head.project), standstill };
}
