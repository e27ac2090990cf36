import { join } from 'node:path';
import { removeLeftovers } from '../kernel/files/index.ts';
import type { IdSource } from '../kernel/ids/index.ts';
import { tryLock } from '../kernel/lock/index.ts';
import { watchClock, type Clock } from '../kernel/time/index.ts';
import { fileFence } from './fence.ts';
import { openStepLog, readStepLog } from './log.ts';
import type { Mask } from './mask.ts';
import type { EnginePorts, Timers } from './ports.ts';

/** How often the hands of the clock are compared, in milliseconds. */
const LOOK_AT_CLOCK_MS = 1000;
/** What a timer can count to; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** Nobody writes one file for so long, in nanoseconds. */
const ABANDONED_AFTER = 3_600_000_000_000n;

/** The files of a run that are the engine's; the rest of the folder is the system's. */
export function runFiles(folder: string): { readonly log: string; readonly lock: string; readonly epoch: string } {
  return { log: join(folder, 'steps.jsonl'), lock: join(folder, 'run.lock'), epoch: join(folder, 'epoch.json') };
}

interface FolderOptions {
  readonly clock: Clock;
  /** Names the holder. */
  readonly ids: IdSource;
  /** Ends or adopts what the holder before left running. */
  readonly settleLeftovers: EnginePorts['settleLeftovers'];
  /** `redactValue` of the redaction that the rest of the run has. */
  readonly mask: Mask;
}

/** The ports of a run whose log, lock and epoch are files of `folder`, which must exist. */
export function folderPorts(folder: string, { clock, ids, settleLeftovers, mask }: FolderOptions): EnginePorts {
  const files = runFiles(folder);
  const by = ids.next();
  return {
    clock,
    timers: systemTimers,
    lock: () => tryLock(files.lock),
    by,
    fence: fileFence(files.epoch, by),
    logPath: files.log,
    readLog: () => readStepLog(files.log),
    openLog: async () => {
      await removeLeftovers(folder, { before: clock.wall() - ABANDONED_AFTER });
      return openStepLog(files.log, { clock, by });
    },
    settleLeftovers,
    mask,
    watchClock(onEvent) {
      const watch = watchClock(clock);
      const timer = setInterval(() => watch.look().forEach(onEvent), LOOK_AT_CLOCK_MS);
      return () => clearInterval(timer);
    },
  };
}

const systemTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
