import { existsSync } from 'node:fs';
import { isPasswordName } from './secret-names.ts';

/** Words that settings have as their value; masking them would blot out half of what a program says. */
const COMMON = new Set(
  (
    'undefined disabled enabled required optional default production development staging testing localhost anonymous ' +
    'internal external standard publickey password username keyboard interactive keyboard-interactive postgres ' +
    'bitbucket keychain automatic unlimited read-only read-write readonly readwrite everyone nobody'
  ).split(' '),
);
const NUMBER = /^[\d.,:_+\- ]+$/;
const RELATIVE_PATH = /^\.{0,2}~?(?:\/?[\w.@-]+)(?:\/[\w.@-]+)*$/;
const FILE_ENDING = /\.(?:pem|key|pub|crt|cer|p12|pfx|json|ya?ml|toml|txt|env|conf|sock|asc|gpg)$/i;
const DRIVE = /^[A-Za-z]:[\\/][^:*?"<>|]*$/;
/** A longer piece of an address may be a secret of its own, as in the addresses of webhooks. */
const LONGEST_PLAIN_SEGMENT = 20;

/**
 * True for a value that is no secret although its variable is named like one: a common word, a number (unless the name
 * says password or secret), a path, an address without user, query and long segments. In doubt it is false.
 */
export function isPlainValue(name: string, value: string): boolean {
  if (COMMON.has(value.toLowerCase()) || isOneCharacter(value)) return true;
  if (NUMBER.test(value)) return !isPasswordName(name);
  return isPath(value) || isPlainAddress(value);
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

function isPlainAddress(value: string): boolean {
  if (!value.includes('://') || !/^[a-z][a-z\d+.-]*:\/\/[^\s@]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash, pathname } = new URL(value);
  if (username + password + search + hash !== '') return false;
  return pathname.split('/').every((segment) => segment.length < LONGEST_PLAIN_SEGMENT);
}
