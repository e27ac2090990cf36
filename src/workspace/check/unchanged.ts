import { existsSync } from 'node:fs';
import {
  changedPaths,
  compareConfiguration,
  displayPath,
  snapshotConfiguration,
  snapshotFiles,
  type ConfigurationSnapshot,
  type Repository,
} from '../../kernel/git/index.ts';
import { onOneLine } from '../../kernel/text/index.ts';
import type { Check, CheckPlace, Verdict } from '../contract.ts';

/** Tells what is not as the tree has it. */
export interface FilesWatch {
  /** Paths, for a person to read, as it stood before the check. */
  readonly before: readonly string[];
  /** The same once more, to be called after it. */
  readonly after: () => Promise<readonly string[]>;
}

export type FilesGuard = (place: CheckPlace, signal: AbortSignal) => Promise<FilesWatch>;

const MOST_NAMED = 5;

/**
 * The same check, which fails when the files are not those of the tree before it runs (it does not run then) or after
 * it: a check cannot bless what it altered itself.
 *
 * @example
 * const honest = unchanged(commandCheck(command), guardCheckout(landing));
 */
export function unchanged(check: Check, guard: FilesGuard): Check {
  return { name: check.name, run: (place, signal) => runGuarded({ check, guard }, place, signal) };
}

interface Guarded {
  readonly check: Check;
  readonly guard: FilesGuard;
}

async function runGuarded({ check, guard }: Guarded, place: CheckPlace, signal: AbortSignal): Promise<Verdict> {
  signal.throwIfAborted();
  const watch = await guard(place, signal);
  if (watch.before.length > 0) return notTheTree(check, watch.before);
  const verdict = await check.run(place, signal);
  const changed = await watch.after();
  signal.throwIfAborted();
  if (changed.length === 0) return verdict;
  return { ...verdict, outcome: 'failed', summary: `${check.name} changed the files that it looks at: ${named(changed)}` };
}

function notTheTree({ name }: Check, paths: readonly string[]): Verdict {
  const summary = `${name} was not run: the files are not those that are to be checked: ${named(paths)}`;
  return { check: name, outcome: 'failed', summary, detail: '', log: undefined };
}

function named(paths: readonly string[]): string {
  const more = paths.length - MOST_NAMED;
  return onOneLine(paths.slice(0, MOST_NAMED).join(', ')) + (more > 0 ? ` and ${more} more` : '');
}

/**
 * Looks at all files of a checkout that are not ignored, by their content and not by what the index remembers of them;
 * and at its configuration first, since a check runs what agents wrote: where that changed, git is not started.
 */
export function guardCheckout(checkout: Repository): FilesGuard {
  return async ({ tree }) => {
    const configuration = await snapshotConfiguration(checkout);
    const { missed, paths } = await differences(checkout, tree);
    return { before: paths, after: () => changesSince(checkout, { tree, configuration, missed }) };
  };
}

interface Before {
  readonly tree: string;
  readonly configuration: ConfigurationSnapshot;
  /** What git cannot take in is not in the tree, and was there before. */
  readonly missed: ReadonlySet<string>;
}

async function changesSince(checkout: Repository, { tree, configuration, missed }: Before): Promise<readonly string[]> {
  if (checkout.topLevel === undefined || !existsSync(checkout.topLevel)) return ['all of them are gone'];
  const settings = await compareConfiguration(checkout, configuration);
  const grave = settings.filter(({ effect }) => effect !== 'none' && effect !== 'part-of-the-work');
  if (grave.length > 0) return grave.map(({ path, change }) => `${path} ${change}`);
  const now = await differences(checkout, tree);
  return [...now.paths, ...[...now.missed].filter((path) => !missed.has(path))];
}

async function differences(checkout: Repository, tree: string): Promise<{ readonly paths: readonly string[]; readonly missed: ReadonlySet<string> }> {
  const files = await snapshotFiles(checkout, { index: 'doubted' });
  const changes = files.tree === tree ? [] : await changedPaths(checkout, { before: tree, after: files.tree });
  return { paths: changes.map(({ path }) => displayPath(path)), missed: new Set(files.missed.map(displayPath)) };
}
