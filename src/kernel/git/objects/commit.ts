import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { GitDate, ObjectId, Repository, Signature } from '../contract.ts';
import { signatureEnvironment } from '../environment.ts';
import { objectMissing } from '../errors.ts';
import { idIn, requireId } from '../object-id.ts';

export interface Commit {
  readonly id: ObjectId;
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

/** Throws `object-missing`, also for an object that is no commit or is damaged. */
export async function readCommit(repository: Repository, id: ObjectId): Promise<Commit> {
  const args = ['cat-file', 'commit', requireId(id)];
  const answer = await callGit(repository, { what: 'read a commit', args, answers: [0, 128] });
  const commit = answer.code === 0 ? parseCommit(id, answer.stdout) : undefined;
  if (commit === undefined) throw objectMissing({ id, wanted: 'commit', where: repository.commonDir });
  return commit;
}

/**
 * Writes a commit object, durably, and names it; no ref moves. The same input gives the same commit.
 * Throws `git-failed` for a tree that is missing or a message with a NUL.
 *
 * @example
 * const commit = await commitTree(repository, { tree, parents: [tip], author, committer: author, message: 'Say hello\n' });
 */
export async function commitTree(repository: Repository, commit: Omit<Commit, 'id'>): Promise<ObjectId> {
  const parents = commit.parents.flatMap((parent) => ['-p', requireId(parent)]);
  const env = { ...signatureEnvironment('AUTHOR', commit.author), ...signatureEnvironment('COMMITTER', commit.committer) };
  const args = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', requireId(commit.tree), ...parents, '-F', '-'];
  durablePoint('commit:before');
  const { stdout } = await callGit(repository, { what: 'write a commit', args, env, input: commit.message });
  durablePoint('commit:after');
  return idIn(stdout);
}

/** Exported for its test. `undefined` for what is no commit. */
export function parseCommit(id: ObjectId, raw: Buffer): Commit | undefined {
  const end = raw.indexOf('\n\n');
  const head = (end < 0 ? raw : raw.subarray(0, end)).toString('latin1');
  const fields = head.split('\n').map((line) => line.split(/ (.*)/s, 2) as [string, string?]);
  const values = (name: string): string[] => fields.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const decode = decoderOf(values('encoding')[0]);
  const [tree] = values('tree');
  const author = signatureOf(values('author')[0], decode);
  const committer = signatureOf(values('committer')[0], decode);
  if (tree === undefined || author === undefined || committer === undefined) return undefined;
  const message = end < 0 ? '' : decode(raw.subarray(end + 2));
  return { id, tree, parents: values('parent'), author, committer, message };
}

/** A commit may be in another encoding than UTF-8, and says so itself. */
function decoderOf(encoding = 'utf-8'): (bytes: Buffer) => string {
  try {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true });
    return (bytes) => decoder.decode(bytes);
  } catch {
    // One that is not known here is shown as bytes: the text is for people, nothing is decided on it.
    return (bytes) => bytes.toString('latin1');
  }
}

function signatureOf(value: string | undefined, decode: (bytes: Buffer) => string): Signature | undefined {
  const match = /^(.*?) ?<([^>]*)> (-?\d+) ([+-])(\d\d)(\d\d)$/.exec(value ?? '');
  if (match === null) return undefined;
  const [, name = '', email = '', seconds = '', sign = '+', hours = '', minutes = ''] = match;
  const text = (latin1: string): string => decode(Buffer.from(latin1, 'latin1'));
  const offset = Number(hours) * 60 + Number(minutes);
  const date: GitDate = { seconds: Number(seconds), offsetMinutes: sign === '-' ? -offset : offset };
  return { name: text(name), email: text(email), date };
}
