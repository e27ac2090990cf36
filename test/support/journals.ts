import { appendFileSync, readFileSync } from 'node:fs';
import { openJournal, type JournalRecord } from '../../src/kernel/journal/index.ts';
import type { Clock } from '../../src/kernel/time/index.ts';

/** 2026-01-02T03:04:05Z for ever. */
export const stillClock: Clock = { wall: () => 1_767_323_045_000_000_000n, mono: () => 0, boot: () => 0 };

/** Opens the journal as this writer, appends all of it durably, and closes it. */
export async function appendTo(path: string, writer: string, records: readonly JournalRecord[]): Promise<void> {
  const journal = await openJournal(path, { clock: stillClock, writer });
  await Promise.all(records.map((record) => journal.note(record)));
  await journal.close();
}

/** What a writer leaves that was cut off: bytes without a newline. */
export function appendBytes(path: string, bytes: string | Uint8Array): void {
  appendFileSync(path, bytes);
}

/** The lines of a file with their newlines, and where each begins. */
export function linesOf(path: string): readonly { readonly offset: number; readonly bytes: Buffer }[] {
  const bytes = readFileSync(path);
  const lines = [];
  for (let offset = 0; offset < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, offset);
    const end = newline === -1 ? bytes.length : newline + 1;
    lines.push({ offset, bytes: bytes.subarray(offset, end) });
    offset = end;
  }
  return lines;
}
