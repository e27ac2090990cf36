import { readBytesIfPresent, replaceFile } from '../kernel/files/index.ts';
import { epochUnreadable } from './errors.ts';

/** Tells a holder that was stopped and continued whether the run is still its own. */
export interface Fence {
  /** Takes an epoch above the last one and above `least`, durably: from then on the holder before is fenced off. */
  raise(least: number): Promise<number>;
  /** Whether nobody raised it since. */
  isOurs(): boolean;
}

interface Raised {
  readonly epoch: number;
  readonly by: string;
}

/**
 * A fence in a file that names the last holder. A taker raises it before it reads the step log, and a holder looks at
 * it after each record: so every intent was either seen by the taker, or its writer does not act on it.
 * Throws `epoch-unreadable`, and what the system refuses.
 */
export function fileFence(path: string, by: string): Fence {
  return {
    async raise(least) {
      const epoch = Math.max(least, readRaised(path)?.epoch ?? 0) + 1;
      await replaceFile(path, `${JSON.stringify({ epoch, by })}\n`);
      return epoch;
    },
    isOurs: () => readRaised(path)?.by === by,
  };
}

function readRaised(path: string): Raised | undefined {
  const bytes = readBytesIfPresent(path, { maxBytes: 1024 });
  if (bytes === undefined) return undefined;
  const raised = parse(Buffer.from(bytes).toString('utf8'));
  if (typeof raised?.epoch !== 'number' || typeof raised.by !== 'string') throw epochUnreadable({ path });
  return raised as Raised;
}

function parse(text: string): Partial<Raised> | undefined {
  try {
    return JSON.parse(text) as Partial<Raised> | undefined;
  } catch {
    // Whatever it is, it names no holder.
    return undefined;
  }
}
