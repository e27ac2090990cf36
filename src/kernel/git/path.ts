import { badGitText } from './errors.ts';
import { requireText } from './text.ts';

declare const brand: unique symbol;

/**
 * A path from git: bytes without NUL, relative to the root of the tree, one character for each byte (latin1). Names
 * that are not UTF-8 come back as they were, equal paths are equal strings, and `<` sorts them as git does.
 * Only `displayPath` is fit for people, only `pathBytes` for the disk.
 */
export type GitPath = string & { readonly [brand]: 'GitPath' };

/** The path that is written as `text`. Throws `bad-git-text` for half of a character pair, and for a NUL. */
export function gitPath(text: string): GitPath {
  return pathFromBytes(Buffer.from(requireText(text)));
}

/** Throws `bad-git-text` for a NUL. */
export function pathFromBytes(bytes: Uint8Array): GitPath {
  const path = charactersOf(bytes);
  // Where paths are separated by it, one would become two.
  if (path.includes('\0')) throw badGitText({ text: path, reason: 'a NUL' });
  return path as GitPath;
}

function charactersOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** What the file system takes: `Buffer.concat` of a folder, a slash and this names the file on the disk. */
export function pathBytes(path: GitPath): Buffer {
  return Buffer.from(path, 'latin1');
}

/** As text for messages: quoted, with `\xNN` for what is not UTF-8, wherever the bare name could mislead. */
export function displayPath(path: GitPath): string {
  const text = decodeBytes(path);
  if (text === undefined) return `"${escapeBytes(path)}"`;
  return MISLEADING.test(text) ? JSON.stringify(text).replaceAll(INVISIBLE, escapeCharacter) : text;
}

/** The text that the bytes are in UTF-8, or `undefined` when they are none. */
export function decodeBytes(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, 'latin1');
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

/** What is not plain ASCII as `\xNN`. */
export function escapeBytes(latin1: string): string {
  return [...latin1].map(escapeByte).join('');
}

/** Control characters, quotes and backslashes; blanks at either end; what turns the direction of text. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"\\]|^\s|\s$|^$/u;

/** What JSON leaves as it is: it moves the cursor or turns the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function escapeByte(character: string): string {
  const isPlain = character >= ' ' && character <= '~' && character !== '"' && character !== '\\';
  return isPlain ? character : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}
