import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { refuseUnlessRegular } from '../../kernel/files/index.ts';
import type { Redactor } from '../../kernel/redact/index.ts';
import { LineCutter } from '../../kernel/text/index.ts';

const CHUNK = 64 * 1024;

/** A longer line is shown by its end. */
const LONGEST_TAIL_LINE = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The last `count` lines of a log that pass a test, read from its end, so that a log of any size takes little time and
 * memory. `undefined` when the log is gone.
 */
export function lastLines(path: string, count: number, keep: (line: string) => boolean): readonly string[] | undefined {
  return withLog(path, (log) => {
    const kept: string[] = [];
    for (const line of linesBackwards(log)) {
      if (kept.length === count) break;
      if (keep(line)) kept.push(line);
    }
    return kept.reverse();
  });
}

/** All lines of a log that pass a test, handed on piece by piece. False when the log is gone. */
export async function eachLine(path: string, visit: LineVisitor): Promise<boolean> {
  const log = openIfPresent(path);
  if (log === undefined) return false;
  try {
    const cutter = new LineCutter(visit.line);
    for (let offset = 0; ; ) {
      const chunk = readAt(log, offset, CHUNK);
      if (chunk.length === 0) break;
      cutter.write(visit.redactor.push(chunk));
      offset += chunk.length;
      await visit.taken();
    }
    cutter.write(visit.redactor.flush());
    cutter.end();
    return true;
  } finally {
    closeSync(log.descriptor);
  }
}

export interface LineVisitor {
  /** Masks what the log shows. */
  readonly redactor: Redactor;
  readonly line: (line: string) => void;
  /** Awaited after each piece of the log. */
  readonly taken: () => Promise<void>;
}

interface OpenLog {
  readonly path: string;
  readonly descriptor: number;
}

/** From the last line to the first, without their ends. */
function* linesBackwards(log: OpenLog): Iterable<string> {
  let end = sizeOf(log);
  let rest: Buffer = Buffer.alloc(0);
  let isLast = true;
  while (end > 0) {
    const start = Math.max(0, end - CHUNK);
    let block: Buffer = Buffer.concat([readAt(log, start, end - start), rest]);
    for (let newline = block.lastIndexOf(NEWLINE); newline >= 0; newline = block.lastIndexOf(NEWLINE)) {
      const line = block.subarray(newline + 1);
      if (!isLast || line.length > 0) yield textOf(line);
      isLast = false;
      block = block.subarray(0, newline);
    }
    rest = tailOf(block);
    end = start;
  }
  if (!isLast || rest.length > 0) yield textOf(rest);
}

/** One byte more than is shown, to tell that something was cut. */
function tailOf(line: Buffer): Buffer {
  return Buffer.from(line.subarray(-LONGEST_TAIL_LINE - 1));
}

function textOf(line: Buffer): string {
  const text = line.subarray(-LONGEST_TAIL_LINE).toString().replace(/\r$/, '');
  return line.length > LONGEST_TAIL_LINE ? `…${text}` : text;
}

function withLog<Result>(path: string, work: (log: OpenLog) => Result): Result | undefined {
  const log = openIfPresent(path);
  if (log === undefined) return undefined;
  try {
    return work(log);
  } finally {
    closeSync(log.descriptor);
  }
}

function readAt({ path, descriptor }: OpenLog, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  try {
    return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path });
  }
}

function sizeOf({ descriptor }: OpenLog): number {
  return fstatSync(descriptor).size;
}

function openIfPresent(path: string): OpenLog | undefined {
  // A pipe would pass for an empty log, and a device may have no end.
  if (refuseUnlessRegular(path) === 'missing') return undefined;
  try {
    return { path, descriptor: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw describeSystemError(error, { action: 'read', path });
  }
}
