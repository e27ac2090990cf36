import type { VerbContext } from '../../kernel/terminal/index.ts';
import { executionGraph, pipelineHeaders, RUN_DIRECTORY, Scheduler, targetLabel, type CacheVerdict, type Command } from '../decide/index.ts';
import { countersLine, type Target, type TargetStatus } from '../model/index.ts';
import { RunStore } from '../store/index.ts';
import { GitEnvironment, namesGit } from './git-environment.ts';
import { needsOf, type Needs } from './needs.ts';
import { expandOperation, sharedEnvironment, targetEnvironment, variablesOf } from './operation.ts';
import { planDocument } from './plan-document.ts';
import { ProgressLines } from './progress-lines.ts';
import { cacheOf } from './project-cache.ts';
import { projectRedaction } from './redaction.ts';
import type { RunRequest } from './run-context.ts';
import { runLine } from './summary.ts';
import { withVerdict } from './target-run.ts';

/** No run is made: there is neither an id nor a folder of logs. */
const NONE = '-';

/** Prints what a run would do, in the order in which one target after the other would do it. Writes nothing at all. */
export async function dryRun(request: RunRequest, verb: VerbContext): Promise<void> {
  const startedMono = verb.clock.mono();
  const { plan, project } = request;
  const targets = targetsOf(request);
  const operations = await operationsOf(targets, request, verb);
  const verdicts = await verdictsOf(targets, request, verb);
  for (const line of [...needLines(needsOf(targets)), ...pipelineHeaders(plan)]) verb.out.line('', line);
  const statuses = walk(request, (command) => {
    if (command.type === 'complete' && command.line !== undefined) verb.out.line('', command.line);
    const target = command.type === 'start' ? project.targets.get(command.target) : undefined;
    if (target === undefined) return;
    const text = withVerdict(verdicts.get(target.name), operations.get(target.name) ?? '');
    new ProgressLines(verb, targetLabel(target)).print(text);
  });
  const run = { id: NONE, status: 'success', target: plan.label, logFolder: NONE } as const;
  for (const line of [runLine(run, verb.clock.mono() - startedMono), countersLine(statuses)]) verb.out.line('', line);
}

/** The same as a document for machines. */
export async function dryRunDocument(request: RunRequest, verb: VerbContext): Promise<unknown> {
  const { project, plan, environmentFiles } = request;
  const targets = targetsOf(request);
  const operations = await operationsOf(targets, request, verb);
  const verdicts = await verdictsOf(targets, request, verb);
  return projectRedaction(project, environmentFiles, verb).redactValue(planDocument({ project, plan, operations, verdicts }));
}

/** What a run would find cached, and why it would not; each target after all that it depends on. */
async function verdictsOf(targets: readonly Target[], request: RunRequest, { stop }: VerbContext): Promise<ReadonlyMap<string, CacheVerdict>> {
  const store = await RunStore.openExisting(request.place);
  try {
    const freshness = request.freshness ?? cacheOf(request, { store });
    await freshness.prepare(targets, stop.graceful);
    const verdicts = new Map<string, CacheVerdict>();
    for (const target of targets) verdicts.set(target.name, freshness.judge(target) ?? (await freshness.judgeAnew(target, stop.graceful)));
    return verdicts;
  } finally {
    store?.close();
  }
}

function targetsOf({ plan, project }: RunRequest): readonly Target[] {
  return plan.order.map((name) => project.targets.get(name)).filter((target) => target !== undefined);
}

/** What each target would run, by its name, without secrets. */
async function operationsOf(targets: readonly Target[], request: RunRequest, verb: VerbContext): Promise<ReadonlyMap<string, string>> {
  const { project, environmentFiles, place } = request;
  const profiles = project.profiles.environment;
  const shared = sharedEnvironment({ parent: verb.env, files: environmentFiles, project: project.environment, profiles });
  // Git is asked only where the answer is to be seen.
  const git = namesGit(targets) ? await new GitEnvironment(place, verb).entries() : [];
  const { redactText } = projectRedaction(project, environmentFiles, verb);
  const base = targetEnvironment(shared, [], { id: '', directory: RUN_DIRECTORY, git });
  const texts = targets.flatMap((target) => textOf(target, base));
  return new Map(texts.map(([name, text]) => [name, redactText(text)]));
}

function textOf({ name, operation, environment }: Target, base: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  if (operation === undefined) return [];
  return [[name, expandOperation(operation, variablesOf(base, environment), RUN_DIRECTORY).text]];
}

function needLines({ tools, preflights }: Needs): readonly string[] {
  return [
    ...tools.map(({ requirement, targets }) => `required tool ${requirement.name} for ${targets.join(', ')}`),
    ...preflights.map(
      ({ requirement, targets }) => `preflight ${requirement.label} via ${requirement.command.join(' ')} for ${targets.join(', ')}`,
    ),
  ];
}

/** Goes through the plan as a run does in which all succeeds at once, and gives what became of each target. */
function walk({ plan }: RunRequest, see: (command: Command) => void): readonly TargetStatus[] {
  const scheduler = new Scheduler(executionGraph(plan), { jobs: 1 });
  const statuses: TargetStatus[] = [];
  const pending = [...scheduler.handle({ type: 'tick' })];
  for (const command of pending) {
    see(command);
    if (command.type === 'complete') statuses.push(command.status);
    if (command.type !== 'start') continue;
    statuses.push('dry-run');
    pending.push(...scheduler.handle({ type: 'finished', target: command.target, outcome: 'success' }));
  }
  return statuses;
}
