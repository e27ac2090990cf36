import { cleanPath } from '../../../kernel/paths/index.ts';
import { compileGlob } from '../../../kernel/text/index.ts';
import { stateRule } from '../../model/index.ts';
import { FileFinder } from './find-files.ts';
import type { InputPlace } from './input-reader.ts';
import { done, Slice } from './slice.ts';
import { ProjectTree } from './tree.ts';

/**
 * Those of the entries that are patterns and match no file now, in their order. A plain path that leads to nothing is
 * not among them. Throws `input-outside-root`, `malformed-input-pattern`.
 */
export async function globsWithoutMatch(entries: readonly string[], { root, statePath, clock }: InputPlace): Promise<readonly string[]> {
  const slice = new Slice(clock);
  const finder = new FileFinder(root, new ProjectTree({ root, isState: stateRule(statePath), tell: () => undefined }));
  const without: string[] = [];
  for (const entry of new Set(entries)) {
    if (!compileGlob(cleanPath(entry)).isGlob) continue;
    if ((await done(finder.files({ patterns: [entry], except: [] }, slice))).length === 0) without.push(entry);
  }
  return without;
}
