import { factOfKey } from '../../model/index.ts';
import { readImport } from '../import-files.ts';
import { entryKey, entryName, environmentDigest, readEntry, type EntryHead } from './entry.ts';
import { entryBytes } from './folder.ts';
import type { Candidate, ProjectSource } from './kept-project.ts';
import { likelyRoots } from './likely-roots.ts';
import { sha256 } from './sealed.ts';

/** A kept project that was decoded from the same bytes, words of the command line, and environment. Throws nothing. */
export function findKept(source: ProjectSource): Candidate | undefined {
  const name = entryName(source);
  for (const root of likelyRoots(source)) {
    const candidate = orNothing(() => candidateIn(root, name, source));
    if (candidate !== undefined) return candidate;
  }
  return undefined;
}

/** Whatever is wrong with what is kept, the project can still be read from its files. */
export function orNothing<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function candidateIn(root: string, name: string, source: ProjectSource): Candidate | undefined {
  const bytes = entryBytes(root, name);
  const entry = bytes && readEntry(bytes);
  if (entry === undefined || !isOf(entry.head, source)) return undefined;
  const { head } = entry;
  return { root, statePath: head.statePath, facts: factsOf(head), head, open: () => orNothing(() => entry.open()) };
}

export function factsOf({ facts }: EntryHead): Candidate['facts'] {
  return facts.map(([key, answer]) => [factOfKey(key), answer] as const);
}

/** Whether a project that was decoded from what the head tells is the one of the source. */
export function isOf(head: EntryHead, source: ProjectSource): boolean {
  return head.key === entryKey(source) && head.bachfile === sha256(source.bytes) && isSameEnvironment(head, source) && isSameImports(head);
}

export function isSameEnvironment({ environment: known }: Pick<EntryHead, 'environment'>, { environment }: ProjectSource): boolean {
  return known.every(([name, digest]) => environmentDigest(Object.hasOwn(environment, name) ? environment[name] : undefined) === digest);
}

/** Each import is followed again from a file that is known to be the same: it may lead elsewhere now. */
function isSameImports({ imports }: EntryHead): boolean {
  return imports.every(({ importer, path, canonical, digest }) => {
    const read = readImport({ canonical: importer, shown: '' }, path);
    return read.kind === 'file' && read.canonical === canonical && sha256(read.bytes) === digest;
  });
}
