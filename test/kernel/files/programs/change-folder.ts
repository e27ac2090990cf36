import { join } from 'node:path';
import { openFolder, removeDurably, replaceFile, writeNew, type SafeFolder } from '../../../../src/kernel/files/index.ts';

/**
 * Changes the folder of each argument in each durable way, and prints each change once it is acknowledged, after a line
 * with the folder. With FAIL_EACH_SYNC the first folder's changes meet a failing first sync, the second's a second one.
 */
let synced = 0;
for (const [index, folder] of process.argv.slice(2).entries()) {
  process.stdout.write(`in ${folder}\n`);
  // The preloaded library counts through all folders, and each folder's changes end at the sync that fails.
  if (process.env['FAIL_EACH_SYNC'] !== undefined) process.env['DROVER_FAIL_SYNC_AT'] = `${synced + index + 1}`;
  synced += index + 1;
  await change(folder);
}

async function change(folder: string): Promise<void> {
  const at = (name: string): string => join(folder, name);
  const safe = await openFolder(folder);
  const changes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['replaced', () => replaceFile(at('replaced'), 'new'.repeat(10_000))],
    ['written', () => writeNew(at('written'), 'new'.repeat(10_000))],
    ['removed', () => removeDurably(at('removed'))],
    ['sub', () => safe.ensureFolder('sub/deep')],
    ['moved', () => safe.rename('moved', 'sub/deep/moved')],
    ['log', () => append(safe)],
  ];
  try {
    for (const [name, work] of changes) {
      await work();
      process.stdout.write(`${name}\n`);
    }
  } catch (error) {
    process.stdout.write(`error ${(error as { code: string }).code}: ${(error as Error).message}\n`);
  }
  await safe.close();
}

async function append(safe: SafeFolder): Promise<void> {
  const log = await safe.open('log', 'append');
  await log.write('new'.repeat(10_000));
  await log.sync();
  log.close();
}
