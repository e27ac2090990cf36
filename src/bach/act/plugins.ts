import { resolve } from 'node:path';
import { createReaper, definedVariables, runToEnd, type CapturedEnd, type Reaper } from '../../kernel/process/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { formatDuration } from '../../kernel/text/index.ts';
import { inputPaths, type GraphAdditions, type Plugin, type Project } from '../model/index.ts';
import { pluginsFailed } from './errors.ts';
import { readPluginDocument, type PluginDocument } from './plugin-document.ts';
import { stoppedBy } from './stop.ts';

/** A graph plugin has no timeout of its own, and nobody waits for one that hangs. */
const LIMIT_MS = 60_000;
const MOST_OUTPUT = 16 * 1024 * 1024;
const GRACE_MS = 2_000;
/** Quick plugins save the start of a watcher. */
const LONG_MS = 200;
/** Of what a plugin that failed printed on standard error. */
const MOST_COMPLAINT = 4_000;

interface PluginHost {
  readonly project: Project;
  /** Absolute. */
  readonly root: string;
  readonly context: VerbContext;
  readonly reaper: Reaper;
}

/**
 * Runs the graph plugins of a project, all at once, and gives what they emit, in declared order.
 * Throws `plugin-failed` with what is wrong with each of them.
 */
export async function runGraphPlugins(project: Project, root: string, context: VerbContext): Promise<readonly GraphAdditions[]> {
  const plugins = [...project.plugins.values()].filter(({ type, operation }) => type === 'graph' && operation !== undefined);
  if (plugins.length === 0) return [];
  const reaper = createReaper({ env: context.env, graceMs: GRACE_MS, afterMs: LONG_MS });
  try {
    const documents = await Promise.all(plugins.map((plugin) => documentOf(plugin, { project, root, context, reaper })));
    const faults = documents.flatMap((document) => ('fault' in document ? [document.fault] : []));
    if (faults.length > 0) throw pluginsFailed({ faults });
    return documents.flatMap((document) => ('additions' in document ? [document.additions] : []));
  } finally {
    reaper.close();
  }
}

async function documentOf(plugin: Plugin, host: PluginHost): Promise<PluginDocument> {
  const ended = await run(plugin, host);
  const failure = failureOf(ended, host.context);
  if (failure === undefined) return readPluginDocument(plugin.name, ended.stdout.toString());
  const complaint = ended.stderr.toString().trim().slice(0, MOST_COMPLAINT);
  const words = `plugin ${JSON.stringify(plugin.name)} failed: ${failure}`;
  return { fault: complaint === '' ? words : `${words}\n${complaint}` };
}

function run(plugin: Plugin, { project, root, context, reaper }: PluginHost): Promise<CapturedEnd> {
  const { operation, workdir } = plugin;
  const argv = operation?.kind === 'command' ? operation.argv : (['/bin/sh', '-c', operation?.script ?? ''] as const);
  const request = {
    argv,
    origin: 'project',
    cwd: resolve(root, workdir),
    env: environmentOf(plugin, { project, root, context }),
    marker: 'bach-plugin',
    graceMs: GRACE_MS,
    timeoutMs: LIMIT_MS,
    maxOutputBytes: MOST_OUTPUT,
    signal: context.stop.graceful,
    reaper,
  } as const;
  return runToEnd(request, context);
}

function environmentOf(plugin: Plugin, { project, root, context }: Omit<PluginHost, 'reaper'>): Readonly<Record<string, string>> {
  const own = Object.fromEntries(plugin.environment.map(({ name, value }) => [name, value]));
  return {
    ...definedVariables(context.env),
    BACH_PLUGIN_NAME: plugin.name,
    BACH_PROJECT_ROOT: root,
    BACH_PLUGIN_INPUTS: inputPaths(plugin.inputs, project.inputs, project.resources).join('\n'),
    BACH_PLUGIN_SOURCES: JSON.stringify(Object.fromEntries(plugin.sources)),
    ...own,
  };
}

/** Nothing when it ended well. */
function failureOf({ end, cut }: CapturedEnd, context: VerbContext): string | undefined {
  if (cut?.reason === 'timeout') return `timed out after ${formatDuration(BigInt(LIMIT_MS) * 1_000_000n)}`;
  if (cut?.reason === 'too-much-output') return `it printed more than ${MOST_OUTPUT} bytes`;
  if (cut !== undefined) return stoppedBy(context);
  if (end.kind === 'exited') return end.code === 0 ? undefined : `exit status ${end.code}`;
  return end.kind === 'signalled' ? `ended by ${end.signal}` : end.error.message;
}
