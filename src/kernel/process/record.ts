import { basename, dirname } from 'node:path';
import { isDroverError } from '../errors/index.ts';
import { openFolder, removeDurably, replaceFile } from '../files/index.ts';
import type { Containment, ContainmentLayer, Origin, SpawnRequest } from './contract.ts';
import type { Enclosure, StartedLeader } from './enclosure.ts';
import { recordDamaged } from './errors.ts';
import { processIdentity, type ProcessIdentity } from './identity.ts';

/** What a next holder needs to find a child of ours again, and nobody else's. */
export interface SessionRecord extends ProcessIdentity {
  readonly marker: string;
  /** Who authored the command. A record of before this was kept has neither it nor `containment`. */
  readonly origin: Origin | undefined;
  /** Value of `DROVER_CHILD`; none with containment `none`. */
  readonly token: string | undefined;
  readonly layer: ContainmentLayer | 'none';
  readonly containment: Containment | undefined;
  readonly cgroup: string | undefined;
  /** Who started it. */
  readonly engine: ProcessIdentity;
}

export interface KeptRecord {
  readonly written: Promise<void>;
  /** Removes it, unless something is left that a next holder may end. Rejects when it could not be written. */
  readonly close: (end: { readonly isLeft: boolean }) => Promise<void>;
}

interface Recorded {
  readonly request: SpawnRequest;
  readonly leader: StartedLeader;
  readonly enclosure: Enclosure;
}

const MOST_BYTES = 64 * 1024;

/** Writes the record of a child that was just started. */
export function keepRecord(path: string, recorded: Recorded): KeptRecord {
  const written = replaceFile(path, `${JSON.stringify(recordOf(recorded))}\n`);
  const close = async ({ isLeft }: { readonly isLeft: boolean }): Promise<void> => {
    await written;
    if (!isLeft) await removeDurably(path);
  };
  return { written, close };
}

/**
 * `undefined` when there is none. Throws `process-record-damaged`: a file that says nothing is not an ended child; and
 * `symlink-refused`: what another file says is no word of ours.
 */
export async function readRecord(path: string): Promise<SessionRecord | undefined> {
  const bytes = await readIfPresent(path);
  if (bytes === undefined) return undefined;
  const value = parse(Buffer.from(bytes).toString('utf8'));
  if (!isRecord(value)) throw recordDamaged({ path });
  return value;
}

async function readIfPresent(path: string): Promise<Uint8Array | undefined> {
  try {
    const folder = await openFolder(dirname(path));
    try {
      return await folder.read(basename(path), { maxBytes: MOST_BYTES });
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (isDroverError(error) && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Where nothing tells start times, the record says 0 and a next holder learns nothing from it. */
function recordOf({ request, leader, enclosure }: Recorded): SessionRecord {
  const { token, layer, containment, cgroup } = enclosure;
  const { marker, origin } = request;
  return { ...identityOf(leader.pid), marker, origin, token, layer, containment, cgroup, engine: identityOf(process.pid) };
}

function identityOf(pid: number): ProcessIdentity {
  return processIdentity(pid) ?? { pid, startTime: 0, bootId: '' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told by the caller, with the path.
    return undefined;
  }
}

function isRecord(value: unknown): value is SessionRecord {
  const record = value as Partial<SessionRecord> | null | undefined;
  if (typeof record !== 'object' || record === null || !isIdentity(record) || !isIdentity(record.engine)) return false;
  const { marker, layer, origin, token, containment, cgroup } = record;
  return typeof marker === 'string' && typeof layer === 'string' && [origin, token, containment, cgroup].every(isOptionalText);
}

function isIdentity(value: Partial<ProcessIdentity> | undefined): boolean {
  return Number.isInteger(value?.pid) && Number.isInteger(value?.startTime) && typeof value?.bootId === 'string';
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
