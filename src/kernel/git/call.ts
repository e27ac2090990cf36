import { lstatSync, realpathSync } from 'node:fs';
import type { DroverError } from '../errors/index.ts';
import { runToEnd, type LeaderEnd } from '../process/index.ts';
import type { Git, GitHost, Repository } from './contract.ts';
import { gitArguments, gitEnvironment, repositoryEnvironment } from './environment.ts';
import { gitEnded, gitMissing, gitOutputTooLarge, gitTimedOut, notARepository, repositoryReplaced } from './errors.ts';
import { failureOf } from './failure.ts';
import { requireDecodable, requireText } from './text.ts';

/** One use of git. Only the files of this room make one. */
export interface GitCall {
  /** A verb phrase for messages: `read refs`. */
  readonly what: string;
  readonly args: readonly string[];
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly hooks?: 'none' | 'run';
  /** `none`: as in a bare repository, without files whose attributes could count. Default `own`. */
  readonly checkout?: 'none' | 'own';
  /** Default: the git folder. */
  readonly cwd?: string;
  /** Exit codes that are an answer. Default only 0; any other throws. */
  readonly answers?: readonly number[];
  /** More output is an error. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Default: that of the host. */
  readonly limitMs?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

type Placed = GitCall & { readonly cwd: string };

const UNKNOWN = { minor: 0 };
const LIMIT_MS = 60_000;
const GRACE_MS = 2_000;
const MOST_OUTPUT = 64 * 2 ** 20;

/** Runs git on a repository; an exit code that is not among the answers is thrown as what git meant by it. */
export async function callGit(repository: Repository, call: GitCall): Promise<GitAnswer> {
  requireFolders(repository);
  const cwd = call.cwd ?? repository.gitDir;
  return callAnywhere(repository.git, { ...call, cwd, env: { ...repositoryEnvironment(repository, call.checkout), ...call.env } });
}

/** Git would follow a link or a `.git` file that an agent puts there, and write in another repository. */
function requireFolders({ gitDir, commonDir }: Repository): void {
  for (const path of new Set([commonDir, gitDir])) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && !(stats.isDirectory() && realpathSync.native(path) === path)) throw repositoryReplaced({ path });
  }
}

/** As `callGit`, where no repository is known yet. */
export async function callAnywhere(git: Git | GitHost, call: Placed): Promise<GitAnswer> {
  const answer = await run(git, call);
  if ((call.answers ?? [0]).includes(answer.code)) return answer;
  throw failureOf(answer, { what: call.what, where: call.cwd });
}

async function run(git: Git | GitHost, call: Placed): Promise<GitAnswer> {
  const { cwd, input } = call;
  [cwd, ...call.args, ...Object.values(call.env ?? {})].forEach(requireText);
  if (typeof input === 'string') requireDecodable(input);
  const { signal } = git;
  const { end, stdout, stderr, cut } = await runToEnd(
    {
      argv: ['git', ...gitArguments(call, 'version' in git ? git.version : UNKNOWN), ...call.args],
      origin: 'drover',
      cwd,
      env: { ...gitEnvironment(git), ...call.env },
      marker: git.marker,
      graceMs: GRACE_MS,
      ...boundsOf(git, call),
      ...(input === undefined ? {} : { input: Buffer.from(input) }),
      ...(signal === undefined ? {} : { signal }),
    },
    git,
  );
  if (cut !== undefined) throw cutFailure(cut, { git, call });
  if (end.kind === 'not-started') throw startProblem(end, cwd);
  if (end.kind === 'not-ended') throw end.error;
  if (end.kind === 'signalled') throw gitEnded({ what: call.what, where: cwd, signal: end.signal });
  return { code: end.code, stdout, stderr: stderr.toString() };
}

/** A folder that is gone is the repository's trouble, not git's. */
function startProblem({ reason, error }: Extract<LeaderEnd, { readonly kind: 'not-started' }>, cwd: string): DroverError {
  return reason === 'missing-workdir' ? notARepository({ path: cwd }, error) : gitMissing({ reason: error.message }, error);
}

interface Cut {
  readonly reason: 'timeout' | 'too-much-output' | 'aborted';
  readonly error: DroverError;
}

function cutFailure({ reason, error }: Cut, { git, call }: { readonly git: GitHost; readonly call: Placed }): DroverError {
  const { timeoutMs, maxOutputBytes } = boundsOf(git, call);
  const about = { what: call.what, where: call.cwd };
  if (reason === 'timeout') return gitTimedOut({ ...about, limitMs: timeoutMs }, error);
  return reason === 'aborted' ? error : gitOutputTooLarge({ ...about, maxBytes: maxOutputBytes }, error);
}

function boundsOf({ limitMs = LIMIT_MS }: GitHost, call: GitCall): { readonly timeoutMs: number; readonly maxOutputBytes: number } {
  return { timeoutMs: call.limitMs ?? limitMs, maxOutputBytes: call.maxBytes ?? MOST_OUTPUT };
}
