import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { isAlive } from './host.mjs';

const POLL_MILLISECONDS = 200;

/**
 * Runs `work` while no other process of this checkout does. A lock whose owner died is taken over; two waiters
 * that take over in the same instant could both run, which costs a repeated install and no more.
 */
export async function withLock(file, work) {
  for (let announced = false; !tryLock(file); announced = true) {
    if (!announced) process.stderr.write('setup: waiting for another setup of this checkout\n');
    removeWhenOwnerDied(file);
    await setTimeout(POLL_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    unlinkSync(file);
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function removeWhenOwnerDied(file) {
  try {
    if (!isAlive(Number.parseInt(readFileSync(file, 'utf8'), 10))) unlinkSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}
