import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';
import { EXTERNAL } from '../../tools/entries.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');

/**
 * Bundles one TypeScript file, so that `node` can run it as a program of its own, once before the tests of the file
 * that calls this. What has native parts stays outside and is found through a link to `node_modules`.
 */
export function bundledProgram(entry: string): { readonly file: string } {
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'drover-bundle-'));
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    await build({
      input: entry,
      platform: 'node',
      external: [...EXTERNAL],
      output: { file: join(folder, 'program.mjs'), format: 'esm' },
      logLevel: 'warn',
    });
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get file() {
      return join(folder, 'program.mjs');
    },
  };
}
