import type { InputSet } from './project.ts';

/** Named sets: their entries may be names of other sets. */
export type InputSets = ReadonlyMap<string, Pick<InputSet, 'sources'>>;

/**
 * Everything that entries of `inputs` lead to, themselves included, each once, in the order met: names of sets,
 * resources, and paths. A set that leads back to itself is cut there.
 */
export function inputReach(entries: readonly string[], sets: InputSets): readonly string[] {
  const reached = new Set<string>();
  const pending = entries.toReversed();
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    if (reached.has(entry)) continue;
    reached.add(entry);
    // One by one: a plugin may give more than a call takes as arguments.
    for (const source of sets.get(entry)?.sources.toReversed() ?? []) pending.push(source);
  }
  return [...reached];
}

/** The paths, folders and globs that entries of `inputs` stand for: no names of sets, no resources. */
export function inputPaths(entries: readonly string[], sets: InputSets, resources: ReadonlySet<string>): readonly string[] {
  const isResource = (entry: string): boolean => entry.startsWith('resource/') && resources.has(entry.slice('resource/'.length));
  return inputReach(entries, sets).filter((entry) => !sets.has(entry) && !isResource(entry));
}
