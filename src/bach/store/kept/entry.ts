import type { FactAnswer, ImportRead } from '../../model/index.ts';
import { buildId } from './build-id.ts';
import type { Keeping, KeptProject, ProjectSource } from './kept-project.ts';
import { pack } from './pack.ts';
import { sealed, sha256, textOf, unsealed } from './sealed.ts';
import { unpack } from './unpack.ts';

/** First word of the file; another number for another form of it. */
const FORMAT = 'bach-project-1';
const NEWLINE = '\n';

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
  return sealed(FORMAT, `${JSON.stringify(head)}${NEWLINE}${body}${NEWLINE}`);
}

/** Nothing for bytes that are not a whole entry of this form. */
export function readEntry(bytes: Uint8Array): Entry | undefined {
  const text = unsealed(FORMAT, bytes);
  const end = text?.indexOf(NEWLINE) ?? -1;
  if (text === undefined || end < 0) return undefined;
  const head = JSON.parse(text.toString('utf8', 0, end)) as EntryHead;
  return { head, open: () => unpack(textOf(text.subarray(end + 1))) as KeptProject };
}

export function environmentDigest(value: string | undefined): string | null {
  return value === undefined ? null : sha256(value);
}

/** What is asked for, as far as the project goes. */
export function askedText({ file, canonical, cwd, overrides, profiles }: ProjectSource): string {
  return JSON.stringify([file, canonical, cwd, overrides.map(({ name, value }) => [name, value]), profiles]);
}
