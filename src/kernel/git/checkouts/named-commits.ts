import { readBytes } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { placeOf, surveyFolder } from './survey.ts';
import type { GitPath } from '../path.ts';

const MOST_BYTES = 64 * 2 ** 20;
const MOST_OUTPUT = 256 * 2 ** 20;
const NOT_TEXT = /^(?:modules\/|objects\/|index|sharedindex)/;
/** What other checkouts and branches hold stays when this one goes. */
const HELD = ['--branches', '--tags', '--remotes', '--glob=refs/drover'];

/**
 * The commits that only the git folder of a worktree still knows of: its log of HEAD, a merge or a rebase under way, a
 * bisection, refs of its own. Those are left out that a branch, HEAD or another of them has in its history; `held` names
 * what else holds commits after it is gone.
 */
export async function namedCommits(worktree: Repository, held: readonly string[] = HELD): Promise<readonly ObjectId[]> {
  const commits = await commitsAmong(worktree, await idsIn(worktree));
  if (commits.length === 0) return [];
  const args = ['rev-list', '--parents', '--stdin', '--not', ...held];
  const call = { what: 'compare histories', args, input: lines(commits), answers: [0, 128], maxBytes: MOST_OUTPUT, checkout: 'none' } as const;
  const { code, stdout } = await callGit(worktree, call);
  // In a damaged history all of them count: too much is kept rather than too little.
  if (code !== 0) return commits;
  const families = stdout.toString('latin1').split('\n').map((line) => line.split(' '));
  const listed = new Set(families.map(([id = '']) => id));
  const parents = new Set(families.flatMap(([, ...rest]) => rest));
  return commits.filter((id) => listed.has(id) && !parents.has(id));
}

async function idsIn({ gitDir, objectFormat }: Repository): Promise<readonly ObjectId[]> {
  const { entries } = await surveyFolder(gitDir);
  const pattern = objectFormat === 'sha256' ? /\b[0-9a-f]{64}\b/g : /\b[0-9a-f]{40}\b/g;
  const found = new Set<ObjectId>();
  for (const [path, { kind }] of entries) {
    if (kind !== 'file' || NOT_TEXT.test(path)) continue;
    for (const [id] of textAt(gitDir, path).matchAll(pattern)) found.add(id);
  }
  return [...found];
}

function textAt(folder: string, path: GitPath): string {
  return Buffer.from(readBytes(placeOf(folder, path).toString(), { maxBytes: MOST_BYTES })).toString('latin1');
}

async function commitsAmong(worktree: Repository, ids: readonly ObjectId[]): Promise<readonly ObjectId[]> {
  if (ids.length === 0) return [];
  const args = ['cat-file', '--batch-check'];
  const call = { what: 'look for commits', args, input: lines(ids.map((id) => `${id}^{commit}`)), maxBytes: MOST_OUTPUT, checkout: 'none' } as const;
  const answers = (await callGit(worktree, call)).stdout.toString('latin1').split('\n');
  return [...new Set(answers.flatMap((line) => (line.split(' ')[1] === 'commit' ? [line.slice(0, line.indexOf(' '))] : [])))];
}

function lines(ids: readonly ObjectId[]): string {
  return ids.map((id) => `${id}\n`).join('');
}
