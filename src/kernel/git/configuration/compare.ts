import { snapshotConfiguration, type ConfigurationSnapshot } from './snapshot.ts';
import type { ConfigurationItem, ItemRole } from './items.ts';
import { parseConfig, settingName, type Setting } from './config-text.ts';
import type { Repository } from '../contract.ts';
import { repositoryTampered } from '../errors.ts';

/** One path that is not as it was. */
export interface ConfigurationChange {
  /** Absolute. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
  /**
   * What it could make git do: start programs, work on another repository or history, overlook files. `none`: only
   * settings that do nothing of this (where a branch is pushed to, a person's name). `part-of-the-work`: a hook that is
   * a file of the checkout, which no command of ours starts but `runCommitHooks`.
   */
  readonly effect: 'runs-programs' | 'leads-elsewhere' | 'hides-files' | 'part-of-the-work' | 'none';
  /** Settings that differ, as `core.fsmonitor`; empty for other files. Values may be secrets and are not told. */
  readonly settings: readonly string[];
}

const EFFECTS: Readonly<Record<ItemRole, ConfigurationChange['effect']>> = {
  'settings': 'runs-programs',
  'hook': 'runs-programs',
  'hook-of-the-tree': 'part-of-the-work',
  'attributes': 'runs-programs',
  'place': 'leads-elsewhere',
  'selection': 'hides-files',
};

/**
 * What changed since the snapshot was taken, by plain file reads: no git runs.
 *
 * @example
 * const before = await snapshotConfiguration(repository);
 * await letTheAgentWork();
 * const changes = await compareConfiguration(repository, before);
 */
export async function compareConfiguration(
  repository: Repository,
  before: ConfigurationSnapshot,
): Promise<readonly ConfigurationChange[]> {
  const after = await snapshotConfiguration(repository);
  if (after.digest === before.digest) return [];
  const old = byPath(before);
  const current = byPath(after);
  return [...new Set([...old.keys(), ...current.keys()])].sort().flatMap((path) => {
    const change = changeAt(path, { was: old.get(path), is: current.get(path) });
    return change === undefined ? [] : [change];
  });
}

/**
 * Throws `repository-tampered`, naming the files, when something changed that could make git do anything else than
 * before. To be called before the first git command after an agent had write access. Hooks that are files of the
 * checkout count only on demand: to change them is work like any other, until they are to be run.
 */
export async function assertUnchanged(
  repository: Repository,
  before: ConfigurationSnapshot,
  { hooksOfTheTree = 'part-of-the-work' }: { readonly hooksOfTheTree?: 'part-of-the-work' | 'count' } = {},
): Promise<void> {
  const changes = await compareConfiguration(repository, before);
  const counts = hooksOfTheTree === 'count';
  const grave = changes.filter(({ effect }) => effect !== 'none' && (counts || effect !== 'part-of-the-work'));
  if (grave.length === 0) return;
  throw repositoryTampered({ where: repository.topLevel ?? repository.gitDir, files: grave.map(describeChange) });
}

function describeChange({ path, change, settings }: ConfigurationChange): string {
  const names = settings.length === 0 ? '' : ` (${settings.join(', ')})`;
  return `${JSON.stringify(path).slice(1, -1)} ${change}${names}`;
}

function byPath({ items }: ConfigurationSnapshot): Map<string, ConfigurationItem> {
  return new Map(items.map((item) => [item.path, item]));
}

interface Sides {
  readonly was: ConfigurationItem | undefined;
  readonly is: ConfigurationItem | undefined;
}

function changeAt(path: string, { was, is }: Sides): ConfigurationChange | undefined {
  const role = (is ?? was)?.role;
  if (role === undefined || isSame(was, is)) return undefined;
  const settings = role === 'settings' ? changedSettings(was, is) : [];
  const isHarmless = role === 'settings' && settings !== undefined && settings.every(isInert);
  return {
    path,
    change: changeWord({ was, is }),
    effect: isHarmless ? 'none' : EFFECTS[role],
    settings: (settings ?? []).map(settingName).filter((name, at, all) => all.indexOf(name) === at),
  };
}

function changeWord({ was, is }: Sides): ConfigurationChange['change'] {
  if (was === undefined) return 'added';
  return is === undefined ? 'removed' : 'changed';
}

function isSame(one: ConfigurationItem | undefined, other: ConfigurationItem | undefined): boolean {
  return (
    one?.type === other?.type &&
    one?.hash === other?.hash &&
    one?.target === other?.target &&
    one?.executable === other?.executable
  );
}

/** `undefined` when it cannot be said for both sides, so that anything may have changed. */
function changedSettings(was: ConfigurationItem | undefined, is: ConfigurationItem | undefined): readonly Setting[] | undefined {
  const isPlain = [was, is].every((item) => item === undefined || item.type === 'file');
  const old = settingsOf(was);
  const current = settingsOf(is);
  if (!isPlain || old === undefined || current === undefined) return undefined;
  const oldKeys = old.map(keyOf);
  const currentKeys = current.map(keyOf);
  const gone = old.filter((setting) => countOf(currentKeys, setting) < countOf(oldKeys, setting));
  const come = current.filter((setting) => countOf(oldKeys, setting) < countOf(currentKeys, setting));
  const all = [...gone, ...come];
  // The same settings in another order: the last one wins in git, so that the order counts.
  const isReordered = all.length === 0 && oldKeys.join('\n') !== currentKeys.join('\n');
  return isReordered ? current : all;
}

function countOf(keys: readonly string[], setting: Setting): number {
  const key = keyOf(setting);
  return keys.filter((candidate) => candidate === key).length;
}

function settingsOf(item: ConfigurationItem | undefined): readonly Setting[] | undefined {
  if (item === undefined) return [];
  return item.text === undefined ? undefined : parseConfig(item.text);
}

function keyOf({ section, subsection, key, value }: Setting): string {
  return JSON.stringify([section, subsection, key, value]);
}

const INERT_OF_BRANCHES = ['remote', 'merge', 'rebase', 'description', 'pushremote'];

/** What `git branch` and a person's own set-up write, and what no command of ours reads. */
function isInert({ section, subsection, key }: Setting): boolean {
  if (section === 'branch') return subsection !== undefined && INERT_OF_BRANCHES.includes(key);
  return section === 'user' && subsection === undefined && ['name', 'email'].includes(key);
}
