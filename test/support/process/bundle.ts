import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Bundles a program of the test's that uses our source, for plain Node; returns the path of the result. */
export async function bundleProgram(source: string, folder: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  const bundle = await rolldown({ input: source, platform: 'node', logLevel: 'silent' });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}
