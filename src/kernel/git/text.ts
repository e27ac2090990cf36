import type { Identity } from './contract.ts';
import { badGitText } from './errors.ts';

/** Half of a character pair: it has no bytes, and git would be given another character in its place. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export function isDecodable(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Gives back a text that can stand among arguments, variables and names. Throws `bad-git-text`. */
export function requireText(text: string): string {
  if (text.includes('\0')) throw badGitText({ text, reason: 'a NUL' });
  return requireDecodable(text);
}

/** As `requireText`, for input, in which a NUL may separate. */
export function requireDecodable(text: string): string {
  if (!isDecodable(text)) throw badGitText({ text, reason: 'half of a character pair' });
  return text;
}

/** Before anything is written down in their name. Throws `bad-git-text`. */
export function requireIdentity({ name, email }: Identity): void {
  requireText(name);
  requireText(email);
}
