import { existsSync } from 'node:fs';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';

export interface Worktree {
  /** As git knows it: absolute. */
  readonly path: string;
  /** `undefined` for a bare repository and on a branch without a commit. */
  readonly head: ObjectId | undefined;
  /** In full; `undefined` when HEAD is detached. */
  readonly branch: string | undefined;
  readonly bare: boolean;
  /** Somebody asked git to leave it alone. */
  readonly locked: boolean;
  /** Its folder is gone. */
  readonly missing: boolean;
}

/** Before, a path with a line break cannot be told from two lines. */
const FIRST_MINOR_WITH_NUL = 36;

/** The main checkout first (for a bare repository its own folder), then the worktrees. */
export async function listWorktrees(repository: Repository): Promise<readonly Worktree[]> {
  const separated = repository.git.version.minor >= FIRST_MINOR_WITH_NUL;
  const args = ['worktree', 'list', '--porcelain', ...(separated ? ['-z'] : [])];
  const { stdout } = await callGit(repository, { what: 'list worktrees', args });
  const separator = separated ? '\0' : '\n';
  const blocks = stdout.toString().split(separator + separator);
  return blocks.filter((block) => block !== '').map((block) => worktreeOf(block.split(separator)));
}

function worktreeOf(lines: readonly string[]): Worktree {
  const value = (name: string): string | undefined => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const says = (name: string): boolean => lines.some((line) => line === name || line.startsWith(`${name} `));
  const path = value('worktree') ?? '';
  const head = value('HEAD');
  const bare = says('bare');
  const hasCommit = head !== undefined && !/^0+$/.test(head);
  return {
    path,
    head: hasCommit ? head : undefined,
    branch: value('branch'),
    bare,
    locked: says('locked'),
    missing: !bare && !existsSync(path),
  };
}
