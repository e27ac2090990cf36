import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { repeatRun } from '../act/index.ts';
import { findStandstill } from '../store/index.ts';
import { jsonNeedsDryRun } from './errors.ts';
import type { RunInput } from './inputs.ts';
import { answerOnce, areAnsweredSo, sourceOf } from './project-source.ts';
import { factWorld } from './project-world.ts';

/** `bach run`: runs targets in the order they need, and records what became of them; `--dry-run` says what it would do. */
export async function runVerb(input: RunInput, context: VerbContext): Promise<VerbResult> {
  if (input.json && !input.dryRun) throw jsonNeedsDryRun({});
  if (!input.dryRun && !input.force && (await isRepeated(input, context))) return { exit: 0 };
  // Working it out takes most of the program, which a run that is only done over need not load.
  const { runAnew } = await import('./run-anew.ts');
  return runAnew(input, context);
}

/** Where nothing had to run the last time, and nothing moved since. */
async function isRepeated(input: RunInput, context: VerbContext): Promise<boolean> {
  const found = findStandstill(sourceOf(input, context), input);
  if (found === undefined || !(await areAnsweredSo(found, answerOnce(context, factWorld(context))))) return false;
  return repeatRun(found, context);
}
