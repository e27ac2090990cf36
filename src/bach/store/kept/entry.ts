import { isAscii } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FactAnswer, ImportRead } from '../../model/index.ts';
import { buildId } from './build-id.ts';
import type { Keeping, KeptProject, ProjectSource } from './kept-project.ts';
import { pack } from './pack.ts';
import { unpack } from './unpack.ts';

/** First word of the file; another number for another form of it. */
const FORMAT = 'bach-project-1';
const NEWLINE = '\n';
const DIGEST = /^[0-9a-f]{64}$/;

/** What the kept project was made from; digests stand for everything that could be secret. */
export interface EntryHead {
  /** Of the build of this program, and of how it was asked. */
  readonly key: string;
  readonly bachfile: string;
  readonly statePath: string;
  readonly imports: readonly (ImportRead & { readonly digest: string })[];
  /** Null for a variable that is not set. */
  readonly environment: readonly (readonly [name: string, digest: string | null])[];
  /** By `factKey`. */
  readonly facts: readonly (readonly [key: string, answer: FactAnswer])[];
}

export interface Entry {
  readonly head: EntryHead;
  open(): KeptProject | undefined;
}

/** Projects of one name take each other's place. */
export function entryName(source: ProjectSource): string {
  return `project-${sha256(askedText(source)).slice(0, 32)}`;
}

export function entryKey(source: ProjectSource): string {
  return sha256(JSON.stringify([buildId(), askedText(source)]));
}

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** The text of an entry; nothing for a project that has no stored form. */
export function entryText(source: ProjectSource, { kept, reads, imported, statePath }: Keeping): string | undefined {
  const body = pack(kept);
  const imports = reads.imports.map((read) => ({ ...read, bytes: imported.get(read.canonical) }));
  if (body === undefined) return undefined;
  const head: EntryHead = {
    key: entryKey(source),
    bachfile: sha256(source.bytes),
    statePath,
    imports: imports.map(({ bytes, ...read }) => ({ ...read, digest: bytes === undefined ? '' : sha256(bytes) })),
    environment: [...reads.environment].map(([name, value]) => [name, environmentDigest(value)]),
    facts: [...reads.answers],
  };
  const rest = `${JSON.stringify(head)}${NEWLINE}${body}${NEWLINE}`;
  return `${FORMAT} ${sha256(rest)}${NEWLINE}${rest}`;
}

/** Nothing for bytes that are not a whole entry of this form. */
export function readEntry(bytes: Uint8Array): Entry | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = text.indexOf(NEWLINE);
  const second = text.indexOf(NEWLINE, first + 1);
  if (first < 0 || second < 0) return undefined;
  const [format, digest = ''] = text.toString('latin1', 0, first).split(' ');
  if (format !== FORMAT || !DIGEST.test(digest) || sha256(text.subarray(first + 1)) !== digest) return undefined;
  const head = JSON.parse(text.toString('utf8', first + 1, second)) as EntryHead;
  return { head, open: () => unpack(decoded(text.subarray(second + 1))) as KeptProject };
}

export function environmentDigest(value: string | undefined): string | null {
  return value === undefined ? null : sha256(value);
}

/** Half the time where each byte is a letter. */
function decoded(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

function askedText({ file, canonical, cwd, overrides, profiles }: ProjectSource): string {
  return JSON.stringify([file, canonical, cwd, overrides.map(({ name, value }) => [name, value]), profiles]);
}
