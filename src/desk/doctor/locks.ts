import { mkdtemp, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isHeld, tryLock } from '../../kernel/lock/index.ts';
import { runToEnd } from '../../kernel/process/index.ts';
import { fail, ok, warn, type Check, type Finding, type Patient } from './check.ts';
import { networkFileSystem } from './file-system.ts';
import { whereStateLies } from './state-place.ts';

const LIMIT_MS = 10_000;
const GRACE_MS = 500;
const MOST_OUTPUT = 4_096;
const LOCAL_DISK = 'set state.folder in your configuration file to a folder on a local disk';

/** Takes a lock where the state lies, and looks at it from a process of its own. Leaves nothing behind. */
export const locks: Check = {
  name: 'locks',
  run: (patient) => whereStateLies(patient, (folder) => tryIn(folder, patient)),
};

async function tryIn(existing: string, patient: Patient): Promise<Finding> {
  const folder = await folderFor(existing);
  if (folder === undefined) return warn(`not tried: ${existing} cannot be written`, 'make it writable, then run it again');
  try {
    return await tryOut(join(folder, 'lock'), { existing, patient });
  } finally {
    await rmdir(folder);
  }
}

async function folderFor(existing: string): Promise<string | undefined> {
  try {
    return await mkdtemp(join(existing, '.drover-doctor-'));
  } catch {
    // The check of the state folder tells why.
    return undefined;
  }
}

interface Place {
  readonly existing: string;
  readonly patient: Patient;
}

async function tryOut(path: string, place: Place): Promise<Finding> {
  const lock = tryLock(path);
  if (lock === 'held') return broken(path, 'a new lock is said to be held');
  try {
    const finding = await lookWhileHeld(path, place);
    lock.release();
    return isHeld(path) ? broken(path, 'a lock that was given free stays held') : finding;
  } finally {
    lock.release();
    await unlink(path);
  }
}

async function lookWhileHeld(path: string, { existing, patient }: Place): Promise<Finding> {
  if (!isHeld(path) || tryLock(path) !== 'held') return broken(path, 'a lock that is held can be taken again');
  const seen = await lookFromOutside(path, patient);
  if (seen === 'free') return broken(path, 'another process does not see a lock that is held');
  const network = await networkFileSystem(existing);
  if (network !== undefined) return warn(`${existing} is on ${network}: locks may not hold between machines`, LOCAL_DISK);
  if (seen === 'no-answer') return warn('another process that should look at a lock did not answer', 'run it again');
  return ok(`${seen === 'held' ? 'another process sees them' : 'they hold in this process'} at ${existing}`);
}

function broken(path: string, what: string): Finding {
  return fail(`${what} (${path})`, LOCAL_DISK);
}

/** The process that holds a POSIX lock cannot tell whether others see it. */
async function lookFromOutside(path: string, { self, env, clock, signal, reaper }: Patient): Promise<'held' | 'free' | 'no-answer' | 'not-asked'> {
  const [program, ...rest] = self ?? [];
  if (program === undefined) return 'not-asked';
  const argv = [program, ...rest, 'doctor', '--json', '--look-at-lock', path] as const;
  const environment: Readonly<Record<string, string>> = env['PATH'] === undefined ? {} : { PATH: env['PATH'] };
  const request = { argv, origin: 'drover' as const, cwd: '/', env: environment, marker: 'doctor', graceMs: GRACE_MS };
  const { end, stdout } = await runToEnd({ ...request, timeoutMs: LIMIT_MS, maxOutputBytes: MOST_OUTPUT, signal, reaper }, { clock });
  if (end.kind !== 'exited' || end.code !== 0) return 'no-answer';
  return (JSON.parse(stdout.toString()) as { readonly held: boolean }).held ? 'held' : 'free';
}
