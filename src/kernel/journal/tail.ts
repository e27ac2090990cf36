import { decodeLine, isTornOwn, MAX_LINE_BYTES, resemblesEnd } from './line.ts';
import { readAt, readAtOnce } from './source.ts';

const NEWLINE = 0x0a;
const BLOCK_BYTES = 1024 * 1024;
const FIRST_LOOK_BYTES = 4096;

/**
 * How a file ends: with a whole line, in the midst of one (`cut`), or with a line that is torn although it has its
 * newline (`torn`), since a writer that came to repair it was cut off after the first byte.
 */
export type Ending = 'whole' | 'cut' | 'torn';

/** Looks at once, since what is appended next depends on it. */
export function endingOf(descriptor: number, size: number): Ending {
  if (size === 0) return 'whole';
  for (let length = FIRST_LOOK_BYTES; ; length *= 8) {
    const offset = Math.max(0, size - Math.min(length, MAX_LINE_BYTES + 1));
    const bytes = readAtOnce(descriptor, { offset, length: size - offset });
    if (bytes.at(-1) !== NEWLINE) return 'cut';
    // Mostly so, and then the beginning of a long line need not be read.
    if (resemblesEnd(bytes.subarray(0, -1))) return 'whole';
    const before = bytes.lastIndexOf(NEWLINE, -2);
    if (before !== -1 || offset === 0) return isTornOwn(bytes.subarray(before + 1, -1)) ? 'torn' : 'whole';
    if (length > MAX_LINE_BYTES) return 'whole';
  }
}

/** The number of the last whole record of a writer; 0 when it has none. Searches from the end. */
export async function lastCounter(descriptor: number, { writer, size }: { writer: string; size: number }): Promise<number> {
  const beginning = Buffer.from(`{"w":"${writer}#`);
  for (let end = size; end > 0; ) {
    const offset = Math.max(0, end - BLOCK_BYTES);
    const block = await readAt(descriptor, { offset, length: Math.min(size, end + beginning.length) - offset });
    for (let hit = block.lastIndexOf(beginning); hit !== -1; hit = hit === 0 ? -1 : block.lastIndexOf(beginning, hit - 1)) {
      const line = decodeLine(await restOfLine(descriptor, offset + hit));
      if (line.kind === 'own') return line.counter;
    }
    end = offset;
  }
  return 0;
}

async function restOfLine(descriptor: number, offset: number): Promise<Buffer> {
  for (let length = FIRST_LOOK_BYTES; ; length *= 8) {
    const bytes = await readAt(descriptor, { offset, length: Math.min(length, MAX_LINE_BYTES) });
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return bytes.subarray(0, end);
    if (bytes.length < length) return bytes;
  }
}
