import { classOf, type ByteClass } from './byte-classes.ts';
import type { Span } from './spans.ts';

/** Up to `max` bytes of a class, and no fewer than `min`. */
export interface Step {
  readonly members: ByteClass;
  readonly min: number;
  readonly max: number;
  /** The next step begins with a byte that belongs here too: this one ends before the last such byte. */
  readonly yields: boolean;
}

export interface Shape {
  readonly steps: readonly Step[];
  /** The steps that are masked: the first, and the one past the last. */
  readonly secret: { readonly from: number; readonly to: number };
  /** No vowel may stand before it. */
  readonly opensWord: boolean;
}

const ELEMENT = /(\\.|\[\^?(?:\\.|[^\]\\])+\]|[^()])(?:\{(\d+),(\d*)\})?|([()])/gs;
const RANGE = /(\\.|[^\\])(?:-([^\]\\]))?/gs;
const NOT_LIMITED = 2 ** 31;
/** Characters that the first three elements take at most. */
const LONGEST_OPENING = 24;
const BOUNDARY = '\\b';

/** Reads a shape as `shapes.ts` writes it. */
export function compileShape(source: string): Shape {
  const steps: Step[] = [];
  let from = 0;
  let to = 0;
  for (const [, element = '', min = '1', max, bracket] of withoutBoundary(source).matchAll(ELEMENT)) {
    if (bracket === '(') from = steps.length;
    else if (bracket === ')') to = steps.length;
    else steps.push(stepOf(element, { min, max }));
  }
  const yielding = steps.map((step, index) => (yieldsTo(step, steps[index + 1]) ? { ...step, yields: true } : step));
  return { steps: yielding, secret: { from, to }, opensWord: source.startsWith(BOUNDARY) };
}

/** The first three characters of a shape, as a regular expression has them. */
export function openingOf(source: string): string {
  const elements = [...withoutBoundary(source).slice(0, LONGEST_OPENING).matchAll(ELEMENT)].flatMap(([, element = '']) => (element === '' ? [] : [element]));
  return elements.slice(0, 3).map((element) => (element === '/' ? '\\/' : element)).join('');
}

function withoutBoundary(source: string): string {
  return source.startsWith(BOUNDARY) ? source.slice(BOUNDARY.length) : source;
}

function stepOf(element: string, { min, max }: { readonly min: string; readonly max: string | undefined }): Step {
  const most = max === '' ? NOT_LIMITED : Number(max ?? min);
  return { members: membersOf(element), min: Number(min), max: most, yields: false };
}

function yieldsTo({ members, max }: Step, next: Step | undefined): boolean {
  return max > 1 && next?.max === 1 && next.members.some((member, byte) => member === 1 && members[byte] === 1);
}

/** Shapes have few different elements, and commands that start have little time. */
const known = new Map<string, ByteClass>();

function membersOf(element: string): ByteClass {
  const found = known.get(element);
  if (found !== undefined) return found;
  const members = readMembers(element);
  known.set(element, members);
  return members;
}

function readMembers(element: string): ByteClass {
  if (!element.startsWith('[')) return classOf(charactersOf(element));
  const isNegated = element.startsWith('[^');
  const inside = element.slice(isNegated ? 2 : 1, -1);
  const members = classOf([...inside.matchAll(RANGE)].map(([, first = '', last]) => rangeOf(first, last)).join(''));
  return isNegated ? members.map((member) => 1 - member) : members;
}

function rangeOf(first: string, last: string | undefined): string {
  if (last === undefined) return charactersOf(first);
  const from = first.charCodeAt(0);
  return String.fromCharCode(...Array.from({ length: last.charCodeAt(0) - from + 1 }, (_, index) => from + index));
}

function charactersOf(character: string): string {
  const escapes: Readonly<Record<string, string>> = { '\\s': ' \t\r\n', '\\t': '\t' };
  return escapes[character] ?? character.slice(-1);
}

/** Where a shape was found, in the bytes that it was looked for in. */
export interface Found {
  /** Of the part that is masked. */
  readonly from: number;
  readonly to: number;
  /** The end of the bytes cut it off: what follows may belong to it as well. */
  readonly open: Run | undefined;
}

/** Bytes that still belong to a shape. */
export interface Run {
  readonly members: ByteClass;
  /** Where they begin. */
  readonly at: number;
  readonly left: number;
}

/** Bytes that a shape is looked for in. */
export interface Text {
  readonly bytes: Buffer;
  /** Nothing follows them. */
  readonly last: boolean;
}

/** Looks for a shape that begins at `start`: found, not there, or cut off by the end before that is certain. */
export function matchShape({ steps, secret }: Shape, text: Text, start: number): Found | 'none' | 'cut' {
  let at = start;
  let from = start;
  let to = start;
  for (const [index, step] of steps.entries()) {
    if (index === secret.from) from = at;
    const taken = takeStep(step, steps[index + 1], { text, at });
    if (taken < 0) return taken === CUT_OFF ? 'cut' : 'none';
    at = taken;
    if (index + 1 === secret.to) to = at;
  }
  if (to < at) return { from, to, open: undefined };
  const { members, max } = steps.at(-1) ?? NO_STEP;
  return openEnded(text, { from, to, run: { members, at: to, left: max - (to - from) } });
}

/** A backslash at the end may escape what follows, and then it is none of the shape. */
export function openEnded({ bytes, last }: Text, { from, to, run }: Span & { readonly run: Run }): Found {
  let end = to;
  while (end > from && bytes[end - 1] === BACKSLASH) end--;
  const mayGoOn = !last && to === bytes.length && run.left > 0;
  return { from, to: end, open: mayGoOn ? { ...run, at: end, left: run.left + (to - end) } : undefined };
}

const BACKSLASH = 0x5c;
const NO_STEP: Step = { members: new Uint8Array(256), min: 0, max: 0, yields: false };
const NOT_THERE = -1;
const CUT_OFF = -2;

/** Where the bytes of one step end. */
function takeStep({ members, min, max, yields }: Step, next: Step | undefined, { text, at }: { readonly text: Text; readonly at: number }): number {
  const { bytes, last } = text;
  const limit = Math.min(bytes.length, at + max);
  const end = runEnd(members, bytes, { from: at, to: limit });
  const mayGoOn = !last && end === bytes.length && end - at < max;
  if (mayGoOn && (next !== undefined || end - at < min)) return CUT_OFF;
  if (end - at < min) return NOT_THERE;
  return yields && next !== undefined ? lastPlaceFor(next, { bytes, at: at + min, end }) : end;
}

/** Where bytes of a class end, at `to` at the latest. */
export function runEnd(members: ByteClass, bytes: Buffer, { from, to }: { readonly from: number; readonly to: number }): number {
  let end = from;
  while (end < to && members[bytes[end] as number] === 1) end++;
  return end;
}

/** The last place from `at` to `end` at which the next step can begin. */
function lastPlaceFor({ members }: Step, { bytes, at, end }: { bytes: Buffer; at: number; end: number }): number {
  for (let place = Math.min(end, bytes.length - 1); place >= at; place--) {
    if (members[bytes[place] as number] === 1) return place;
  }
  return NOT_THERE;
}

const VOWELS = classOf('aeiou');

/** What stands before the last two letters of `task`, `disk`, `desk`. */
export function isVowel(byte: number): boolean {
  return VOWELS[byte] === 1;
}
