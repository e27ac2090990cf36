import type { RunContext } from './run-context.ts';

/** A wait longer than this is told. */
const SLOW_MS = 1_000;

/** Waiting for another process that writes the state may last; silence would look like a hang. */
export async function toldWhenSlow<Result>(work: Promise<Result>, { verb, place }: Pick<RunContext, 'verb' | 'place'>): Promise<Result> {
  const notice = `waiting for ${place.statePath}, which another process is writing`;
  const timer = setTimeout(() => verb.out.notice(notice), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
