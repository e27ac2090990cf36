import { tryLock } from '../../../../src/kernel/lock/index.ts';

/** Takes the lock of the first argument, says what came of it, and holds it until standard input ends. */
const lock = tryLock(process.argv[2] ?? '');
process.stdout.write(lock === 'held' ? 'held\n' : 'taken\n');
process.stdin.on('end', () => {
  if (lock !== 'held') lock.release(process.argv[3] === 'remove' ? { remove: true } : {});
});
process.stdin.resume();
