import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ObjectId } from '../../../src/kernel/git/index.ts';
import { landChange, type Change, type LandOutcome, type Strategy } from '../../../src/workspace/index.ts';
import { commitInCheckout, runGit, WHO, type Stage } from '../../support/git-repository.ts';

export const MAIN = 'refs/heads/main';
export const STRATEGIES: readonly Strategy[] = ['squash', 'merge', 'ff', 'rebase'];

/** What a person or an agent did on a branch of its own; the checkout is on main again afterwards. */
export function commitOnBranch(folder: string, files: Readonly<Record<string, string>>, { branch = 'feature', from = 'main' } = {}): ObjectId {
  const isThere = runGit(folder, ['branch', '--list', branch]) !== '';
  runGit(folder, isThere ? ['checkout', '-q', branch] : ['checkout', '-q', '-b', branch, from]);
  const commit = commitInCheckout(folder, files, `work on ${Object.keys(files).join(' ')}`);
  runGit(folder, ['checkout', '-q', 'main']);
  return commit;
}

export function changeOf(tip: ObjectId, more: Partial<Change> = {}): Change {
  return { key: 'unit-1', tip, message: 'Land the work\n', author: { name: 'Agent', email: 'agent@drover.test' }, ...more };
}

export function land({ repository }: Stage, change: Change, strategy: Strategy = 'squash'): Promise<LandOutcome> {
  return landChange(repository, { ref: MAIN, change, strategy, who: WHO, signal: AbortSignal.timeout(60_000) });
}

/** Files and links of a checkout by path; what is in `.git` is not among them. */
export function filesIn(folder: string, below = ''): Readonly<Record<string, string>> {
  const entries = readdirSync(join(folder, below)).filter((name) => below !== '' || name !== '.git');
  return Object.assign({}, ...entries.map((name) => entryOf(folder, join(below, name)))) as Record<string, string>;
}

function entryOf(folder: string, path: string): Readonly<Record<string, string>> {
  const stats = lstatSync(join(folder, path));
  if (stats.isDirectory()) return filesIn(folder, path);
  return { [path]: stats.isSymbolicLink() ? `-> ${readlinkSync(join(folder, path))}` : readFileSync(join(folder, path), 'utf8') };
}

export function statusOf(folder: string): readonly string[] {
  const lines = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: folder, encoding: 'utf8' });
  return lines.split('\n').filter((line) => line !== '');
}
