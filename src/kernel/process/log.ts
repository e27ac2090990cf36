import { constants, fstatSync } from 'node:fs';
import { describeSystemError, isDroverError } from '../errors/index.ts';
import type { SpawnRequest } from './contract.ts';
import { CutWatch } from './cut-watch.ts';
import { logMoved } from './errors.ts';
import { openPlainFile, type PlainFile } from './plain-file.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
const UNFIT = 'log-unavailable';

/** The file that takes a child's output, and that its follower reads. */
export interface Log {
  readonly descriptor: number;
  /** Where the child's output begins, in bytes. */
  readonly start: number;
  /** What change notification can be asked about; `undefined` where a bare descriptor has no name. */
  readonly watchable: string | undefined;
  /** Made before the child, which may cut the log with its first breath. */
  readonly cutWatch: CutWatch;
  readonly size: () => number;
  /** Opens it once more, to change what stands in it: a descriptor for append writes at the end, wherever it is told to. */
  readonly openInPlace: () => PlainFile;
  readonly close: () => void;
}

export function openLog(log: SpawnRequest['log']): Log | StartFailure {
  const name = typeof log === 'number' ? `descriptor ${log}` : log.path;
  try {
    return typeof log === 'number' ? logAt(log) : ownLog(log.path);
  } catch (error) {
    if (isDroverError(error)) return { reason: UNFIT, error };
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EMFILE' || code === 'ENFILE') return startFailure('too-many-open-files', { program: name }, error);
    const { message } = describeSystemError(error, { path: name, action: 'open the log' });
    return startFailure(UNFIT, { reason: message }, error);
  }
}

function ownLog(path: string): Log {
  const { descriptor, close } = openPlainFile(path, { flags: O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, unfit: UNFIT });
  return { ...logAt(descriptor, path), close };
}

function logAt(descriptor: number, path?: string): Log {
  const size = (): number => fstatSync(descriptor).size;
  const watchable = process.platform === 'linux' ? `/proc/self/fd/${descriptor}` : path;
  const openInPlace = (): PlainFile => openAgain(watchable ?? `/dev/fd/${descriptor}`, { descriptor, name: path ?? `descriptor ${descriptor}` });
  const start = size();
  return { descriptor, start, watchable, cutWatch: new CutWatch(descriptor, start), size, openInPlace, close: () => undefined };
}

/** By name another file may stand there by now, which is not ours to write to. */
function openAgain(path: string, { descriptor, name }: { readonly descriptor: number; readonly name: string }): PlainFile {
  const again = openPlainFile(path, { name, flags: O_RDWR, unfit: UNFIT });
  const [before, after] = [fstatSync(descriptor), fstatSync(again.descriptor)];
  if (before.ino === after.ino && before.dev === after.dev) return again;
  again.close();
  throw logMoved({ path });
}
