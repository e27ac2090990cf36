import { closeSync, openSync, unlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../../../../src/kernel/lock/index.ts';

/**
 * Takes the lock of the first argument 20 times, removing its file each time, and while holding it makes and removes
 * a file that nobody else may have. Prints how often somebody else had it.
 */
const [path = '', flag = ''] = process.argv.slice(2);
let broken = 0;
for (let turn = 0; turn < 20; ) {
  const lock = tryLock(path);
  if (lock === 'held') {
    await sleep(1);
    continue;
  }
  turn += 1;
  try {
    closeSync(openSync(flag, 'wx'));
    await sleep(1);
    unlinkSync(flag);
  } catch {
    broken += 1;
  }
  lock.release({ remove: true });
}
process.stdout.write(`${broken}`);
