import { join } from 'node:path';
import { ensureFolder, ensureFolderDurably } from '../../files/index.ts';
import { containedPath } from '../../paths/index.ts';
import type { Repository } from '../contract.ts';
import { receiptsInReach } from '../errors.ts';
import { realPath } from '../repository.ts';

/** Drover's own folder in the common git folder, where all checkouts find it, and agents in worktrees too. */
export function droverFolder({ commonDir }: Repository, ...names: readonly string[]): string {
  const folder = join(commonDir, 'drover', ...names);
  ensureFolder(folder, { root: commonDir });
  return folder;
}

/** The same for all checkouts of a repository. */
export function receiptsFile(repository: Repository): string {
  return join(placeOf(repository).folder, 'receipts.jsonl');
}

export async function ensureReceiptsFolder(repository: Repository): Promise<void> {
  const { folder, root } = placeOf(repository);
  await ensureFolderDurably(folder, { root });
}

function placeOf({ git, key, commonDir }: Repository): { readonly folder: string; readonly root: string } {
  const root = git.receiptsFolder;
  return root === undefined ? { folder: join(commonDir, 'drover'), root: commonDir } : { folder: join(root, key), root };
}

/** Throws `receipts-in-reach` unless receipts are kept outside of the repository and of this checkout. */
export function requireOutOfReach({ git, commonDir, topLevel = commonDir }: Repository): void {
  const folder = git.receiptsFolder === undefined ? commonDir : realPath(git.receiptsFolder);
  const isInReach = [commonDir, topLevel].some((home) => containedPath(home, folder).inside);
  if (isInReach) throw receiptsInReach({ path: folder, where: topLevel });
}
