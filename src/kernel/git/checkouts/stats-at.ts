import { lstatSync, type Stats } from 'node:fs';
import { describeSystemError } from '../../errors/index.ts';
import type { GitPath } from '../path.ts';
import { placeOf } from './survey.ts';

/** What stands at a path of a checkout, itself and not where it leads; nothing where something above it is no folder. */
export function statsAt(root: string, path: GitPath): Stats | undefined {
  const place = placeOf(root, path);
  try {
    return lstatSync(place, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw describeSystemError(error, { action: 'look at', path: place.toString() });
  }
}

/** The folders above a path, the outermost first. */
export function foldersAbove(path: GitPath): readonly GitPath[] {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/') as GitPath);
}
