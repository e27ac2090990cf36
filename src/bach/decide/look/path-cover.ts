import { cleanPath, relativePath } from '../../../kernel/paths/index.ts';
import { compileGlob } from '../../../kernel/text/index.ts';
import { climbsOut } from '../../model/index.ts';

/** The paths as seen from the root, by their text alone, sorted, each once. One outside the root stays as it is. */
export function pathsFromRoot(paths: readonly string[], root: string): readonly string[] {
  return [...new Set(paths.map((path) => pathFromRoot(path, root)))].toSorted();
}

export function pathFromRoot(path: string, root: string): string {
  const clean = cleanPath(path);
  const inside = relativePath(root, clean.startsWith('/') ? clean : `${root}/${clean}`);
  return inside === undefined || climbsOut(inside) ? clean : inside;
}

/** True for an entry of `inputs` or `outputs` that stands for one of the paths, by its text alone. */
export type Covers = (entry: string) => boolean;

/** Entries are paths, folders that stand for all beneath them, and globs; all as `pathsFromRoot` gives them. */
export function coverOf(paths: readonly string[]): Covers {
  const trails = new Set(paths.flatMap(trailOf));
  const known = new Map<string, boolean>();
  const decide = (entry: string): boolean => trails.has(entry) || someMatch(entry, trails);
  return (entry) => {
    const answer = known.get(entry) ?? decide(entry);
    known.set(entry, answer);
    return answer;
  };
}

/** A path and the folders above it, up to the root. */
function trailOf(path: string): readonly string[] {
  if (climbsOut(path)) return [path];
  const trail = [path];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) trail.push(path.slice(0, end));
  return [...trail, path.startsWith('/') ? '/' : '.'];
}

/** A glob that matches a folder stands for all beneath it, as the folder itself would. */
function someMatch(entry: string, trails: ReadonlySet<string>): boolean {
  const glob = compileGlob(entry);
  return glob.isGlob && [...trails].some((path) => path !== '.' && glob.matches(path));
}
