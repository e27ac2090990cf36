import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { objectMissing } from '../errors.ts';
import { idIn, requireId } from '../object-id.ts';

/**
 * The content of a file as git keeps it, without filters or line endings of a checkout.
 * Throws `object-missing`, and `git-output-too-large` past `maxBytes`.
 */
export async function readBlob(
  repository: Repository,
  id: ObjectId,
  { maxBytes }: { readonly maxBytes: number },
): Promise<Buffer> {
  const args = ['cat-file', 'blob', requireId(id)];
  const answer = await callGit(repository, { what: 'read a file', args, maxBytes, answers: [0, 128] });
  if (answer.code !== 0) throw objectMissing({ id, wanted: 'file', where: repository.commonDir });
  return answer.stdout;
}

/** Stores the content of a file as it is, durably, and names it. */
export async function writeBlob(repository: Repository, content: string | Uint8Array): Promise<ObjectId> {
  durablePoint('blob:before');
  const args = ['hash-object', '-w', '-t', 'blob', '--no-filters', '--stdin'];
  const { stdout } = await callGit(repository, { what: 'write a file', args, input: content });
  durablePoint('blob:after');
  return idIn(stdout);
}
