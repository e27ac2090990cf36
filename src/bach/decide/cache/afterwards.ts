import type { Target } from '../../model/index.ts';
import type { Fingerprint, Fingerprints, Look, SeenInput } from './fingerprints.ts';

export interface Success {
  /** The inputs as they were when the target was judged. */
  readonly before: readonly SeenInput[];
  /** The part `dependencies` of that moment; left out where nothing that it rests on can have changed. */
  readonly restedOn?: string | undefined;
  /** What is there after its success, looked at again. */
  readonly now: Look;
}

/** Under which fingerprint a result is kept, or why it is not, for the log. */
export type Keeping = { readonly kept: Fingerprint; readonly line: undefined } | { readonly kept: undefined; readonly line: string };

/**
 * Learns the target anew after its success. A result whose inputs changed meanwhile is not kept, nor is any that rests
 * on it. Contents count: an input that was written again with the same bytes is the same.
 */
export function afterSuccess(fingerprints: Fingerprints, target: Target, { before, restedOn, now }: Success): Keeping {
  const kept = fingerprints.learn(target, now);
  const isSameBelow = kept.hash !== '' && (restedOn ?? kept.parts.dependencies) === kept.parts.dependencies;
  const line = unkeptLine(before, now.inputs) ?? (isSameBelow ? undefined : RESTS_ON_OTHERS);
  if (line === undefined) return { kept, line };
  fingerprints.spoil(target);
  return { kept: undefined, line };
}

const RESTS_ON_OTHERS = 'not cached: an input of what it depends on changed during this run';

function unkeptLine(before: readonly SeenInput[], after: readonly SeenInput[]): string | undefined {
  const change = before === after ? undefined : firstChange(before, after);
  if (change !== undefined) return `not cached: input ${change} while the target ran`;
  const unknown = after.find(({ hash }) => hash === undefined);
  return unknown && `not cached: input ${JSON.stringify(unknown.path)} ${unknown.isUndecodable === true ? 'has a name that is not UTF-8' : 'is still being written'}`;
}

/** Both are sorted by path. */
function firstChange(before: readonly SeenInput[], after: readonly SeenInput[]): string | undefined {
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const change = changeBetween(before[index], after[index]);
    if (change !== undefined) return change;
  }
  return undefined;
}

function changeBetween(was: SeenInput | undefined, is: SeenInput | undefined): string | undefined {
  if (was !== undefined && (is === undefined || was.path < is.path)) return `${JSON.stringify(was.path)} went`;
  if (is !== undefined && was?.path !== is.path) return `${JSON.stringify(is.path)} came`;
  return was?.hash === is?.hash ? undefined : `${JSON.stringify(was?.path)} changed`;
}
