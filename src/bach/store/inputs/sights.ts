import { isDroverError } from '../../../kernel/errors/index.ts';
import { stateRule } from '../../model/index.ts';
import type { InputPlace } from './input-reader.ts';
import { OutputReader } from './output-reader.ts';
import type { OutputRecord } from './output-record.ts';
import { done, Slice } from './slice.ts';
import { ProjectTree, type TreeAnswers } from './tree.ts';

/** All that was seen of the files of a project, of inputs as of outputs. */
export interface Sights {
  readonly tree: TreeAnswers;
  /** Each stood as it was recorded. */
  readonly outputs: readonly OutputRecord[];
}

/**
 * Looks at the same files again: whether everything stands as it did, by stamps that were trusted then. False also where
 * only a closer look could tell. Rejects with the reason of the signal.
 */
export async function standAsSeen({ tree, outputs }: Sights, place: InputPlace, signal: AbortSignal): Promise<boolean> {
  try {
    return (await isTreeAsSeen(tree, place, signal)) && (await areOutputsAsSeen(outputs, place, signal));
  } catch (error) {
    // Whoever looks at it closely says what is wrong with it.
    if (isDroverError(error) && !signal.aborted) return false;
    throw error;
  }
}

async function isTreeAsSeen(answers: TreeAnswers, { root, statePath, clock }: InputPlace, signal: AbortSignal): Promise<boolean> {
  let isQuiet = true;
  const tell = (): void => void (isQuiet = false);
  const tree = new ProjectTree({ root, isState: stateRule(statePath), tell });
  return (await done(tree.wouldSay(answers, new Slice(clock, signal)))) && isQuiet;
}

async function areOutputsAsSeen(outputs: readonly OutputRecord[], place: InputPlace, signal: AbortSignal): Promise<boolean> {
  const requests = outputs.map((record) => ({ paths: [record.path], records: [record] }));
  for (const [output] of await new OutputReader(place).lookAt(requests, signal)) {
    if (output?.state !== 'same' || output.renewed !== undefined) return false;
  }
  return true;
}
