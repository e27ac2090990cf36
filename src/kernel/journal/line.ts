import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { JournalRecord, Problem } from './contract.ts';

/** Who wrote a line, and the how manyth of that writer it is: `engine#12`. Always first in a line of ours. */
export const WRITER_FIELD = 'w';
/** CRC-32 in hex over all bytes of the line before it. Always last in a line of ours. */
export const CHECKSUM_FIELD = 'c';
export const REPAIR_KIND = 'journal-repaired';
/** Of one line, so that a reader's memory is bounded. */
export const MAX_LINE_BYTES = 8 * 2 ** 20;
export const WRITER_NAME = /^[\w.:@-]{1,64}$/;

/**
 * A line is ours when it begins as ours or ends as ours: a single changed byte leaves one of the two, so that no
 * damage makes our line look like one of another tool, which has no checksum.
 */
const OWN_START = /^\{"w":"([\w.:@-]{1,64})#([1-9]\d{0,14})"/;
const WRITER_AT = 6;
const WRITER_LETTER = 0x77;
const QUOTE = 0x22;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const END_OPENING = Buffer.from(',"c":"');
/** `,"c":"1a2b3c4d"}` */
const END_LENGTH = 16;

export interface NewLine {
  readonly writer: string;
  readonly counter: number;
  /** The text between the braces of the record. */
  readonly members: string;
}

/** One line with its newline. */
export function encodeLine({ writer, counter, members }: NewLine): Buffer {
  const covered = Buffer.from(`{"w":"${writer}#${counter}"${members === '' ? '' : ','}${members}`);
  const sum = crc32(covered).toString(16).padStart(8, '0');
  return Buffer.concat([covered, Buffer.from(`,"c":"${sum}"}\n`)]);
}

export interface OwnLine {
  readonly kind: 'own';
  readonly writer: string;
  readonly counter: number;
  readonly record: JournalRecord;
}

export type Line =
  | OwnLine
  | { readonly kind: 'foreign'; readonly record: JournalRecord }
  | BadLine;

export interface BadLine {
  readonly kind: 'bad';
  readonly problem: Problem;
  readonly reason: string;
}

const SUM_DOES_NOT_FIT: BadLine = { kind: 'bad', problem: 'checksum', reason: 'its checksum does not fit' };
const UNREADABLE: BadLine = { kind: 'bad', problem: 'unreadable', reason: 'it is no JSON object in UTF-8' };

/** Reads one line without its newline. */
export function decodeLine(bytes: Buffer): Line {
  const start = startOf(bytes);
  const sum = sumAt(bytes, bytes.length - END_LENGTH);
  if (start === undefined && sum === undefined) return decodeForeign(bytes);
  if (start !== undefined && sum !== undefined) return decodeOwn(bytes, start, sum);
  return { kind: 'bad', problem: 'checksum', reason: 'it has lost its checksum or its writer' };
}

function decodeForeign(bytes: Buffer): Line {
  const record = isUtf8(bytes) ? parseObject(bytes.toString('utf8')) : undefined;
  return record === undefined ? UNREADABLE : { kind: 'foreign', record };
}

function decodeOwn(bytes: Buffer, { writer, counter, length }: Start, sum: number): Line {
  if (crc32(bytes.subarray(0, -END_LENGTH)) !== sum) return SUM_DOES_NOT_FIT;
  // Without the two fields of ours nothing has to be taken out of the object again.
  const record = parseObject(`{${bytes.toString('utf8', length + 1, bytes.length - END_LENGTH)}}`);
  return record === undefined ? UNREADABLE : { kind: 'own', writer, counter, record };
}

interface Start {
  readonly writer: string;
  readonly counter: number;
  /** In bytes, which are as many characters. */
  readonly length: number;
}

function startOf(bytes: Buffer): Start | undefined {
  if (bytes[0] !== BRACE || bytes[2] !== WRITER_LETTER) return undefined;
  const end = bytes.indexOf(QUOTE, WRITER_AT);
  const [opening, writer, counter] = OWN_START.exec(bytes.toString('latin1', 0, end + 1)) ?? [];
  if (opening === undefined || writer === undefined) return undefined;
  return { writer, counter: Number(counter), length: opening.length };
}

/** The checksum in the end of a line that stands at `at`; by hand, since this is asked for each line. */
function sumAt(bytes: Buffer, at: number): number | undefined {
  if (at < 0 || bytes[at + END_LENGTH - 1] !== CLOSING_BRACE) return undefined;
  for (let index = 0; index < END_OPENING.length; index += 1) {
    if (bytes[at + index] !== END_OPENING[index]) return undefined;
  }
  let sum = 0;
  for (let index = at + END_OPENING.length; index < at + END_LENGTH - 2; index += 1) {
    const digit = hexDigit(bytes[index] ?? 0);
    if (digit === undefined) return undefined;
    sum = sum * 16 + digit;
  }
  return bytes[at + END_LENGTH - 2] === QUOTE ? sum : undefined;
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  return byte >= 0x61 && byte <= 0x66 ? byte - 0x57 : undefined;
}

/**
 * Whether a bad line that nobody ended with a newline can be the first part of a record whose write was cut off, and
 * which was therefore never acknowledged. It cannot when all of a record is there and a byte stands for the newline.
 */
export function canBeTorn(bytes: Buffer): boolean {
  return !hasWholeRecord(bytes) && !isJson(bytes) && !isJson(bytes.subarray(0, -1));
}

/** A line of ours that begins as one and goes on after its end: the newline between two records was lost. */
export function hasWholeRecord(bytes: Buffer): boolean {
  if (startOf(bytes) === undefined) return false;
  let sum = 0;
  let summed = 0;
  for (let at = bytes.indexOf(END_OPENING); at !== -1; at = bytes.indexOf(END_OPENING, at + 1)) {
    sum = crc32(bytes.subarray(summed, at), sum);
    summed = at;
    if (sumAt(bytes, at) === sum) return true;
  }
  return false;
}

/** Whether bytes can be the first part of a line of ours; `{` alone is enough. */
function startsAsOwn(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 100);
  return OWN_START.test(text) || /^\{(?:"(?:w(?:"(?::(?:"[\w.:@-]{0,64}(?:#\d{0,15})?)?)?)?)?)?$/.test(text);
}

/** Whether a bad line is the first part of one of ours although it has a newline. */
export function isTornOwn(bytes: Buffer): boolean {
  return startsAsOwn(bytes) && !resemblesEnd(bytes) && canBeTorn(bytes);
}

/** Whether bytes can be the first part of a repair record. */
export function startsAsRepair(bytes: Buffer): boolean {
  if (!startsAsOwn(bytes)) return false;
  const rest = bytes.toString('latin1', 0, 200).replace(OWN_START, '');
  const expected = `,"kind":"${REPAIR_KIND}"`;
  return rest.startsWith('{') || rest.startsWith(expected) || expected.startsWith(rest);
}

/** Whether bytes end as a line of ours, allowing for a few changed ones: a spoiled record does, one cut off hardly. */
export function resemblesEnd(bytes: Buffer): boolean {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - END_LENGTH));
  if (end.length < END_LENGTH) return false;
  const form = ',"c":"hhhhhhhh"}';
  const fitting = [...form].filter((each, at) => (each === 'h' ? /[0-9a-f]/.test(end.charAt(at)) : end[at] === each));
  return fitting.length >= END_LENGTH - 3;
}

function isJson(bytes: Buffer): boolean {
  return parseObject(bytes.toString('utf8')) !== undefined;
}

function parseObject(text: string): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JournalRecord) : undefined;
  } catch {
    // What is no JSON is an answer here, and the caller says where it stood.
    return undefined;
  }
}
