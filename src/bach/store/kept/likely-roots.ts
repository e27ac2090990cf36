import { dirname, resolve } from 'node:path';
import { projectRoot } from '../project-files.ts';
import type { ProjectSource } from './kept-project.ts';

/** Before the Bachfile is read as what it is, each line that might be the root of the project is taken for it. */
const ROOT = /(?:^|[\s{])root\s*=\s*"([^"\\$%\r\n]+)"/g;
const MOST = 4;

/** Folders that may be the project's own, the likeliest first. Which one it is only the Bachfile tells. */
export function likelyRoots({ file, cwd, bytes, environment }: ProjectSource): readonly string[] {
  const written = writtenRoots(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const roots = written.flatMap((root) => {
    try {
      return [projectRoot({ file, root, cwd, home: environment['HOME'] })];
    } catch {
      // It was another line, or a folder that is missing; then nothing is kept there.
      return [];
    }
  });
  return [...new Set([...roots, dirname(resolve(cwd, file))])];
}

function writtenRoots(bytes: Buffer): readonly string[] {
  if (!bytes.includes('root')) return [];
  const found = bytes.toString('utf8').matchAll(ROOT);
  return Array.from(found, ([, root = '']) => root).slice(0, MOST);
}
