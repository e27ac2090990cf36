import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { isDroverError } from '../../kernel/errors/index.ts';
import { readBytesIfPresent, removeDurably, writeNew } from '../../kernel/files/index.ts';
import { starterFileExists } from './errors.ts';

/** A file for a repository that begins with bach. */
export interface StarterFile {
  /** Absolute. */
  readonly path: string;
  readonly content: string;
}

/** What everybody who works in the repository may read. */
const MODE = 0o644;

/** The smallest Bachfile that is valid, for a project named like its folder. */
export function starterBachfile(folder: string): string {
  return `project "${projectName(folder)}" {\n  root = "."\n}\n`;
}

/** What an agent that works in the repository should know of bach. */
export const STARTER_INSTRUCTIONS = `# Working in this repository

The tasks of this repository are targets of its Bachfile. Use them rather than the commands behind them.

- \`bach list\` shows the targets there are; \`bach explain <target>\` says what one needs, costs and risks.
- \`bach run --dry-run <target>\` shows what would run. Look there first when a target is remote, destructive or unknown.
- \`bach run <target>\` runs it after all that it depends on. Give \`--yes\` only when a person has agreed.
- \`bach affected\` names the targets that your changes touch; run those before you call the work done.
- \`bach runs list\` and \`bach logs <run-id> --failed\` show what went wrong; read them before you run a target again.
- \`bach reference <topic>\` explains the Bachfile, and \`bach validate\` checks it after each change.
`;

/** Throws `starter-file-exists` when something stands at one of the paths, also a link that leads nowhere. */
export function refuseExisting(paths: readonly string[]): void {
  const existing = paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
  if (existing.length > 0) throw starterFileExists({ paths: existing });
}

/**
 * Makes all of the files, or none: when one cannot be made, those made before it go again. Nothing is overwritten.
 * Throws `starter-file-exists` and what the system refuses, with the path.
 */
export async function installStarterFiles(files: readonly StarterFile[]): Promise<void> {
  refuseExisting(files.map(({ path }) => path));
  for (const [index, file] of files.entries()) {
    try {
      await writeNew(file.path, file.content, { mode: MODE });
    } catch (error) {
      const isForeign = isDroverError(error) && error.code === 'already-exists';
      // A write that failed at its very end may have left the file.
      for (const made of files.slice(0, isForeign ? index : index + 1)) await takeBack(made);
      throw isForeign ? starterFileExists({ paths: [file.path] }, error) : error;
    }
  }
}

/** Removes the file unless somebody has changed or replaced it meanwhile. */
async function takeBack({ path, content }: StarterFile): Promise<void> {
  try {
    const bytes = readBytesIfPresent(path);
    if (bytes !== undefined && Buffer.from(content).equals(bytes)) await removeDurably(path);
  } catch {
    // What made the writing fail is told; a file that has to stay is whole, and the next init names it.
  }
}

/** The name of a folder with only what needs no escape in a Bachfile. */
function projectName(folder: string): string {
  const name = basename(folder).replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^-+|-+$/g, '');
  return name === '' ? 'project' : name;
}
