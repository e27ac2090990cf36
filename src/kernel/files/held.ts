import { closeSync, statSync } from 'node:fs';
import { fileHeld, tooManyHolds } from './errors.ts';
import { HoldTable, type FileIdentity } from './hold-table.ts';

/** Keeps a file registered until it is released. */
export interface Hold {
  /** Where the file is closed later than this call, `isOver` tells; this thread asks it whenever it looks at the register. */
  release(isOver?: () => boolean): void;
}

/** One for all threads of the process, once `shareHolds` was called; each thread has this much of its own. */
interface Register {
  readonly table: HoldTable;
  readonly thread: number;
}

const MAIN_THREAD = 0;
const SHARED_AS = 'drover.files.holds';

let register: Register | undefined;
let isLookedFor = false;

/** Slots of this thread that are to be given free once their file is closed. */
const ending = new Map<number, () => boolean>();
/** Descriptors of files that were not held when this thread opened them, and were when it wanted to close them. */
const parked = new Map<number, FileIdentity>();

/**
 * Registers a file in which this process holds POSIX locks (a database, a lock file). They vanish when any descriptor
 * of that file is closed in the process, so that nothing here opens it until the hold is released, and whoever has it
 * open already closes it only then. To be called after the file is opened and before the first lock is taken.
 * Returns `undefined` when there is no such file. Throws `too-many-holds`.
 */
export function holdFile(path: string): Hold | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  register = registerOfThread() ?? { table: new HoldTable(), thread: MAIN_THREAD };
  const { table, thread } = register;
  const slot = table.hold(stats, thread);
  if (slot === undefined) throw tooManyHolds({ path });
  let isReleased = false;
  return {
    release(isOver = () => true) {
      if (isReleased) return;
      isReleased = true;
      ending.set(slot, isOver);
      settle();
    },
  };
}

/** Throws `file-held` for a file that is registered; `stats` may be `undefined` where there is no file. */
export function refuseHeld(path: string, stats: FileIdentity | undefined): void {
  settle();
  if (stats !== undefined && registerOfThread()?.table.isHeld(stats) === true) throw fileHeld({ path });
}

/** Closes a descriptor, or keeps it open for as long as closing it would break somebody's locks. */
export function closeDescriptor(descriptor: number, file: FileIdentity): void {
  if (!tryClose(descriptor, file)) parked.set(descriptor, file);
}

/**
 * Makes the register one for all threads that are started from now on; to be called before a worker thread is started
 * that opens databases, or files while others have databases open. Such a worker is started with
 * `trackUnmanagedFds: false`, so that its end closes nothing that it keeps open for the sake of others' locks, and
 * `dropHoldsOfThread` is called when it has ended.
 */
export function shareHolds(): void {
  register = registerOfThread() ?? { table: new HoldTable(), thread: MAIN_THREAD };
  process.getBuiltinModule('node:worker_threads').setEnvironmentData(SHARED_AS, register.table.memory);
}

/** Gives free what a worker thread held that has ended; the system closed its files with it. */
export function dropHoldsOfThread(thread: number): void {
  registerOfThread()?.table.freeAllOf(thread);
  settle();
}

function settle(): void {
  for (const [slot, isOver] of ending) {
    if (!isOver()) continue;
    ending.delete(slot);
    registerOfThread()?.table.free(slot);
  }
  for (const [descriptor, file] of parked) {
    if (tryClose(descriptor, file)) parked.delete(descriptor);
  }
}

function tryClose(descriptor: number, file: FileIdentity): boolean {
  const found = registerOfThread();
  if (found !== undefined) return found.table.closeUnlessHeld(file, found.thread, () => closeSync(descriptor));
  closeSync(descriptor);
  return true;
}

/** In the main thread there is none until something was held or shared. */
function registerOfThread(): Register | undefined {
  if (register !== undefined || isLookedFor) return register;
  isLookedFor = true;
  if (isWorkerThread()) register = inherited();
  return register;
}

function inherited(): Register {
  const { getEnvironmentData, threadId } = process.getBuiltinModule('node:worker_threads');
  const memory = getEnvironmentData(SHARED_AS);
  return { table: memory instanceof SharedArrayBuffer ? new HoldTable(memory) : new HoldTable(), thread: threadId };
}

/** Asked in this way because loading the module that knows would make each start some milliseconds slower. */
function isWorkerThread(): boolean {
  try {
    process.chdir('.');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_WORKER_UNSUPPORTED_OPERATION';
  }
}
