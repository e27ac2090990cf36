import type { JournalRecord } from './contract.ts';
import { canBeTorn, decodeLine, hasWholeRecord, REPAIR_KIND, type BadLine, type Line, type OwnLine } from './line.ts';

export type GoodLine = Exclude<Line, BadLine>;

/** What of a bad line can be told apart. */
export interface Piece {
  /** Bytes from the beginning of the line. */
  readonly at: number;
  readonly bytes: Buffer;
  readonly line: GoodLine | (BadLine & { readonly torn: boolean });
}

/** A line with more beginnings than this is not looked at further. */
const MAX_BEGINNINGS = 16;
const BEGINNING = '{"w":"';

/**
 * Cuts a bad line, without its newline, into what was written at once. That is one piece, but for a race: a writer
 * was cut off after another had looked at the end of the file, so that a whole record follows torn bytes in one line.
 */
export function piecesOf(bytes: Buffer, bad: BadLine): readonly Piece[] {
  const record = wholeRecordIn(bytes);
  if (record === undefined) return [{ at: 0, bytes, line: judged(bytes, bad) }];
  const before = bytes.subarray(0, record.at);
  const line = decodeLine(before);
  if (line.kind !== 'bad') return [{ at: 0, bytes: before, line }, record];
  // A repair record begins its line by itself: there the newline before it was lost.
  const first = { ...judged(before, line), ...(isRepair(record.line) ? { torn: false } : {}) };
  return [{ at: 0, bytes: before, line: first }, record];
}

/** Whether a line of ours marks the torn bytes before it. */
export function isRepair({ record }: { readonly record: JournalRecord }): boolean {
  return record['kind'] === REPAIR_KIND;
}

function judged(bytes: Buffer, line: BadLine): BadLine & { readonly torn: boolean } {
  if (!hasWholeRecord(bytes)) return { ...line, torn: canBeTorn(bytes) };
  return { kind: 'bad', problem: 'fused', reason: 'it goes on after a whole record', torn: false };
}

function wholeRecordIn(bytes: Buffer): (Piece & { readonly line: OwnLine }) | undefined {
  let at = bytes.indexOf(BEGINNING, 1);
  for (let tried = 0; at !== -1 && tried < MAX_BEGINNINGS; tried += 1) {
    const rest = bytes.subarray(at);
    const line = decodeLine(rest);
    if (line.kind === 'own') return { at, bytes: rest, line };
    at = bytes.indexOf(BEGINNING, at + 1);
  }
  return undefined;
}
