import { isDroverError } from '../../kernel/errors/index.ts';
import { findGit, openRepository, pathBytes, readStatus, type GitPath, type Repository, type StatusEntry } from '../../kernel/git/index.ts';
import { cleanPath, joinPath, relativePath } from '../../kernel/paths/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { affectedTargets, type AffectedTarget } from '../decide/index.ts';
import { canonicalFile } from '../store/index.ts';
import { noChangesKnown } from './errors.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

export interface AffectedInput extends ProjectInput {
  /** Relative to the root unless absolute; none for what git sees as changed. */
  readonly paths: readonly string[];
}

/** Matching inputs that a line shows. */
const SHOWN = 3;

/** `bach affected`: the targets that changed files concern; it runs nothing but graph plugins. */
export async function affectedVerb(input: AffectedInput, context: VerbContext): Promise<VerbResult> {
  const { project, place } = await loadProject(input, context, projectWorld(context));
  const paths = input.paths.length > 0 ? input.paths : await changedPaths(place.root, context);
  const affected = affectedTargets(project, paths, place.root);
  const targets = affected.map(({ target, inputs }) => ({ target, count: inputs.length, inputs }));
  return { exit: 0, json: { paths: paths.map(cleanPath), targets }, text: affected.map(lineOf).join('\n') };
}

function lineOf({ target, inputs }: AffectedTarget): string {
  return `${target} ${inputs.length} ${inputs.slice(0, SHOWN).join(', ')}`;
}

/** From the root, also where the repository begins above it; what lies outside the root climbs out of it. */
async function changedPaths(root: string, context: VerbContext): Promise<readonly string[]> {
  const { repository, entries } = await statusOf(root, context);
  const above = relativePath(canonicalFile('.', root), repository.topLevel ?? root) ?? '.';
  return [...new Set(entries.flatMap(pathsOf).map((path) => joinPath(above, textOf(path))))].toSorted();
}

interface Status {
  readonly repository: Repository;
  readonly entries: readonly StatusEntry[];
}

async function statusOf(root: string, { clock, env, stop }: VerbContext): Promise<Status> {
  try {
    const git = await findGit({ clock, env, marker: 'bach-affected', signal: stop.graceful });
    const repository = await openRepository(git, root);
    return { repository, entries: await readStatus(repository) };
  } catch (error) {
    if (isDroverError(error)) throw noChangesKnown({ reason: error.message }, error);
    throw error;
  }
}

/** Who read the file under its old name is concerned as well. */
function pathsOf(entry: StatusEntry): readonly GitPath[] {
  return entry.kind === 'changed' && entry.source !== undefined ? [entry.path, entry.source] : [entry.path];
}

function textOf(path: GitPath): string {
  return pathBytes(path).toString();
}
