import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import type { Repository } from '../../kernel/git/index.ts';
import type { WorkspaceRefusal } from '../contract.ts';

export function refused(reason: WorkspaceRefusal['reason'], said: string): WorkspaceRefusal {
  return { kind: 'refused', reason, said };
}

/** What a repository says no with, by the codes of `kernel/git`; anything else is nobody's answer. */
const REASONS: Readonly<Record<string, WorkspaceRefusal['reason']>> = {
  'seed-missing': 'seed-missing',
  'git-locked': 'busy',
  'worktrees-busy': 'busy',
  'place-taken': 'place-taken',
  'object-missing': 'repository-unfit',
  'git-failed': 'repository-unfit',
  'ref-broken': 'repository-unfit',
  'ref-is-symbolic': 'branch-exists',
};

/** What the person can do stands in it. */
export function refusalOf(error: unknown, { commonDir }: Repository): WorkspaceRefusal | undefined {
  const reason = isDroverError(error) ? REASONS[error.code] : undefined;
  if (!isDroverError(error) || reason === undefined) return undefined;
  const isPartial = error.code === 'git-failed' && hasPromises(join(commonDir, 'objects/pack'));
  const remedy = isPartial ? `it is a partial clone: bring its objects here with git -C ${commonDir} fetch --refetch --no-filter` : error.remedy;
  return refused(reason, `${error.message}; ${remedy}`);
}

/** Packs of a partial clone have a file beside them that says so: nothing is fetched for what they lack. */
function hasPromises(packs: string): boolean {
  try {
    return readdirSync(packs).some((name) => name.endsWith('.promisor'));
  } catch {
    // Without packs it is none.
    return false;
  }
}
