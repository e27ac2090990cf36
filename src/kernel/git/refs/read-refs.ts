import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { refBroken, refsUnsteady, unknownRevision } from '../errors.ts';
import { idIn } from '../object-id.ts';
import { decodeBytes, escapeBytes } from '../path.ts';
import { isDecodable } from '../text.ts';
import { requireRef } from './ref-name.ts';

export interface Ref {
  /** In full, e.g. `refs/heads/main`. */
  readonly name: string;
  /** For a tag with a message the tag itself, not its commit. */
  readonly id: ObjectId;
  /** The ref that this one only points to. */
  readonly symbolic: string | undefined;
}

/** Where HEAD of a checkout stands. */
export type Head =
  | { readonly kind: 'branch'; readonly ref: string; readonly id: ObjectId }
  /** On a branch without a commit. */
  | { readonly kind: 'unborn'; readonly ref: string }
  | { readonly kind: 'detached'; readonly id: ObjectId };

/** Somebody who moves refs all the time can make a listing miss one again and again; more often it is no accident. */
const MOST_LISTINGS = 20;

/**
 * What the ref of this full name holds, or `undefined` when there is none. Throws `ref-broken`, `bad-ref-name`.
 */
export async function readRef(repository: Repository, ref: string): Promise<Ref | undefined> {
  for (let attempt = 0; attempt < MOST_LISTINGS; attempt += 1) {
    const found = await glanceAtRef(repository, ref);
    if (found !== undefined || (await isAbsent(repository, ref))) return found;
  }
  throw refsUnsteady({ where: repository.commonDir });
}

/** As `readRef`, but `undefined` may also mean that it just moved: for where a compare-and-swap follows. */
export async function glanceAtRef(repository: Repository, ref: string): Promise<Ref | undefined> {
  const found = await listOnce(repository, requireRef(ref));
  return found.find(({ name }) => name === ref);
}

/**
 * All refs, or those at and below `prefix` (`refs/heads`), sorted by name. A damaged one is an error: what is not
 * listed would count as gone. Throws `ref-broken`, `bad-ref-name`, and `refs-unsteady` when they do not hold still.
 */
export async function listRefs(repository: Repository, prefix?: string): Promise<readonly Ref[]> {
  if (prefix !== undefined) requireRef(prefix);
  let names: string | undefined;
  for (let attempt = 0; attempt < MOST_LISTINGS; attempt += 1) {
    const refs = await listOnce(repository, prefix);
    const current = refs.map(({ name }) => name).join(' ');
    if (current === names) return refs;
    names = current;
  }
  throw refsUnsteady({ where: repository.commonDir });
}

/** git reads folders, and a file that is renamed meanwhile (each moved ref is) may be in no listing of its folder. */
async function listOnce(repository: Repository, prefix: string | undefined): Promise<readonly Ref[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(symref) %(refname)', ...(prefix === undefined ? [] : [prefix])];
  const { stdout, stderr } = await callGit(repository, { what: 'read refs', args });
  if (stderr.includes('broken ref')) throw refBroken({ said: stderr.trim(), where: repository.commonDir });
  return linesOf(stdout).map(refOf);
}

/** Asks for this very file. A damaged one counts as absent here, and is told by the listing. */
async function isAbsent(repository: Repository, ref: string): Promise<boolean> {
  const args = ['show-ref', '--verify', '--quiet', ref];
  const { code } = await callGit(repository, { what: 'look for a ref', args, answers: [0, 1, 128] });
  return code === 1;
}

/** Where a ref leads that has only the name of another one, also one that is not there: listings pass over those. */
export async function symbolicTarget(repository: Repository, ref: string): Promise<string | undefined> {
  const args = ['symbolic-ref', '-q', requireRef(ref)];
  const { code, stdout } = await callGit(repository, { what: 'look where a ref leads', args, answers: [0, 1, 128] });
  return code === 0 ? refText(stdout.toString('latin1').trimEnd()) : undefined;
}

export async function readHead(repository: Repository): Promise<Head> {
  const [branch, commit] = await Promise.all([
    callGit(repository, { what: 'read HEAD', args: ['symbolic-ref', '-q', 'HEAD'], answers: [0, 1] }),
    callGit(repository, { what: 'read HEAD', args: ['rev-parse', '-q', '--verify', 'HEAD'], answers: [0, 1] }),
  ]);
  const ref = branch.stdout.toString().trimEnd();
  if (commit.code === 1) return { kind: 'unborn', ref };
  const id = idIn(commit.stdout);
  return branch.code === 0 ? { kind: 'branch', ref, id } : { kind: 'detached', id };
}

/** The commit that a person calls `main`, `v1.2^`, `origin/main` or the like. Throws `unknown-revision`. */
export async function resolveCommit(repository: Repository, revision: string): Promise<ObjectId> {
  const args = ['rev-parse', '-q', '--verify', '--end-of-options', `${revision}^{commit}`];
  const isUsable = revision !== '' && !/[\0\n]/.test(revision) && isDecodable(revision);
  const answer = isUsable ? await callGit(repository, { what: 'find a commit', args, answers: [0, 1, 128] }) : undefined;
  if (answer?.code !== 0) throw unknownRevision({ revision, where: repository.commonDir });
  return idIn(answer.stdout);
}

function linesOf(stdout: Buffer): readonly string[] {
  return stdout.toString('latin1').split('\n').filter((line) => line !== '');
}

/** Names of refs have no blanks, so that an empty middle part means that the ref is not symbolic. */
function refOf(line: string): Ref {
  const [id = '', symbolic = '', name = ''] = line.split(' ');
  return { name: refText(name), id, symbolic: symbolic === '' ? undefined : refText(symbolic) };
}

/**
 * A name that is not UTF-8 is told with `\xNN`: still unlike any other, and refused by whatever takes a name, since
 * no ref has a backslash.
 */
function refText(latin1: string): string {
  return decodeBytes(latin1) ?? escapeBytes(latin1);
}
