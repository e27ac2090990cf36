import { existsSync } from 'node:fs';

/** Words that settings have as their value; masking them would blot out half of what a program says. */
const COMMON = new Set(
  (
    'undefined disabled enabled required optional default production development staging testing localhost anonymous ' +
    'internal external standard publickey password username keyboard interactive keyboard-interactive postgres ' +
    'bitbucket keychain automatic unlimited read-only read-write readonly readwrite everyone nobody'
  ).split(' '),
);
const RELATIVE_PATH = /^\.{0,2}~?(?:\/?[\w.@-]+)(?:\/[\w.@-]+)*$/;
const FILE_ENDING = /\.(?:pem|key|pub|crt|cer|p12|pfx|json|ya?ml|toml|txt|env|conf|sock|asc|gpg)$/i;
const DRIVE = /^[A-Za-z]:[\\/][^:*?"<>|]*$/;

/**
 * True for a value that is no secret although its variable is named like one: a common word, one repeated character, a
 * path. Numbers and addresses are secrets under such a name. In doubt it is false.
 */
export function isPlainValue(value: string): boolean {
  return COMMON.has(value.toLowerCase()) || isOneCharacter(value) || isPath(value);
}

/** A placeholder, such as a mask. */
function isOneCharacter(value: string): boolean {
  return value === (value[0] ?? '').repeat(value.length);
}

/** Base64 may begin with a slash too, so that of an absolute path the first folder has to be there. */
function isPath(value: string): boolean {
  if (value.startsWith('/')) return value.split(':').every(isAbsolutePath);
  if (['~/', './', '../'].some((start) => value.startsWith(start))) return true;
  if (value[1] === ':' && DRIVE.test(value)) return true;
  return value.includes('.') && FILE_ENDING.test(value) && RELATIVE_PATH.test(value);
}

function isAbsolutePath(value: string): boolean {
  const first = value.split('/', 2)[1] ?? '';
  return value.startsWith('/') && first.length > 1 && !value.includes('\0') && existsSync(`/${first}`);
}
