import { setTimeout as sleep } from 'node:timers/promises';
import { describeSystemError, isDroverError, type DroverError } from '../../kernel/errors/index.ts';
import { fail, type Check, type Finding, type Patient } from './check.ts';
import { containment } from './containment.ts';
import { configuration } from './configuration.ts';
import { currentDisk, stateDisk } from './disk.ts';
import { ledger } from './ledger.ts';
import { locks } from './locks.ts';
import { notices } from './notices.ts';
import { git, node, tmux } from './programs.ts';
import { sqlite } from './sqlite.ts';
import { state } from './state.ts';

/** In the order in which they are told. */
const MACHINE = [node, git, tmux, sqlite, configuration, state, currentDisk, stateDisk, locks, containment];
const CHECKS: readonly Check[] = [...MACHINE, ledger, notices];

/** Longer than any check takes, each of which limits what it waits for. */
const LIMIT_MS = 20_000;

export type NamedFinding = Finding & { readonly name: string };

/** Runs all checks side by side. A check that throws or does not answer has failed; the others go on. */
export function examine(patient: Patient): Promise<readonly NamedFinding[]> {
  return Promise.all(CHECKS.map(async (check) => ({ name: check.name, ...(await answerOf(check, patient)) })));
}

async function answerOf(check: Check, patient: Patient): Promise<Finding> {
  const over = new AbortController();
  const tooLong = sleep(LIMIT_MS, undefined, { signal: over.signal }).then(
    () => fail(`no answer within ${LIMIT_MS / 1000} s`, 'see whether a file system or a program of this machine hangs'),
    // Only once the check has answered.
    () => fail('stopped', 'run it again'),
  );
  try {
    return await Promise.race([check.run(patient), tooLong]);
  } catch (error) {
    return failureOf(error);
  } finally {
    over.abort();
  }
}

function failureOf(error: unknown): Finding {
  const known = knownError(error);
  if (known !== undefined) return fail(known.message, known.remedy);
  const reason = error instanceof Error ? error.message : String(error);
  return fail(`internal error: ${reason}`, 'this is a defect of the program: report it with all that was printed');
}

function knownError(error: unknown): DroverError | undefined {
  if (isDroverError(error)) return error;
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return undefined;
  return describeSystemError(error, { action: String(error.syscall), path: String(error.path) });
}
