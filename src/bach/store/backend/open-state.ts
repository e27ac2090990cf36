import { lstatSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeSystemError } from '../../../kernel/errors/index.ts';
import { ensureFolderDurably } from '../../../kernel/files/index.ts';
import { containedPath } from '../../../kernel/paths/index.ts';
import { openDatabase, type Database } from '../../../kernel/sql/index.ts';
import type { Clock } from '../../../kernel/time/index.ts';
import { ProtocolFault } from '../../model/index.ts';
import { MIGRATIONS, MIGRATIONS_TABLE } from '../schema.ts';

const BUSY_TIMEOUT_MS = 30_000;

export interface ServedPlace {
  /** The project's folder as it was given. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly clock: Clock;
}

/** Opens the state of a project, and makes it where there is none. Throws `ProtocolFault` for a place that is none. */
export async function openState({ root, path, clock }: ServedPlace, signal: AbortSignal): Promise<Database> {
  requireFolder(root);
  const file = stateFile(root, path);
  await ensureFolderDurably(dirname(file), { root });
  const schema = { table: MIGRATIONS_TABLE, migrations: MIGRATIONS };
  return openDatabase(file, { clock, busyTimeoutMs: BUSY_TIMEOUT_MS, schema, signal });
}

function requireFolder(root: string): void {
  const refusal = new ProtocolFault('validation_failed', 'project_root must be the absolute path of a folder', { field: 'project_root' });
  if (resolve(root) !== root.replace(/(?<=.)\/+$/, '')) throw refusal;
  if (!isFolder(root)) throw refusal;
}

/** The root itself may be reached through a link. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw describeSystemError(error, { action: 'use', path });
  }
}

function stateFile(root: string, path: string): string {
  const contained = containedPath(root, path);
  if (path === '' || path.startsWith('/')) throw refusedPath('must be relative to the project root');
  if (!contained.inside || contained.relative === '.') throw refusedPath('must stay under the project root');
  const names = contained.relative.split('/');
  const places = names.map((_, index) => join(root, ...names.slice(0, index + 1)));
  if (places.some((place) => statsOf(place)?.isSymbolicLink())) throw refusedPath('must not go through a symbolic link');
  return contained.path;
}

function refusedPath(why: string): ProtocolFault {
  return new ProtocolFault('validation_failed', `backend config.path ${why}`, { field: 'config.path' });
}

function statsOf(path: string): ReturnType<typeof lstatSync> {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw describeSystemError(error, { action: 'use', path });
  }
}
