import { changedPaths, displayPath, readBlob, type GitPath, type PathChange, type Repository, type TreePair } from '../../kernel/git/index.ts';
import { cleanPath } from '../../kernel/paths/index.ts';

const LONGEST_TARGET = 64 * 1024;

/** The symbolic links that a change brings or turns, and that lead out of the repository, as `path -> target`. */
export async function linksLeadingOut(repository: Repository, trees: TreePair): Promise<readonly string[]> {
  const links = (await changedPaths(repository, trees)).filter(isLink);
  const told = await Promise.all(links.map(async ({ path, after }) => tellIfOut(path, await readBlob(repository, after.id, { maxBytes: LONGEST_TARGET }))));
  return told.filter((text) => text !== undefined);
}

type Link = PathChange & { readonly after: NonNullable<PathChange['after']> };

function isLink(change: PathChange): change is Link {
  return change.after?.kind === 'link';
}

function tellIfOut(path: GitPath, target: Buffer): string | undefined {
  const text = target.toString('latin1');
  const reached = cleanPath(`${path}/../${text}`);
  const isOut = text.startsWith('/') || reached === '..' || reached.startsWith('../');
  return isOut ? `${displayPath(path)} -> ${displayPath(text as GitPath)}` : undefined;
}
