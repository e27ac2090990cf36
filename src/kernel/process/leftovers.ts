import { basename } from 'node:path';
import { removeDurably } from '../files/index.ts';
import type { NamedProcess } from './contract.ts';
import { MARKER_NAME, TOKEN_NAME } from './marks.ts';
import { Ending, endSurvivors } from './ending.ts';
import { bootId } from './identity.ts';
import { endCgroup, isPopulated } from './layers/cgroup.ts';
import { strangersFamily, type StrangersMarks } from './layers/family.ts';
import { readRecord, type SessionRecord } from './record.ts';

/** What became of a child whose holder is gone. `unknown`: this system does not tell which process is which. */
export type LeftoverState = 'running' | 'ended' | 'unknown';

export interface Adopted {
  readonly state: LeftoverState;
  /** `undefined` when there was no record: then nothing was started, or it ended in order. */
  readonly record: SessionRecord | undefined;
}

export interface LeftoverEnd {
  /** What was met. */
  readonly found: LeftoverState;
  readonly ended: 'graceful' | 'killed' | undefined;
  /** What cannot be proven dead. */
  readonly left: readonly NamedProcess[];
}

export interface LeftoverOptions {
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
}

const NOTHING: LeftoverEnd = { found: 'ended', ended: undefined, left: [] };

/** Looks at what a previous holder recorded and changes nothing. Throws `process-record-damaged`, `symlink-refused`. */
export async function adopt(path: string): Promise<Adopted> {
  const record = await readRecord(path);
  if (record === undefined) return { state: 'ended', record };
  return { state: await stateOf(record), record };
}

/**
 * Ends what a previous holder left running, by its record or by the marker of its run, and removes the record when
 * nothing is left. Never by number alone: start time and boot have to fit, or the mark has to stand in the environment.
 * Throws `process-record-damaged`, `symlink-refused`.
 *
 * @example
 * const { found, left } = await endLeftovers({ record: '/project/.state/session.json' }, { graceMs: 5_000 });
 */
export async function endLeftovers(
  of: { readonly record: string } | { readonly marker: string },
  { graceMs }: LeftoverOptions,
): Promise<LeftoverEnd> {
  if ('marker' in of) return endFamily({ known: [], marks: [`${MARKER_NAME}=${of.marker}`] }, graceMs);
  const record = await readRecord(of.record);
  if (record === undefined) return NOTHING;
  const end = await endRecorded(record, graceMs);
  if (end.left.length === 0 && end.found !== 'unknown') await removeDurably(of.record);
  return end;
}

async function endRecorded(record: SessionRecord, graceMs: number): Promise<LeftoverEnd> {
  if (isUnknowable(record)) return { ...NOTHING, found: 'unknown' };
  if (record.bootId !== bootId()) return NOTHING;
  const end = await endFamily(familyOf(record), graceMs);
  const cgroup = cgroupOf(record);
  if (cgroup === undefined) return end;
  const hadMore = isPopulated(cgroup);
  await endCgroup(cgroup);
  return hadMore ? { ...end, found: 'running', ended: 'killed' } : end;
}

async function stateOf(record: SessionRecord): Promise<LeftoverState> {
  if (isUnknowable(record)) return 'unknown';
  if (record.bootId !== bootId()) return 'ended';
  const cgroup = cgroupOf(record);
  if (cgroup !== undefined && isPopulated(cgroup)) return 'running';
  return (await strangersFamily(familyOf(record)).alive()) ? 'running' : 'ended';
}

async function endFamily(family: StrangersMarks, graceMs: number): Promise<LeftoverEnd> {
  if (bootId() === '') return { ...NOTHING, found: 'unknown' };
  const group = strangersFamily(family);
  if (!(await group.alive())) return NOTHING;
  const ending = new Ending(group, graceMs);
  ending.ask();
  const survivors = await endSurvivors(group, ending);
  ending.close();
  const ended = ending.step() === 'asked' ? 'graceful' : 'killed';
  return { found: 'running', ended, left: survivors === 'left' ? group.left() : [] };
}

function isUnknowable({ startTime, bootId: then }: SessionRecord): boolean {
  return then === '' || bootId() === '' || startTime === 0;
}

/** The marker of the run alone says too little: other children bear it, too. */
function familyOf({ pid, startTime, bootId: boot, token, marker }: SessionRecord): StrangersMarks {
  const marks = token === undefined ? [] : [`${TOKEN_NAME}=${token}`];
  return { known: [{ pid, startTime, bootId: boot }], marks, group: { id: pid, mark: `${MARKER_NAME}=${marker}` } };
}

/** Only a folder that was ours by name is ever told to end. */
function cgroupOf({ cgroup, token }: SessionRecord): string | undefined {
  return cgroup !== undefined && token !== undefined && basename(cgroup) === `drover-${token}` ? cgroup : undefined;
}
