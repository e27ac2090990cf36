import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../support/hcldec/conformance-case.ts';
import { testUnless } from '../../support/needs.ts';

/** `DROVER_CASES` names the folder of cases; it is not a part of the repository. */
const CASES = process.env['DROVER_CASES'] ?? fileURLToPath(new URL('../../../../shared/cases', import.meta.url));
const FOLDER = join(resolve(CASES), 'hcl');

const isThere = existsSync(FOLDER);
const absence = isThere ? undefined : 'the folder of cases is absent: name it with DROVER_CASES';

const names = (isThere ? readdirSync(FOLDER) : []).filter((file) => file.endsWith('.t')).map((file) => file.slice(0, -2));

/** A case that lacks one of its three files fails by the missing file. */
function textOf(name: string, extension: string): string {
  return readFileSync(join(FOLDER, `${name}.${extension}`), 'utf8');
}

describe('the HCL conformance cases', () => {
  testUnless(absence, 'are found, skipped where their folder is absent', () => {
    expect(names).not.toEqual([]);
  });

  test.each(names)('%s', (name) => {
    const given = { input: textOf(name, 'hcl'), schema: textOf(name, 'hcldec'), expected: textOf(name, 't') };
    expect(differencesOf(given)).toEqual([]);
  });
});
