import { existsSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';

/**
 * Swaps what stands at each given path for a link and back, again and again: the arguments are the fewest swaps, a
 * file that comes when there were enough, a seed, and pairs of a path and what the link there leads to. Prints how many
 * swaps were made.
 */
const [fewest = '0', enough = '', seed = '0', ...pairs] = process.argv.slice(2);
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let state = Number(seed) >>> 0;
let trash = 0;
let swaps = 0;

for (; swaps < Number(fewest) || !existsSync(enough); swaps += 1) {
  const pair = (swaps % (pairs.length / 2)) * 2;
  swapOnce(pairs[pair] ?? '', pairs[pair + 1] ?? '');
}
process.stdout.write(`${swaps}`);

function swapOnce(path: string, target: string): void {
  renameSync(path, `${path}.real`);
  linkOver(path, target);
  pause();
  unlinkSync(path);
  moveBack(path);
  pause();
}

/** What is raced against may have made a folder or a file there in between. */
function linkOver(path: string, target: string): void {
  try {
    symlinkSync(target, path);
  } catch {
    renameSync(path, `${path}.trash-${(trash += 1)}`);
    linkOver(path, target);
  }
}

function moveBack(path: string): void {
  try {
    renameSync(`${path}.real`, path);
  } catch {
    renameSync(path, `${path}.trash-${(trash += 1)}`);
    moveBack(path);
  }
}

/** Up to a millisecond and a half, so that every step of an operation is hit. */
function pause(): void {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  Atomics.wait(sleeper, 0, 0, (state / 2 ** 32) * 1.5);
}
