import { ensureFolderDurably } from '../../../../src/kernel/files/index.ts';

/** Makes the folder of the second argument below the first, and tells how that went. */
const [root = '', path = ''] = process.argv.slice(2);
try {
  await ensureFolderDurably(path, { root });
  process.stdout.write('made');
} catch (error) {
  process.stdout.write(`${(error as { code: string }).code}: ${(error as Error).message}`);
}
