import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One file of the reference, by its path from the root of the product. */
export interface ReferenceFile {
  readonly path: string;
  readonly text: string;
}

/** Put in by the build, so that the program needs no file beside it. */
declare const __BACH_REFERENCE__: readonly ReferenceFile[] | undefined;

const FOLDERS = ['docs/reference', 'docs/schemas'];

/** The pages (`.md`) and schemas (`.json`) of the reference, each folder in the order of its names. */
export function referenceFiles(): readonly ReferenceFile[] {
  return typeof __BACH_REFERENCE__ === 'undefined' ? filesOfCheckout() : __BACH_REFERENCE__;
}

/** Where the sources run as they are, nothing was built in. */
function filesOfCheckout(): readonly ReferenceFile[] {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const paths = FOLDERS.flatMap((folder) => readdirSync(`${root}${folder}`).toSorted().map((name) => `${folder}/${name}`));
  return paths.map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }));
}
