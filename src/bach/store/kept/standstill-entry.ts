import type { EnvironmentEntry } from '../../model/index.ts';
import type { OutputRecord } from '../inputs/index.ts';
import { StoredOutput } from '../stored-stamps.ts';
import { askedText, environmentDigest, type EntryHead } from './entry.ts';
import type { ProjectSource } from './kept-project.ts';
import { sealed, sha256, textOf, unsealed } from './sealed.ts';
import type { AskedRun, FoundStandstill, Standstill } from './standstill.ts';

/** First word of the file; another number for another form of it. */
const FORMAT = 'bach-standstill-1';
/** What their names begin with. */
export const STANDSTILL = 'standstill-';

/** What a standstill rests on beside files and state; digests stand for everything that could be secret. */
export interface StandstillHead {
  readonly project: EntryHead;
  readonly environmentFiles: string;
  /** Null for a variable that is not set. */
  readonly environment: readonly (readonly [name: string, digest: string | null])[];
}

type Told = FoundStandstill['standstill'];

interface StandstillFile extends Omit<Told, 'sights'> {
  readonly head: StandstillHead;
  readonly tree: Told['sights']['tree'];
  readonly outputs: readonly StoredFields[];
}

type StoredFields = readonly [path: string, kind: OutputRecord['kind'], hash: string, entriesHash: string, facts: string];

/** Those of one name, asked for from the same place in the same words, take each other's place. */
export function standstillName(source: ProjectSource, asked: AskedRun): string {
  const { targets, jobs, envFile, yes, logOnly, verbose } = asked;
  const words = JSON.stringify([askedText(source), targets, jobs ?? null, envFile ?? null, yes, logOnly, verbose]);
  return `${STANDSTILL}${sha256(words).slice(0, 32)}`;
}

export function headOf(project: EntryHead, files: readonly EnvironmentEntry[], environment: Standstill['environment']): StandstillHead {
  const read = Array.from(environment, ([name, value]) => [name, environmentDigest(value)] as const);
  return { project, environmentFiles: filesDigest(files), environment: read };
}

/** The order counts, as it does for what the entries come to. */
export function filesDigest(files: readonly EnvironmentEntry[]): string {
  return sha256(JSON.stringify(files.map(({ name, value }) => [name, value])));
}

export function standstillText(head: StandstillHead, standstill: Standstill): string {
  const { sights, runId, cacheStamp, statePath, target, lines, counters } = standstill;
  const told = { runId, cacheStamp, statePath, target, lines, counters };
  const file: StandstillFile = { ...told, head, tree: sights.tree, outputs: sights.outputs.map(fieldsOf) };
  return sealed(FORMAT, JSON.stringify(file));
}

/** Nothing for bytes that are not a whole one of this form. */
export function readStandstill(bytes: Uint8Array): { readonly head: StandstillHead; readonly standstill: Told } | undefined {
  const text = unsealed(FORMAT, bytes);
  if (text === undefined) return undefined;
  const { head, tree, outputs, ...told } = JSON.parse(textOf(text)) as StandstillFile;
  return { head, standstill: { ...told, sights: { tree, outputs: outputs.map(outputOf) } } };
}

function fieldsOf({ path, kind, hash, entriesHash, stamp, startedNs }: OutputRecord): StoredFields {
  const facts = [stamp.size, stamp.mtimeNs, stamp.ctimeNs, stamp.ino, stamp.dev, startedNs].join(' ');
  return [path, kind, hash, entriesHash, facts];
}

function outputOf([path, kind, hash, entriesHash, facts]: StoredFields): OutputRecord {
  return new StoredOutput({ path, kind, hash, entriesHash, facts });
}
