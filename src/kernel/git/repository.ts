import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { containedPath } from '../paths/index.ts';
import { callAnywhere } from './call.ts';
import type { Git, Repository } from './contract.ts';
import { noCheckout, repositoryElsewhere } from './errors.ts';
import { requireText } from './text.ts';

/**
 * Finds the repository that `path` (an existing folder, in a checkout or in a git folder) belongs to and pins its
 * places: later calls go there, whatever a `.git` file in the checkout says then.
 * Throws `not-a-repository`, `repository-not-owned`, `repository-elsewhere`, `not-found` and the like.
 *
 * @example
 * const repository = await openRepository(git, '/project');
 * const tip = await readRef(repository, 'refs/heads/main');
 */
export async function openRepository(git: Git, path: string): Promise<Repository> {
  const folder = realPath(path);
  const ask = (...args: readonly string[]): Promise<string> => askIn(git, { folder, args });
  const [inside, bare, objectFormat, gitDir = '', commonDir = ''] = await factsOf(ask);
  const places = { gitDir: realpathSync(gitDir), commonDir: realpathSync(resolve(folder, commonDir)) };
  const topLevel = inside === 'true' ? realpathSync(await ask('--show-toplevel')) : undefined;
  requireHere(folder, { topLevel, ...places });
  return {
    git,
    topLevel,
    ...places,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    bare: bare === 'true',
    key: createHash('sha256').update(places.commonDir).digest('hex').slice(0, 16),
  };
}

/** The root of the checkout. Throws `no-checkout`. */
export function checkoutOf(repository: Repository): string {
  if (repository.topLevel === undefined) throw noCheckout({ path: repository.gitDir });
  return repository.topLevel;
}

/** The file `name` in the folder of this checkout's own state. */
export function inGitDir({ gitDir }: Repository, name: string): string {
  return join(gitDir, name);
}

/** Throws `bad-git-text`, and what the system refuses, with the path. */
export function realPath(path: string): string {
  try {
    return realpathSync(requireText(path));
  } catch (error) {
    throw describeSystemError(error, { action: 'open', path });
  }
}

const FACTS = ['--is-inside-work-tree', '--is-bare-repository', '--show-object-format'];
const PLACES = ['--absolute-git-dir', '--git-common-dir'];

/** In one call, unless more lines come than were asked for: then a path has a line break, and each is asked for alone. */
async function factsOf(ask: (...args: readonly string[]) => Promise<string>): Promise<readonly string[]> {
  const lines = (await ask(...FACTS, ...PLACES)).split('\n');
  if (lines.length === FACTS.length + PLACES.length) return lines;
  return [...lines.slice(0, FACTS.length), ...(await Promise.all(PLACES.map((place) => ask(place))))];
}

async function askIn(git: Git, { folder, args }: { folder: string; args: readonly string[] }): Promise<string> {
  const { stdout } = await callAnywhere(git, { what: 'find a repository', args: ['rev-parse', ...args], cwd: folder });
  return stdout.toString().replace(/\n$/, '');
}

/** `core.worktree` can make a folder the checkout of a repository that was only found in it. */
function requireHere(folder: string, { topLevel, gitDir, commonDir }: Pick<Repository, 'topLevel' | 'gitDir' | 'commonDir'>): void {
  const homes = topLevel === undefined ? [gitDir, commonDir] : [topLevel];
  if (homes.some((home) => containedPath(home, folder).inside)) return;
  throw repositoryElsewhere({ path: folder, topLevel: topLevel ?? gitDir });
}
