import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `DROVER_SHARED` names the folder of the references; it is not a part of the repository. */
const FOLDER = process.env['DROVER_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));

const REFERENCE = join(FOLDER, 'seeds/bachkator-reference.md');

/** Why tests that read the reference are skipped; nothing where it is. */
export const withoutReference = existsSync(REFERENCE) ? undefined : 'the folder of references is absent: name it with DROVER_SHARED';

/** The lines of the reference of bach; none where it is absent. */
export function referenceLines(): readonly string[] {
  return withoutReference === undefined ? readFileSync(REFERENCE, 'utf8').split('\n') : [];
}
