import { isUtf8 } from 'node:buffer';
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readBytes, readBytesIfPresent } from '../../kernel/files/index.ts';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { parseDotenv, type EnvironmentEntry } from '../model/index.ts';
import { badEnvironmentFile, homeNotSet, missingBachfile, rootNotAFolder } from './errors.ts';

/** A Bachfile past this size is refused rather than read into memory. */
const LARGEST_BACHFILE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const LARGEST_DOTENV = 4 * 1024 * 1024;

/** The bytes of the Bachfile; `file` is relative to `cwd`. Throws a user error that names it. */
export function readBachfileBytes(file: string, cwd: string): Uint8Array {
  try {
    return readBytes(resolve(cwd, file), { maxBytes: LARGEST_BACHFILE });
  } catch (error) {
    if (isDroverError(error) && error.code === 'not-found') throw missingBachfile({ file }, error);
    throw error;
  }
}

/**
 * The project's folder, absolute: the folder of the Bachfile, or what `project.root` says, where `~` is the home
 * folder and a relative path starts at `cwd`, as in the reference.
 */
export function projectRoot({ file, root, cwd, home }: ProjectPlace): string {
  const path = root === undefined ? dirname(resolve(cwd, file)) : resolve(cwd, withHome(root, home));
  try {
    if (statSync(path).isDirectory()) return path;
  } catch (error) {
    throw describeSystemError(error, { action: 'use as project root', path });
  }
  throw rootNotAFolder({ path });
}

export interface ProjectPlace {
  readonly file: string;
  /** `project.root` as written. */
  readonly root: string | undefined;
  readonly cwd: string;
  readonly home: string | undefined;
}

/** The entries of `.env`, where there is one, then those of the file named by `--env-file`, which must exist. */
export function readEnvironmentFiles(root: string, envFile: string | undefined): readonly EnvironmentEntry[] {
  const bytes = readBytesIfPresent(join(root, '.env'), { maxBytes: LARGEST_DOTENV });
  const shared = bytes === undefined ? [] : entriesIn('.env', bytes);
  if (envFile === undefined) return shared;
  return [...shared, ...entriesIn(envFile, readBytes(resolve(root, envFile), { maxBytes: LARGEST_DOTENV }))];
}

function entriesIn(file: string, bytes: Uint8Array): readonly EnvironmentEntry[] {
  if (!isUtf8(bytes)) throw badEnvironmentFile({ file, line: firstBadLine(bytes), reason: 'invalid UTF-8' });
  const parsed = parseDotenv(new TextDecoder().decode(bytes));
  if ('entries' in parsed) return parsed.entries;
  throw badEnvironmentFile({ file, line: parsed.line, reason: parsed.message });
}

/** Counted from 1. */
function firstBadLine(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    if (newline < 0 || !isUtf8(bytes.subarray(start, end))) return line;
    start = end + 1;
  }
}

function withHome(path: string, home: string | undefined): string {
  if (path !== '~' && !path.startsWith('~/')) return path;
  if (home === undefined || home === '') throw homeNotSet({ root: path });
  return join(home, path.slice(1));
}
