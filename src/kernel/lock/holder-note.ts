import { rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { readBytesIfPresent } from '../files/index.ts';
import { formatRfc3339, type Clock } from '../time/index.ts';

/** Who holds a lock, for messages. It decides nothing: it may be old, missing, or of a process that is long gone. */
export interface HolderNote {
  readonly pid: number;
  /** When the process started, RFC 3339. */
  readonly startedAt: string;
  readonly host: string;
  /** What it was doing, as the user would say it: `drover run`. */
  readonly command: string;
}

const MAX_BYTES = 4096;
const NANOSECONDS_PER_SECOND = 1_000_000_000;

/** This process, doing `command`. */
export function holderNote(clock: Pick<Clock, 'wall'>, command: string): HolderNote {
  const started = clock.wall() - BigInt(Math.round(process.uptime() * NANOSECONDS_PER_SECOND));
  return { pid: process.pid, startedAt: formatRfc3339(started), host: hostname(), command };
}

/** `undefined` where there is none that can be read. */
export function readHolderNote(lockPath: string): HolderNote | undefined {
  try {
    const bytes = readBytesIfPresent(noteOf(lockPath), { maxBytes: MAX_BYTES });
    return bytes === undefined ? undefined : parsed(Buffer.from(bytes).toString('utf8'));
  } catch {
    // It is only for a message, which is shorter then.
    return undefined;
  }
}

/** Only the holder of the lock calls this. A link in its place is replaced, not followed. */
export function writeHolderNote(lockPath: string, note: HolderNote): void {
  try {
    removeHolderNote(lockPath);
    writeFileSync(noteOf(lockPath), `${JSON.stringify(note)}\n`, { flag: 'wx', mode: 0o600 });
  } catch {
    // The lock is held all the same; who asks is told less.
  }
}

export function removeHolderNote(lockPath: string): void {
  try {
    rmSync(noteOf(lockPath), { force: true });
  } catch {
    // It stays behind, and says something that is no longer true, as it may.
  }
}

/** Beside the lock, whose own file nobody may open. */
function noteOf(lockPath: string): string {
  return `${lockPath}.holder`;
}

function parsed(text: string): HolderNote | undefined {
  const value = JSON.parse(text) as Partial<Record<keyof HolderNote, unknown>> | null;
  const { pid, startedAt, host, command } = value ?? {};
  if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof host !== 'string' || typeof command !== 'string') return undefined;
  return { pid, startedAt, host, command };
}
