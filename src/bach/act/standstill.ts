import { expandVariables } from '../../kernel/text/index.ts';
import type { RunRecord, Target } from '../model/index.ts';
import type { Standstill } from '../store/index.ts';
import { namesGit } from './git-environment.ts';
import { plannedTargets, type RunContext } from './run-context.ts';

/** Each run has another one. */
const RUN_ID = 'DROVER_RUN';

interface Ended {
  readonly run: RunRecord;
  /** The last line of the summary. */
  readonly counters: string;
}

/** What is to be kept of a run in which nothing was started; nothing where the next one would not say the same. */
export function standstillOf(context: RunContext, { run, counters }: Ended): Standstill | undefined {
  const { freshness, transcript, place } = context;
  const standing = run.status === 'success' ? freshness.standing() : undefined;
  if (standing === undefined) return undefined;
  const targets = plannedTargets(context);
  const names = shownNames(targets);
  if (namesGit(targets) || names.has(RUN_ID)) return undefined;
  const environment = valuesOf(names, context);
  if (environment === undefined) return undefined;
  const { statePath } = place;
  return { ...standing, runId: run.id, statePath, environment, target: run.target, lines: transcript.lines, counters };
}

/** Variables whose values stand in the lines of cached targets, and perhaps more. */
function shownNames(targets: readonly Target[]): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (name: string): undefined => void names.add(name);
  for (const { operation } of targets) {
    const text = JSON.stringify(operation) ?? '';
    if (text.includes('$')) expandVariables(text, note);
  }
  return names;
}

/** Nothing when one is secret: its digest would let a short one be guessed. */
function valuesOf(names: ReadonlySet<string>, { verb, redaction }: RunContext): Standstill['environment'] | undefined {
  const values = new Map(Array.from(names, (name) => [name, verb.env[name]]));
  const isSecret = [...values.values()].some((value) => value !== undefined && redaction.redactText(value) !== value);
  return isSecret ? undefined : values;
}
