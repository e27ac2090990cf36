import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import { findGit, openRepository, pathBytes, readHead, readStatus, type GitHost, type Repository } from '../../kernel/git/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { isOwnState, type FactAnswer, type FactRequest } from '../model/index.ts';
import type { FactPlace } from './project-source.ts';

const SHORT = 12;

/** What git says to an expression of the Bachfile, of the repository that the root is in. */
export async function gitAnswer(
  kind: Exclude<FactRequest['kind'], 'file-hash'>,
  place: FactPlace,
  { clock, env }: VerbContext,
): Promise<FactAnswer> {
  try {
    const host: GitHost = { clock, env, marker: 'bach-load' };
    const repository = await openRepository(await findGit(host), place.root);
    return kind === 'git-short-sha' ? await shortSha(repository) : await dirtySuffix(repository, place);
  } catch (error) {
    if (isDroverError(error)) return { failure: error.message };
    throw error;
  }
}

async function shortSha(repository: Repository): Promise<FactAnswer> {
  const head = await readHead(repository);
  return head.kind === 'unborn' ? { failure: 'the repository has no commit yet' } : { value: head.id.slice(0, SHORT) };
}

/** What runs leave is no change of the person's: a value that it moved would make the second run differ from the first. */
async function dirtySuffix(repository: Repository, { root, statePath }: FactPlace): Promise<FactAnswer> {
  const status = await readStatus(repository);
  const folder = realpathSync(root);
  const { topLevel = folder } = repository;
  const isDirty = status.some(({ path }) => {
    const name = pathBytes(path).toString();
    // A folder that git does not know is told as one, with a slash.
    return !isOwnState(relative(folder, resolve(topLevel, name)) + (name.endsWith('/') ? '/' : ''), statePath);
  });
  return { value: isDirty ? '-dirty' : '' };
}
