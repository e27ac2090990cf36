import { badRefName } from '../errors.ts';
import { isDecodable } from '../text.ts';

/** Characters that no ref has, beside blanks and control characters: git uses them for other things. */
const FORBIDDEN = /[\x7f~^:?*[\\]/;
const FORBIDDEN_PARTS = ['..', '//', '@{'];

/** Gives a full name such as `refs/heads/main` back when git would take it. Throws `bad-ref-name`. */
export function requireRef(ref: string): string {
  if (!isRefName(ref)) throw badRefName({ ref });
  return ref;
}

/** By the rules of `git check-ref-format`, for full names below `refs/`. */
export function isRefName(ref: string): boolean {
  if (!ref.startsWith('refs/') || FORBIDDEN.test(ref) || hasControl(ref) || !isDecodable(ref)) return false;
  if (FORBIDDEN_PARTS.some((part) => ref.includes(part))) return false;
  if (ref.endsWith('/') || ref.endsWith('.')) return false;
  return ref.split('/').every((name) => !name.startsWith('.') && !name.endsWith('.lock'));
}

function hasControl(ref: string): boolean {
  return [...ref].some((character) => character <= ' ');
}
