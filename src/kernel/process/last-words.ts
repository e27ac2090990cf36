import type { ChildProcess } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { within } from './within.ts';

/** A process that left the group may hold a pipe open for ever: what it says after the end is not waited for. */
const LAST_WORDS_MS = 200;
const QUIET_TURNS = 5;
/** For one that holds the pipe and never stops printing. */
const MOST_TURNS = 1_000;

/** Resolves when the program has ended and its pipes are closed. */
export function allClosed(child: ChildProcess | undefined): Promise<void> {
  return new Promise((resolve) => {
    child?.once('close', () => resolve());
  });
}

/**
 * Waits until the pipes are closed, or until nothing more comes through one that somebody else holds. Timers come before
 * pipes in a turn of the loop: on a busy machine the pause is over before a pipe was read even once.
 */
export async function lastWords(closed: Promise<void>, received: () => number): Promise<void> {
  const pipes = { areClosed: false };
  const noted = (async () => {
    await closed;
    pipes.areClosed = true;
  })();
  await within(LAST_WORDS_MS, noted);
  let quietTurns = 0;
  for (let turn = 0; turn < MOST_TURNS && quietTurns < QUIET_TURNS && !pipes.areClosed; turn += 1) {
    const before = received();
    await setImmediate();
    quietTurns = received() === before ? quietTurns + 1 : 0;
  }
}
