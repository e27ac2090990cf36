import { isHeld } from '../../../../src/kernel/lock/index.ts';

/** Looks at the lock of the first argument until standard input ends, then prints how often it was held and free. */
const found = { held: 0, free: 0 };
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();
process.stdout.write('looking\n');
while (!isOver) {
  for (let round = 0; round < 50; round += 1) found[isHeld(process.argv[2] ?? '') ? 'held' : 'free'] += 1;
  await new Promise(setImmediate);
}
process.stdout.write(JSON.stringify(found));
