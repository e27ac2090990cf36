import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import {
  displayPath,
  findGit,
  openRepository,
  pathBytes,
  readHead,
  readStatus,
  type GitHost,
  type GitPath,
  type Repository,
  type StatusEntry,
} from '../../kernel/git/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { isOwnState, type EnvironmentEntry, type Target } from '../model/index.ts';
import type { StatePlace } from '../store/index.ts';

/** A variable of more than 128 KiB keeps every program from being started. */
const LONGEST_LIST = 96 * 1024;

const BRANCH = 'refs/heads/';

const NAMES = 'BACH_GIT_';

/** Whether what these targets run is to be shown with something that git says. */
export function namesGit(targets: readonly Target[]): boolean {
  return targets.some(({ operation }) => operation !== undefined && JSON.stringify(operation).includes(NAMES));
}

/** What an operation is told of the project's repository; all of it is empty where there is none. */
interface GitFacts {
  readonly branch: string;
  readonly commit: string;
  /** Empty where nothing is known of changes. */
  readonly dirty: '' | '0' | '1';
  readonly staged: readonly string[];
  readonly unstaged: readonly string[];
  readonly untracked: readonly string[];
}

const NONE: GitFacts = { branch: '', commit: '', dirty: '', staged: [], unstaged: [], untracked: [] };

/** The `BACH_GIT_*` values of one run: asked for once, and only where an operation needs them. */
export class GitEnvironment {
  readonly #place: StatePlace;
  readonly #verb: VerbContext;
  #entries: Promise<readonly EnvironmentEntry[]> | undefined;

  constructor(place: StatePlace, verb: VerbContext) {
    this.#place = place;
    this.#verb = verb;
  }

  /** Begins to ask at its first call. Never rejects: where git tells nothing, the values are empty, and that is said. */
  entries(): Promise<readonly EnvironmentEntry[]> {
    this.#entries ??= this.#gather();
    return this.#entries;
  }

  async #gather(): Promise<readonly EnvironmentEntry[]> {
    try {
      return this.#entriesOf(isInRepository(this.#place.root) ? await gitFacts(this.#place, this.#verb) : NONE);
    } catch (error) {
      if (!isDroverError(error)) throw error;
      if (!this.#verb.stop.graceful.aborted) this.#verb.out.notice(`BACH_GIT_* are empty: ${error.message}`);
      return this.#entriesOf(NONE);
    }
  }

  #entriesOf({ branch, commit, dirty, staged, unstaged, untracked }: GitFacts): readonly EnvironmentEntry[] {
    const changed = [...new Set([...staged, ...unstaged, ...untracked])].sort();
    const list = (name: string, paths: readonly string[]) => ({ name, value: this.#listed(name, paths) });
    return [
      { name: 'BACH_GIT_BRANCH', value: branch },
      { name: 'BACH_GIT_COMMIT', value: commit },
      { name: 'BACH_GIT_DIRTY', value: dirty },
      { name: 'BACH_GIT_DIRTY_SUFFIX', value: dirty === '1' ? '-dirty' : '' },
      list('BACH_GIT_STAGED_FILES', staged),
      list('BACH_GIT_UNSTAGED_FILES', unstaged),
      list('BACH_GIT_UNTRACKED_FILES', untracked),
      list('BACH_GIT_CHANGED_FILES', changed),
    ];
  }

  /** As many whole paths as a variable can hold; that some are left out is said. */
  #listed(name: string, paths: readonly string[]): string {
    let bytes = 0;
    const fits = paths.findIndex((path) => (bytes += Buffer.byteLength(path) + 1) > LONGEST_LIST);
    if (fits < 0) return paths.join('\n');
    this.#verb.out.notice(`${name} holds the first ${fits} of ${paths.length} paths: a variable takes no more`);
    return paths.slice(0, fits).join('\n');
  }
}

/** Asked without a process: most folders without a repository are told so at once. */
function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git'))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInRepository(parent);
}

async function gitFacts(place: StatePlace, { clock, env, stop }: VerbContext): Promise<GitFacts> {
  const host: GitHost = { clock, env, marker: 'bach-git', signal: stop.graceful };
  const repository = await openRepository(await findGit(host), place.root);
  if (repository.topLevel === undefined) return NONE;
  const [head, status] = await Promise.all([readHead(repository), readStatus(repository)]);
  const root = realpathSync(place.root);
  const placed = status.map((entry) => ({ entry, path: fromRoot(entry.path, repository, root) }));
  const changes = placed.filter(({ path }) => !isOwnState(path, place.statePath));
  const paths = (is: (entry: StatusEntry) => boolean): readonly string[] =>
    changes.filter(({ entry }) => is(entry)).map(({ path }) => path).sort();
  return {
    branch: head.kind === 'detached' ? '' : head.ref.replace(BRANCH, ''),
    commit: head.kind === 'unborn' ? '' : head.id,
    dirty: changes.length > 0 ? '1' : '0',
    staged: paths((entry) => entry.kind === 'changed' && entry.staged !== undefined),
    unstaged: paths((entry) => entry.kind === 'conflicted' || (entry.kind === 'changed' && entry.unstaged !== undefined)),
    untracked: paths(({ kind }) => kind === 'untracked'),
  };
}

/** Relative to the project root, as all paths of a Bachfile are. */
function fromRoot(path: GitPath, { topLevel = '' }: Repository, root: string): string {
  const text = pathBytes(path).toString();
  // A name that is not UTF-8, or that would look like two in a list of lines, is written with escapes.
  const named = /[\n\uFFFD]/.test(text) ? displayPath(path) : text;
  return relative(root, resolve(topLevel, named)) + (named.endsWith('/') ? '/' : '');
}
