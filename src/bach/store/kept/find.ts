import { factOfKey } from '../../model/index.ts';
import { readImport } from '../import-files.ts';
import { entryKey, entryName, environmentDigest, sha256, type EntryHead } from './entry.ts';
import { entryIn } from './folder.ts';
import type { Candidate, ProjectSource } from './kept-project.ts';
import { likelyRoots } from './likely-roots.ts';

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
function orNothing<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function candidateIn(root: string, name: string, source: ProjectSource): Candidate | undefined {
  const entry = entryIn(root, name);
  if (entry === undefined || !isOf(entry.head, source)) return undefined;
  const facts = entry.head.facts.map(([key, answer]) => [factOfKey(key), answer] as const);
  return { root, statePath: entry.head.statePath, facts, open: () => orNothing(() => entry.open()) };
}

function isOf(head: EntryHead, source: ProjectSource): boolean {
  return head.key === entryKey(source) && head.bachfile === sha256(source.bytes) && isSameEnvironment(head, source) && isSameImports(head);
}

function isSameEnvironment({ environment: known }: EntryHead, { environment }: ProjectSource): boolean {
  return known.every(([name, digest]) => environmentDigest(Object.hasOwn(environment, name) ? environment[name] : undefined) === digest);
}

/** Each import is followed again from a file that is known to be the same: it may lead elsewhere now. */
function isSameImports({ imports }: EntryHead): boolean {
  return imports.every(({ importer, path, canonical, digest }) => {
    const read = readImport({ canonical: importer, shown: '' }, path);
    return read.kind === 'file' && read.canonical === canonical && sha256(read.bytes) === digest;
  });
}
