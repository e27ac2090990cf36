import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';
import type { Settings } from '../settings/index.ts';

/** What the journals of all systems are called; other files of JSON lines are records of programs, not of ours. */
const NAMES = ['journal.jsonl', 'steps.jsonl', 'receipts.jsonl'];

/** Where the state of a project lies, one a system, and what drover notes beside the repository's own files. */
const PROJECT_FOLDERS = ['.drover', '.bach', '.bmad-loop', '.ratchet', '.bacchus', '.git/drover'];

/** Deeper than any system puts one; whatever goes on is not ours. */
const MAX_DEPTH = 8;

/** Folders that hold no journals and much else. */
const PASSED_OVER = ['node_modules', '.git', 'worktrees'];

export interface FoundJournals {
  /** The folders that were looked through, those that exist or not. */
  readonly folders: readonly string[];
  /** Absolute, sorted within each folder. */
  readonly files: readonly string[];
}

/** The journals of this machine and of the current project. Links are not followed. Throws what cannot be looked into. */
export async function findJournals({ projectRoot, stateFolder }: Settings): Promise<FoundJournals> {
  const folders = [stateFolder(), ...PROJECT_FOLDERS.map((folder) => join(projectRoot, folder))];
  const files = await Promise.all(folders.map((folder) => journalsBelow(folder, MAX_DEPTH)));
  return { folders, files: files.flat() };
}

async function journalsBelow(folder: string, depth: number): Promise<readonly string[]> {
  const entries = (await entriesOf(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // Whatever stands in the place of a journal: it is for the reading to say that this is none.
    if (NAMES.includes(entry.name)) found.push(path);
    if (entry.isDirectory() && depth > 0 && !PASSED_OVER.includes(entry.name)) found.push(...(await journalsBelow(path, depth - 1)));
  }
  return found;
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    // None there, or a file in the place of a folder, which holds no journals either.
    if (['ENOENT', 'ENOTDIR'].includes(code)) return [];
    throw describeSystemError(error, { action: 'look into', path: folder });
  }
}
