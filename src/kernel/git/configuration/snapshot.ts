import { createHash } from 'node:crypto';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { containedPath } from '../../paths/index.ts';
import { lookAt, namesIn, type ConfigurationItem, type ItemRole } from './items.ts';
import { parseConfig, type Setting } from './config-text.ts';
import type { Repository } from '../contract.ts';
import { snapshotTooLarge } from '../errors.ts';

/** Everything in a repository that makes git run programs or leads it elsewhere, as it was at one moment. */
export interface ConfigurationSnapshot {
  /** Equal for equal items. */
  readonly digest: string;
  /** Sorted by path. JSON keeps them. */
  readonly items: readonly ConfigurationItem[];
}

const MOST_ITEMS = 2_000;
const DEEPEST_MODULE = 12;

/**
 * Reads the configuration of a repository (with what it includes), its hooks, attributes, exclusions, alternates, and
 * the pointers between its folders, also those of its submodules, with plain bounded file reads: no git runs.
 * Taken when an agent is let in. The person's own configuration outside the repository is not part of it.
 * Throws `configuration-too-large`, and what the system refuses.
 */
export async function snapshotConfiguration(repository: Repository): Promise<ConfigurationSnapshot> {
  const collector = new Collector(repository);
  await collector.repository();
  const items = collector.items();
  return { digest: createHash('sha256').update(JSON.stringify(items)).digest('hex'), items };
}

/** Places of one git folder that count, with what they do; the same for submodules. */
const COMMON: Readonly<Record<string, ItemRole>> = {
  'config': 'settings',
  'config.worktree': 'settings',
  'commondir': 'place',
  'gitdir': 'place',
  'shallow': 'place',
  'objects': 'place',
  'objects/info': 'place',
  'objects/info/alternates': 'place',
  'objects/info/http-alternates': 'place',
  'refs': 'place',
  'worktrees': 'place',
  'modules': 'place',
  'info': 'place',
  'info/grafts': 'place',
  'info/attributes': 'attributes',
  'info/exclude': 'selection',
  'info/sparse-checkout': 'selection',
};
const OF_ONE_CHECKOUT: Readonly<Record<string, ItemRole>> = {
  'config.worktree': 'settings',
  'commondir': 'place',
  'gitdir': 'place',
  'info/sparse-checkout': 'selection',
};

class Collector {
  readonly #repository: Repository;
  readonly #found = new Map<string, ConfigurationItem>();

  constructor(repository: Repository) {
    this.#repository = repository;
  }

  items(): readonly ConfigurationItem[] {
    return [...this.#found.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  async repository(): Promise<void> {
    const { topLevel, gitDir, commonDir } = this.#repository;
    if (topLevel !== undefined) await this.#look(join(topLevel, '.git'), 'place');
    if (gitDir !== commonDir) await this.#files(gitDir, OF_ONE_CHECKOUT);
    await this.#gitFolder(commonDir);
    await this.#modules(join(commonDir, 'modules'), 0);
  }

  async #gitFolder(folder: string): Promise<void> {
    await this.#files(folder, COMMON);
    await this.#hooks(join(folder, 'hooks'));
  }

  async #files(folder: string, roles: Readonly<Record<string, ItemRole>>): Promise<void> {
    for (const [name, role] of Object.entries(roles)) {
      const item = await this.#look(join(folder, name), role);
      if (item?.role === 'settings') await this.#followSettings(item);
    }
  }

  /** A submodule's git folder may lie in folders of its name: `modules/libs/parser`. */
  async #modules(folder: string, depth: number): Promise<void> {
    if (depth > DEEPEST_MODULE) return;
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      const item = await this.#look(path, 'place');
      if (item?.type !== 'folder') continue;
      const isGitFolder = (await this.#look(join(path, 'HEAD'), 'place')) !== undefined;
      if (isGitFolder) await this.#gitFolder(path);
      await this.#modules(isGitFolder ? join(path, 'modules') : path, depth + 1);
    }
  }

  async #hooks(folder: string): Promise<void> {
    const { topLevel } = this.#repository;
    const isOfTheTree = topLevel !== undefined && containedPath(topLevel, folder).inside && !this.#isInGitFolder(folder);
    const role = isOfTheTree ? 'hook-of-the-tree' : 'hook';
    await this.#look(folder, role);
    for (const name of await namesIn(folder)) {
      // Samples are not run.
      if (!name.endsWith('.sample')) await this.#look(join(folder, name), role);
    }
  }

  #isInGitFolder(path: string): boolean {
    const { gitDir, commonDir } = this.#repository;
    return [gitDir, commonDir].some((folder) => containedPath(folder, path).inside);
  }

  /** Whether a condition of `includeIf` holds now does not matter: it may hold for the next command. */
  async #followSettings({ path, text }: ConfigurationItem): Promise<void> {
    for (const setting of parseConfig(text ?? '') ?? []) {
      const target = this.#targetOf(setting, path);
      if (target === undefined) continue;
      if (target.role === 'hook') {
        await this.#hooks(target.path);
        continue;
      }
      const isNew = !this.#found.has(target.path);
      const item = await this.#look(target.path, target.role);
      if (isNew && item?.role === 'settings') await this.#followSettings(item);
    }
  }

  #targetOf({ section, key, value }: Setting, file: string): { readonly path: string; readonly role: ItemRole } | undefined {
    if (value === undefined || value === '') return undefined;
    const { topLevel, commonDir } = this.#repository;
    const name = `${section}.${key}`;
    if (name === 'include.path' || name === 'includeif.path') return { path: this.#expand(value, dirname(file)), role: 'settings' };
    const base = topLevel ?? commonDir;
    if (name === 'core.hookspath') return { path: this.#expand(value, base), role: 'hook' };
    if (name === 'core.attributesfile') return { path: this.#expand(value, base), role: 'attributes' };
    if (name === 'core.excludesfile') return { path: this.#expand(value, base), role: 'selection' };
    return undefined;
  }

  #expand(path: string, base: string): string {
    const home = this.#repository.git.env['HOME'];
    if (path.startsWith('~/') && home !== undefined) return join(home, path.slice(2));
    return isAbsolute(path) ? resolve(path) : resolve(base, path);
  }

  async #look(path: string, role: ItemRole): Promise<ConfigurationItem | undefined> {
    const known = this.#found.get(path);
    if (known !== undefined) return known;
    const item = await lookAt(path, role);
    if (item === undefined) return undefined;
    this.#found.set(path, item);
    if (this.#found.size > MOST_ITEMS) throw snapshotTooLarge({ path: this.#repository.commonDir, most: MOST_ITEMS });
    return item;
  }
}
