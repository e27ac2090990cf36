import { containedPath } from '../../../kernel/paths/index.ts';

/** Judged by its text; links are looked at when the file is opened. */
export function isInsideProject(path: string): boolean {
  return !path.startsWith('/') && containedPath('/project', path).inside;
}
