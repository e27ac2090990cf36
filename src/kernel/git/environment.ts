import { devNull } from 'node:os';
import { definedVariables } from '../process/index.ts';
import type { Clock } from '../time/index.ts';
import type { GitDate, GitHost, Repository, Signature } from './contract.ts';

/** What of the caller's environment git still needs: where programs are, and the person's own configuration. */
const TAKEN_OVER = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR'];

/** Refs, objects and files as they are, whatever the repository or the person configured for their own use of git. */
const FIXED_ENVIRONMENT = {
  LC_ALL: 'C',
  // Agents may write these; each of them makes objects or histories look like others.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: `${devNull}/none`,
  // Nothing is fetched, neither by us nor for a missing object of a partial clone.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS: '',
  GIT_EDITOR: ':',
  GIT_PAGER: 'cat',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ADVICE: '0',
};

const WITHOUT_HOOKS = `core.hooksPath=${devNull}`;

/** Objects become as durable as refs. Up to 2.35 the setting has another name, about which later ones complain. */
const DURABLE = 'core.fsync=committed';
const DURABLE_BEFORE_2_36 = 'core.fsyncObjectFiles=true';

const FIXED_SETTINGS = [
  'core.fsmonitor=false',
  // Both are hints that an agent may have written, one to hide files, one to lie about parents.
  'core.untrackedCache=false',
  'core.commitGraph=false',
  'core.splitIndex=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'submodule.recurse=false',
];

/**
 * The fixed part of each argv. `hooks: 'run'` is for the move of a branch that the person's own hooks may refuse.
 * The version is not known yet when it is asked for.
 */
export function gitArguments(
  { hooks = 'none' }: { readonly hooks?: 'none' | 'run' },
  { minor }: { readonly minor: number },
): readonly string[] {
  const durable = minor < 36 ? DURABLE_BEFORE_2_36 : DURABLE;
  const settings = [...FIXED_SETTINGS, durable, ...(hooks === 'none' ? [WITHOUT_HOOKS] : [])];
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting])];
}

/** Everything that a git of ours finds in its environment; `GIT_*` of the caller never is among it. */
export function gitEnvironment({ env }: GitHost): Record<string, string> {
  const taken = TAKEN_OVER.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
  return { ...Object.fromEntries(taken), ...FIXED_ENVIRONMENT };
}

/** What a hook of the person finds: their own environment, but for a `GIT_*` that would lead its git elsewhere. */
export function hookEnvironment({ env }: GitHost): Record<string, string> {
  const own = definedVariables(env, (name) => name.startsWith('GIT_'));
  return { ...own, GIT_EDITOR: ':', GIT_TERMINAL_PROMPT: '0' };
}

/** Says where the repository is, so that nothing is looked for and no file in a checkout leads elsewhere. */
export function repositoryEnvironment(
  { gitDir, commonDir, topLevel, bare }: Repository,
  checkout: 'none' | 'own' = 'own',
): Record<string, string> {
  const places = { GIT_DIR: gitDir, GIT_COMMON_DIR: commonDir };
  // Without a checkout the git folder stands in: `core.worktree` is not asked.
  return bare || checkout === 'none' ? places : { ...places, GIT_WORK_TREE: topLevel ?? gitDir };
}

export function signatureEnvironment(role: 'AUTHOR' | 'COMMITTER', { name, email, date }: Signature): Record<string, string> {
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email, [`GIT_${role}_DATE`]: dateText(date) };
}

/** Now, in UTC. */
export function dateOf(clock: Clock): GitDate {
  return { seconds: Number(clock.wall() / 1_000_000_000n), offsetMinutes: 0 };
}

function dateText({ seconds, offsetMinutes }: GitDate): string {
  const size = Math.abs(offsetMinutes);
  const digits = `${Math.floor(size / 60)}`.padStart(2, '0') + `${size % 60}`.padStart(2, '0');
  return `@${seconds} ${offsetMinutes < 0 ? '-' : '+'}${digits}`;
}
