import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of a checkout whose files `bach reference` answers from. */
export const REFERENCE_FOLDERS = ['docs/reference', 'docs/schemas'];

/** What is built into the program: `{ path, text }` of every file, each folder in the order of its names. */
export function referenceFiles(root) {
  const paths = REFERENCE_FOLDERS.flatMap((folder) => readdirSync(join(root, folder)).sort().map((name) => `${folder}/${name}`));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
