import { join } from 'node:path';
import { readBytesIfPresent } from '../../kernel/files/index.ts';
import { gitPath, type GitPath, type Repository } from '../../kernel/git/index.ts';
import type { Entry } from './register.ts';

const LARGEST = 64 * 2 ** 20;

/** Copies of the person's files that nobody changed need not be kept: they are as a rule what no history may have. */
export function unchangedSeeds({ topLevel }: Repository, { record, seeded }: Pick<Entry, 'record' | 'seeded'>): readonly GitPath[] {
  if (topLevel === undefined) return [];
  return seeded.filter((path) => isSame(join(topLevel, path), join(record.path, path))).map(gitPath);
}

function isSame(one: string, other: string): boolean {
  try {
    const bytes = readBytesIfPresent(one, { maxBytes: LARGEST });
    const others = readBytesIfPresent(other, { maxBytes: LARGEST });
    return bytes !== undefined && others !== undefined && Buffer.from(bytes).equals(others);
  } catch {
    // What cannot be read counts as changed: it is kept.
    return false;
  }
}
