import { isDroverError } from '../../kernel/errors/index.ts';
import { readTail, type Tail } from '../../kernel/files/index.ts';
import { createSafeStream } from '../../kernel/terminal/index.ts';
import type { CheckCommand } from './command.ts';

export interface OutputEnd {
  /** The last 2,000 characters, after the mark where there were more. */
  readonly detail: string;
  /** The last 64 KiB. */
  readonly tail: string;
}

const TAIL_BYTES = 64 * 1024;
const MOST_DETAIL = 2_000;
const CONTINUATION = 0b10;
const LONGEST_CHARACTER = 4;
const LONE_TAIL = /^[\uDC00-\uDFFF]/;

/** The end of a log as a person may see it: without secrets and escapes, bytes that are no text replaced. */
export async function readOutput(log: string, { host, truncationMark = '' }: CheckCommand): Promise<OutputEnd> {
  const end = await readLog(log);
  if (end === undefined) return { detail: '', tail: '' };
  const { bytes, offset } = end;
  const tail = plainText(masked(offset > 0 ? fromCharacter(bytes) : bytes, host));
  if (offset === 0 && tail.length <= MOST_DETAIL) return { detail: tail, tail };
  return { detail: truncationMark + tail.slice(-MOST_DETAIL).replace(LONE_TAIL, ''), tail };
}

/** Whoever is checked may have removed it, or put something else there. */
async function readLog(log: string): Promise<Tail | undefined> {
  try {
    return await readTail(log, { maxBytes: TAIL_BYTES });
  } catch (error) {
    if (isDroverError(error)) return undefined;
    throw error;
  }
}

/** The log is masked already; what could not be masked there is masked here. */
function masked(bytes: Uint8Array, { redaction }: CheckCommand['host']): Buffer {
  const redactor = redaction.createRedactor();
  return Buffer.concat([redactor.push(Buffer.from(bytes)), redactor.flush()]);
}

function plainText(bytes: Buffer): string {
  const stream = createSafeStream({ colour: false });
  return stream.push(bytes) + stream.flush();
}

/** Without the rest of a character that began before. */
function fromCharacter(bytes: Uint8Array): Uint8Array {
  const first = bytes.subarray(0, LONGEST_CHARACTER).findIndex((byte) => byte >> 6 !== CONTINUATION);
  return bytes.subarray(Math.max(0, first));
}
