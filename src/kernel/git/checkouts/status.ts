import { callGit } from '../call.ts';
import type { Repository } from '../contract.ts';
import { nulSeparated } from '../nul.ts';
import type { GitPath } from '../path.ts';
import { checkoutOf } from '../repository.ts';

export type FileChange = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type-changed';

/** One path that is not as the commit has it. A folder that is a repository of its own ends with a slash. */
export type StatusEntry = { readonly path: GitPath } & (
  | {
      readonly kind: 'changed';
      /** Between the commit and the index. */
      readonly staged: FileChange | undefined;
      /** Between the index and the file. */
      readonly unstaged: FileChange | undefined;
      /** Where it was before, for what was renamed or copied. */
      readonly source: GitPath | undefined;
    }
  /** Left by a merge. */
  | { readonly kind: 'conflicted' }
  | { readonly kind: 'untracked' }
  | { readonly kind: 'ignored' }
);

const CHANGES: Readonly<Record<string, FileChange>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};
/** Fields before the path, by the kind of the line. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 };
/** `told` names each file; `by-folder` only the folder, with a slash, where that is ignored itself. */
const IGNORED = { 'left-out': 'no', told: 'traditional', 'by-folder': 'matching' } as const;
const LARGEST_STATUS = 256 * 2 ** 20;

/**
 * What differs in a checkout from its commit; the index is not written. Submodules count by their commit alone, nothing
 * is run in them. Clean filters of the configuration run on files whose stamps changed.
 * It believes the index, in which an agent may have marked files as unchanged: `snapshotFiles` can doubt it.
 * Throws `no-checkout`, `git-failed`.
 */
export async function readStatus(
  repository: Repository,
  { ignored = 'left-out' }: { readonly ignored?: keyof typeof IGNORED } = {},
): Promise<readonly StatusEntry[]> {
  const { stdout } = await callGit(repository, {
    what: 'look for changes',
    cwd: checkoutOf(repository),
    args: [
      'status',
      '--porcelain=v2',
      '-z',
      '--untracked-files=all',
      '--ignore-submodules=dirty',
      '--find-renames',
      `--ignored=${IGNORED[ignored]}`,
    ],
    maxBytes: LARGEST_STATUS,
  });
  return parseStatus(nulSeparated(stdout));
}

function parseStatus(fields: readonly GitPath[]): readonly StatusEntry[] {
  const entries: StatusEntry[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const line = fields[at] ?? '';
    const isMove = line.startsWith('2');
    entries.push(entryOf(line, isMove ? fields[at + 1] : undefined));
    if (isMove) at += 1;
  }
  return entries;
}

function entryOf(line: string, source: GitPath | undefined): StatusEntry {
  const kind = line.charAt(0);
  const path = afterFields(line, FIELDS_BEFORE_PATH[kind] ?? 0);
  if (kind === '?') return { path, kind: 'untracked' };
  if (kind === '!') return { path, kind: 'ignored' };
  if (kind === 'u') return { path, kind: 'conflicted' };
  return { path, kind: 'changed', staged: CHANGES[line.charAt(2)], unstaged: CHANGES[line.charAt(3)], source };
}

/** A path may hold blanks itself. */
function afterFields(line: string, count: number): GitPath {
  let start = 0;
  for (let field = 0; field < count; field += 1) start = line.indexOf(' ', start) + 1;
  return line.slice(start) as GitPath;
}
