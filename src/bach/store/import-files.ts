import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { readBytes } from '../../kernel/files/index.ts';
import { cleanPath, joinPath } from '../../kernel/paths/index.ts';
import type { ImportResult, SourceFile } from '../model/index.ts';

/** As for a Bachfile. */
const LARGEST_IMPORT = 64 * 1024 * 1024;

/** A Bachfile as imports tell it apart: absolute, with its links followed as far as there is a file. */
export function canonicalFile(file: string, cwd: string): string {
  const path = resolve(cwd, file);
  try {
    return realpathSync.native(path);
  } catch {
    // Reading it, which comes first and last, says what is wrong with it.
    return path;
  }
}

/** Reads what a file imports, as `ReadImport` asks for it: relative to where the importing file really is. */
export function readImport(importer: SourceFile, path: string): ImportResult {
  // Not cleaned: `..` behind a link means the folder that the link leads to.
  const place = `${dirname(importer.canonical)}/${path}`;
  const shown = joinPath(dirname(importer.shown), path);
  const canonical = followed(place);
  try {
    const bytes = readBytes(canonical, { maxBytes: LARGEST_IMPORT });
    return { kind: 'file', canonical, shown, bytes };
  } catch (error) {
    const { message } = describeSystemError(error, { action: 'read', path: canonical });
    // What a link leads to is told as it is: nobody finds it by the path of the link.
    const isLinked = canonical !== place && canonical !== cleanPath(place);
    return { kind: 'failed', message: isLinked ? message : message.replaceAll(canonical, () => shown) };
  }
}

/** Where it cannot be followed, reading it says why. */
function followed(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    return place;
  }
}
