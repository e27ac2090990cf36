import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';
import { EXTERNAL } from '../../tools/entries.mjs';

const REPOSITORY = join(import.meta.dirname, '../..');

/**
 * Bundles a program that loads parts of itself later, once before the tests of the file that calls this. What has native
 * parts stays outside and is found through a link to `node_modules`.
 */
export function chunkedProgram(entry: string): { readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'drover-chunks-'));
  beforeAll(async () => {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    const output = { dir: folder, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name].mjs' } as const;
    await build({ input: entry, platform: 'node', external: [...EXTERNAL], output, logLevel: 'warn' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return { file: join(folder, 'program.mjs') };
}
