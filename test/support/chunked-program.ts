import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';

/** Bundles a program that loads parts of itself later, once before the tests of the file that calls this. */
export function chunkedProgram(entry: string): { readonly file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'drover-chunks-'));
  beforeAll(async () => {
    const output = { dir: folder, format: 'esm', entryFileNames: 'program.mjs', chunkFileNames: '[name].mjs' } as const;
    await build({ input: entry, platform: 'node', external: ['@photostructure/sqlite'], output, logLevel: 'warn' });
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return { file: join(folder, 'program.mjs') };
}
