import { statSync } from 'node:fs';
import { resolveInside } from '../../kernel/files/index.ts';
import { isDroverError } from '../../kernel/errors/index.ts';
import type { Judgement } from './judgement.ts';

/**
 * The folder that a command is started in, its links followed. The files are the work of whoever is checked: where they
 * have no such folder, or a link that leads out of them, that is no fault of the machine.
 */
export function folderIn(root: string, folder = '.'): { readonly path: string } | Judgement {
  if (!isFolder(root)) return refusal('environment', { said: `has no files to look at: ${root} is no folder` });
  try {
    const path = resolveInside(root, folder);
    return isFolder(path) ? { path } : refusal('failed', { said: `has no folder to run in: the files have no folder ${folder}` });
  } catch (error) {
    if (!isDroverError(error)) throw error;
    return refusal('failed', { said: `has no folder to run in: ${error.message}` });
  }
}

function refusal(outcome: 'failed' | 'environment', { said }: { readonly said: string }): Judgement {
  return { outcome, said, how: { kind: 'not-started', reason: 'missing-workdir' } };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // What cannot be reached is none to run in.
    return false;
  }
}
