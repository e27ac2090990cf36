import { badObjectId } from './errors.ts';
import type { ObjectId, Repository } from './contract.ts';

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Gives the id back, which so can stand among arguments. Throws `bad-object-id`. */
export function requireId(id: ObjectId): ObjectId {
  if (!isObjectId(id)) throw badObjectId({ id });
  return id;
}

/** The one line that git answers with. */
export function idIn(stdout: Buffer): ObjectId {
  return requireId(stdout.toString('latin1').trimEnd());
}

/** What git writes where there is no object. */
export function zeroId(objectFormat: Repository['objectFormat']): ObjectId {
  return '0'.repeat(objectFormat === 'sha256' ? 64 : 40);
}
