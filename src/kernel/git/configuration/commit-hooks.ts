import { rm, writeFile } from 'node:fs/promises';
import { accessSync, constants } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBytes } from '../../files/index.ts';
import { runToEnd, type CapturedEnd } from '../../process/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { hookEnvironment, repositoryEnvironment } from '../environment.ts';
import { describeSystemError } from '../../errors/index.ts';
import { writeIndexTree } from '../objects/tree.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { requireDecodable } from '../text.ts';
import { assertUnchanged } from './compare.ts';
import type { ConfigurationSnapshot } from './snapshot.ts';

export interface HookRequest {
  readonly message: string;
  /** Of the time when the person's configuration was trusted; hooks of any other are not run. */
  readonly configuration: ConfigurationSnapshot;
  /** For each of the two. */
  readonly limitMs: number;
}

export type HookOutcome =
  | {
      readonly kind: 'passed';
      /** As `commit-msg` left it. */
      readonly message: string;
      /** Of the index as `pre-commit` left it: another tree than before is not the tree that was checked. */
      readonly tree: ObjectId;
    }
  | { readonly kind: 'refused'; readonly hook: string; readonly said: string };

const MOST_OUTPUT = 2 ** 20;
const MOST_MESSAGE = 2 ** 20;
const GRACE_MS = 5_000;

/**
 * Runs `pre-commit` and `commit-msg` of the person's configuration in a checkout whose files and index are those of the
 * commit to be. Their text is in a refusal; a hook that takes too long, or that prints more than 1 MiB, refuses too.
 * Throws `repository-tampered` when the configuration or a hook is not as it was, `no-checkout`.
 */
export async function runCommitHooks(checkout: Repository, request: HookRequest): Promise<HookOutcome> {
  const { message, configuration, limitMs } = request;
  await assertUnchanged(checkout, configuration, { hooksOfTheTree: 'count' });
  const folder = await hooksFolder(checkout);
  const refusal = await runHook(checkout, { folder, hook: 'pre-commit', args: [], limitMs });
  if (refusal !== undefined) return refusal;
  const file = inGitDir(checkout, 'DROVER_COMMIT_MSG');
  try {
    await writeFile(file, requireDecodable(message), { mode: 0o600 });
    const second = await runHook(checkout, { folder, hook: 'commit-msg', args: [file], limitMs });
    if (second !== undefined) return second;
    const left = Buffer.from(readBytes(file, { maxBytes: MOST_MESSAGE })).toString();
    return { kind: 'passed', message: left, tree: await writeIndexTree(checkout, inGitDir(checkout, 'index')) };
  } catch (error) {
    throw describeSystemError(error, { action: 'write', path: file });
  } finally {
    await rm(file, { force: true });
  }
}

/** Relative ones count from the root of the checkout. */
async function hooksFolder(checkout: Repository): Promise<string> {
  const call = { what: 'find the hooks', args: ['rev-parse', '--git-path', 'hooks'], hooks: 'run' } as const;
  const { stdout } = await callGit(checkout, { ...call, cwd: checkoutOf(checkout) });
  return resolve(checkoutOf(checkout), stdout.toString().replace(/\n$/, ''));
}

interface Hook {
  readonly folder: string;
  readonly hook: string;
  readonly args: readonly string[];
  readonly limitMs: number;
}

async function runHook(checkout: Repository, { folder, hook, args, limitMs }: Hook): Promise<HookOutcome | undefined> {
  const program = join(folder, hook);
  if (!isProgram(program)) return undefined;
  const { git } = checkout;
  const ran = await runToEnd(
    {
      argv: [program, ...args],
      origin: 'project',
      cwd: checkoutOf(checkout),
      env: { ...hookEnvironment(git), ...repositoryEnvironment(checkout), GIT_INDEX_FILE: inGitDir(checkout, 'index') },
      marker: git.marker,
      graceMs: GRACE_MS,
      timeoutMs: limitMs,
      maxOutputBytes: MOST_OUTPUT,
      ...(git.signal === undefined ? {} : { signal: git.signal }),
    },
    git,
  );
  if (git.signal?.aborted === true && ran.cut !== undefined) throw ran.cut.error;
  return passed(ran) ? undefined : { kind: 'refused', hook, said: wordsOf(ran) };
}

/** As git does: a hook that may not be executed is none. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function passed({ end, cut }: CapturedEnd): boolean {
  return cut === undefined && end.kind === 'exited' && end.code === 0;
}

function wordsOf({ end, cut, stdout, stderr }: CapturedEnd): string {
  const own = cut?.error.message ?? ('error' in end ? end.error.message : '');
  return [stdout.toString(), stderr.toString(), own].map((text) => text.trim()).filter((text) => text !== '').join('\n');
}
