import type { VerbContext } from '../../kernel/terminal/index.ts';
import type { Project } from '../model/index.ts';
import { fileHash, promptProblem } from '../store/index.ts';
import type { ProjectWorld } from './load-project.ts';
import type { FactWorld } from './project-source.ts';

/** The world as it is: what every verb loads its project with that works with targets. */
export function projectWorld(context: VerbContext): ProjectWorld {
  return { ...factWorld(context), promptProblem, runGraphPlugins: (project, root) => graphAdditions(project, root, context), usesKept: true };
}

export function factWorld({ stop }: VerbContext): FactWorld {
  return { fileHash: (paths, root, statePath) => fileHash(paths, { root, statePath, stop: stop.graceful }) };
}

/** For verbs that look at what is recorded: they need to know where that is, and neither plugins nor prompts. */
export const RECORDS_WORLD: Partial<ProjectWorld> = {
  fileHash: (paths, root, statePath) => fileHash(paths, { root, statePath }),
  usesKept: true,
};

/** Running programs takes a great part of ours, which a project without plugins need not load. */
async function graphAdditions(project: Project, root: string, context: VerbContext): ReturnType<ProjectWorld['runGraphPlugins']> {
  if (![...project.plugins.values()].some(({ type }) => type === 'graph')) return [];
  const { runGraphPlugins } = await import('../act/index.ts');
  return runGraphPlugins(project, root, context);
}
