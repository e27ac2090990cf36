import { availableParallelism } from 'node:os';
import { isDroverError } from '../../kernel/errors/index.ts';
import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { dryRun, dryRunDocument, isStop, refuseLaterNames, refuseLaterParts, refuseUnconfirmed, runTargets, type RunRequest } from '../act/index.ts';
import { planRun, type Plan } from '../decide/index.ts';
import { canonicalName, type Project } from '../model/index.ts';
import { keepStandstill, readEnvironmentFiles, type RunAsked, type Standstill } from '../store/index.ts';
import { noTargetGiven } from './errors.ts';
import type { RunInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { sourceOf } from './project-source.ts';
import { projectWorld } from './project-world.ts';

/** Works out what has to run, and runs it; `--dry-run` only says so. */
export async function runAnew(input: RunInput, context: VerbContext): Promise<VerbResult> {
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
  const { project, place, kept, keep } = await loadProject(input, context, projectWorld(context));
  const plan = planOf(input, project, context);
  refuseLaterParts(project, plan);
  if (!input.yes && !input.dryRun) refuseUnconfirmed(project, plan);
  const environmentFiles = readEnvironmentFiles(place.root, input.envFile);
  if (!input.dryRun) keep();
  const { jobs = availableParallelism(), force, logOnly, verbose } = input;
  const onStandstill = kept === undefined || !isRepeatable(input, project) ? undefined : keeping({ kept, input, environmentFiles }, context);
  return { project, place, plan, environmentFiles, jobs, force, shown: { logOnly, verbose }, onStandstill };
}

/** An alias is told of each time. */
function isRepeatable({ targets }: RunInput, project: Project): boolean {
  return targets.every((name) => project.targets.has(canonicalName(name)));
}

interface KeptRun extends Pick<RunAsked, 'environmentFiles'> {
  readonly kept: RunAsked['project'];
  readonly input: RunInput;
}

function keeping({ kept, input, environmentFiles }: KeptRun, context: VerbContext): (standstill: Standstill) => void {
  return (standstill) => keepStandstill({ source: sourceOf(input, context), project: kept, asked: input, environmentFiles }, standstill);
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
