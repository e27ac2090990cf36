import { spawn } from 'node:child_process';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const CHILD = fileURLToPath(new URL('reference-child.mjs', import.meta.url));
const MESSAGE = /f:(\d+),(\d+)-[\d,]+: ([^;]+);/g;

export interface ReferenceError {
  readonly line: number;
  readonly column: number;
  readonly summary: string;
}

export type FileAnswer =
  | { readonly verdict: 'accepted'; readonly json: Readonly<Record<string, unknown>> }
  /** The parser took the text; what comes after it could not turn it into JSON. */
  | { readonly verdict: 'accepted-without-json' }
  | { readonly verdict: 'rejected'; readonly errors: readonly ReferenceError[] };

/** A node as the reference prints it; each kind of expression has its own `meta`. */
export interface ReferenceNode {
  readonly type: string;
  readonly children: readonly ReferenceNode[];
  readonly meta: Readonly<Record<string, unknown>> | undefined;
}

interface RawAnswer {
  readonly value?: unknown;
  readonly error?: string;
}

interface RawAnswers {
  readonly files: readonly RawAnswer[];
  readonly expressions: readonly RawAnswer[];
}

/** What the reference says to each text, by the text. */
export interface Answers {
  readonly files: ReadonlyMap<string, FileAnswer>;
  /** Undefined where the reference takes the text for no expression. */
  readonly expressions: ReadonlyMap<string, ReferenceNode | undefined>;
}

/** Asks HashiCorp's parser about files and expressions, all in one process: its start takes most of the time. */
export async function askReference(files: readonly string[], expressions: readonly string[]): Promise<Answers> {
  const child = spawn(process.execPath, [CHILD], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ files, expressions }));
  const raw = JSON.parse(await readText(child.stdout)) as RawAnswers;
  return {
    files: new Map(raw.files.map((answer, index) => [files[index] ?? '', fileAnswer(answer)])),
    expressions: new Map(raw.expressions.map((answer, index) => [expressions[index] ?? '', treeAnswer(answer)])),
  };
}

function treeAnswer({ value }: RawAnswer): ReferenceNode | undefined {
  return (value ?? undefined) as ReferenceNode | undefined;
}

function fileAnswer({ value, error }: RawAnswer): FileAnswer {
  if (error === undefined) return { verdict: 'accepted', json: value as Readonly<Record<string, unknown>> };
  if (!error.startsWith('parse config')) return { verdict: 'accepted-without-json' };
  const errors = [...error.matchAll(MESSAGE)].map(([, line, column, summary]) => ({
    line: Number(line),
    column: Number(column),
    summary: summary ?? '',
  }));
  return { verdict: 'rejected', errors: inReadingOrder(errors) };
}

/**
 * The reference lists what is wrong with the end of a one-line block before what is wrong inside it. Here the error
 * that is met first comes first.
 */
function inReadingOrder(errors: readonly ReferenceError[]): readonly ReferenceError[] {
  const [first, ...others] = errors;
  if (first?.summary !== 'Invalid single-argument block definition') return errors;
  const earlier = others.find(({ line, column }) => line < first.line || (line === first.line && column < first.column));
  return earlier === undefined ? errors : [earlier, ...errors.filter((error) => error !== earlier)];
}
