import { availableParallelism } from 'node:os';
import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { runTargets } from '../act/index.ts';
import { planRun, type Plan } from '../decide/index.ts';
import { readEnvironmentFiles } from '../store/index.ts';
import { jsonNeedsDryRun, noTargetGiven } from './errors.ts';
import type { RunInput } from './inputs.ts';
import { loadProject, type LoadedProject } from './load-project.ts';

/** `bach run`: runs targets in the order they need, and records what became of them. */
export async function runVerb(input: RunInput, context: VerbContext): Promise<VerbResult> {
  if (input.json) throw jsonNeedsDryRun({});
  const loaded = loadProject(input, context);
  const { project, place } = loaded;
  const plan = planOf(input, loaded);
  const environmentFiles = readEnvironmentFiles(place.root, input.envFile);
  const jobs = input.jobs ?? availableParallelism();
  const outcome = await runTargets({ project, place, plan, environmentFiles, jobs }, context);
  if (outcome.status === 'success') return { exit: 0 };
  const signal = outcome.stopped ? context.stop.signal() : undefined;
  return { exit: signal === undefined ? 1 : SIGNAL_EXITS[signal], errors: outcome.errors };
}

function planOf({ targets, file }: RunInput, { project }: LoadedProject): Plan {
  const byDefault = project.defaultTarget === undefined ? [] : [project.defaultTarget];
  const requested = targets.length > 0 ? targets : byDefault;
  if (requested.length === 0) throw noTargetGiven({ file });
  const plan = planRun(project.targets, requested);
  if (!plan.ok) throw plan.error;
  return plan;
}
