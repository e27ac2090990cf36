import { writeFileSync } from 'node:fs';

/** Test only: the process ends by SIGKILL when it reaches the point of this number, counted from 1. */
const CRASH_AT = 'DROVER_CRASH_AT';
/** Test only: a file that receives the name of each point that was passed, one a line, in order. */
const CRASH_TRACE = 'DROVER_CRASH_TRACE';

let passed = 0;

/**
 * Stands right before and right after each durable effect (a write that was synced, a rename, a commit, the move of a
 * ref), so that a test can end the process between any two of them. Does nothing unless a test asks for it.
 *
 * @example
 * durablePoint('rename:before');
 * await rename(temporary, path);
 * durablePoint('rename:after');
 */
export function durablePoint(name: string): void {
  const trace = process.env[CRASH_TRACE];
  const crashAt = process.env[CRASH_AT];
  if (trace === undefined && crashAt === undefined) return;
  passed += 1;
  if (trace !== undefined) writeFileSync(trace, `${name}\n`, { flag: 'a', mode: 0o600 });
  if (crashAt !== undefined && passed === Number(crashAt)) process.kill(process.pid, 'SIGKILL');
}
