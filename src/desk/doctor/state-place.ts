import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { warn, type Finding, type Patient } from './check.ts';

/** Looks at where the state lies or would lie; where nobody knows that, its own check says why. */
export async function whereStateLies(patient: Patient, look: (folder: string) => Promise<Finding>): Promise<Finding> {
  const folder = await patient.stateFolder().catch(() => undefined);
  if (folder === undefined) return warn('not looked at: the state folder is not known', 'see what the check "state" says');
  return look(await nearestFolder(folder));
}

/** The folder itself, or the nearest one above it that exists: where it would be made. Throws what the system refuses. */
export async function nearestFolder(path: string): Promise<string> {
  try {
    const stats = await stat(path);
    if (!stats.isDirectory()) throw describeSystemError({ code: 'ENOTDIR' }, { action: 'use', path });
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(path) === path) {
      throw describeSystemError(error, { action: 'use', path });
    }
    return nearestFolder(dirname(path));
  }
}
