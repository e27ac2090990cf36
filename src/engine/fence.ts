import { readBytesIfPresent, replaceFile } from '../kernel/files/index.ts';
import { epochMissing, epochUnreadable } from './errors.ts';

/** Tells a holder that was stopped and continued whether the run is still its own. */
export interface Fence {
  /**
   * Takes an epoch above the last one and above `least`, durably: from then on the holder before is fenced off.
   * Throws `epoch-unreadable`, and then nothing was changed.
   */
  raise(least: number): Promise<number>;
  /** Whether nobody raised it since. Throws `epoch-missing` and `epoch-unreadable`: neither tells of another holder. */
  isOurs(): boolean;
}

interface Raised {
  readonly epoch: number;
  readonly by: string;
}

/**
 * A fence in a file that names the last holder. A taker raises it before it reads the step log, and a holder looks at
 * it after each record: so every intent was either seen by the taker, or its writer does not act on it.
 * Throws `epoch-unreadable`, `epoch-missing`, and what the system refuses.
 */
export function fileFence(path: string, by: string): Fence {
  return {
    async raise(least) {
      const epoch = Math.max(least, readRaised(path)?.epoch ?? 0) + 1;
      // The one above it would be the same number.
      if (!Number.isSafeInteger(epoch)) throw epochUnreadable({ path });
      await replaceFile(path, `${JSON.stringify({ epoch, by })}\n`);
      return epoch;
    },
    isOurs() {
      const raised = readRaised(path);
      if (raised === undefined) throw epochMissing({ path });
      return raised.by === by;
    },
  };
}

function readRaised(path: string): Raised | undefined {
  const bytes = readBytesIfPresent(path, { maxBytes: 1024 });
  if (bytes === undefined) return undefined;
  const raised = parse(Buffer.from(bytes).toString('utf8'));
  if (!isEpoch(raised.epoch) || typeof raised.by !== 'string') throw epochUnreadable({ path });
  return raised as Raised;
}

function isEpoch(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function parse(text: string): Partial<Raised> {
  try {
    return (JSON.parse(text) as Partial<Raised> | null) ?? {};
  } catch {
    // Whatever it is, it names no holder.
    return {};
  }
}
