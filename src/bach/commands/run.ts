import { availableParallelism } from 'node:os';
import { isDroverError } from '../../kernel/errors/index.ts';
import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { dryRun, dryRunDocument, isStop, refuseLaterNames, refuseLaterParts, refuseUnconfirmed, runTargets, type RunRequest } from '../act/index.ts';
import { planRun, type Plan } from '../decide/index.ts';
import { canonicalName, type Project } from '../model/index.ts';
import { readEnvironmentFiles } from '../store/index.ts';
import { jsonNeedsDryRun, noTargetGiven } from './errors.ts';
import type { RunInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

/** `bach run`: runs targets in the order they need, and records what became of them; `--dry-run` says what it would do. */
export async function runVerb(input: RunInput, context: VerbContext): Promise<VerbResult> {
  if (input.json && !input.dryRun) throw jsonNeedsDryRun({});
  try {
    const request = await requestOf(input, context);
    return input.dryRun ? await planned(request, input, context) : await executed(request, context);
  } catch (error) {
    // A plugin that a stop ended is no fault of the plugin.
    const isOfPlugin = context.stop.graceful.aborted && isDroverError(error) && error.code === 'plugin-failed';
    if (!isOfPlugin && !isStop(error, context)) throw error;
    return stopped(context, [`stopped by ${context.stop.signal() ?? 'request'}`]);
  }
}

async function requestOf(input: RunInput, context: VerbContext): Promise<RunRequest> {
  const { project, place, keep } = await loadProject(input, context, projectWorld(context));
  const plan = planOf(input, project, context);
  refuseLaterParts(project, plan);
  if (!input.yes && !input.dryRun) refuseUnconfirmed(project, plan);
  const environmentFiles = readEnvironmentFiles(place.root, input.envFile);
  if (!input.dryRun) keep();
  const { jobs = availableParallelism(), force, logOnly, verbose } = input;
  return { project, place, plan, environmentFiles, jobs, force, shown: { logOnly, verbose } };
}

function planOf({ targets, file }: RunInput, project: Project, context: VerbContext): Plan {
  const byDefault = project.defaultTarget === undefined ? [] : [project.defaultTarget];
  const requested = targets.length > 0 ? targets.map((name) => withoutAlias(name, project, context)) : byDefault;
  if (requested.length === 0) throw noTargetGiven({ file });
  refuseLaterNames(project, requested);
  const plan = planRun(project.targets, requested);
  if (!plan.ok) throw plan.error;
  return plan;
}

/** An alias stands for its target from here on, and whoever uses it is told. */
function withoutAlias(name: string, { aliases, targets }: Project, { out }: VerbContext): string {
  const alias = targets.has(name) || targets.has(canonicalName(name)) ? undefined : aliases.get(name);
  if (alias === undefined) return name;
  out.notice(`alias ${JSON.stringify(name)} resolves to ${JSON.stringify(alias.target)}. ${alias.deprecated || `Use ${alias.target}.`}`);
  return alias.target;
}

async function planned(request: RunRequest, { json }: RunInput, context: VerbContext): Promise<VerbResult> {
  if (json) return { exit: 0, json: await dryRunDocument(request, context) };
  await dryRun(request, context);
  return { exit: 0 };
}

async function executed(request: RunRequest, context: VerbContext): Promise<VerbResult> {
  const outcome = await runTargets(request, context);
  if (outcome.status === 'success') return { exit: 0 };
  return outcome.stopped ? stopped(context, outcome.errors) : { exit: 1, errors: outcome.errors };
}

function stopped({ stop }: VerbContext, errors: readonly string[]): VerbResult {
  const signal = stop.signal();
  return { exit: signal === undefined ? 1 : SIGNAL_EXITS[signal], errors };
}
