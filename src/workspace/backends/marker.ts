import { join } from 'node:path';
import { readBytesIfPresent, removeDurably, writeNew } from '../../kernel/files/index.ts';
import type { WorkspaceRecord } from '../contract.ts';
import { parseRecord, recordText } from './record-text.ts';

const NAME = 'drover-workspace.json';
const LONGEST = 64 * 1024;

/**
 * What tells that a workspace is ours: its whole record, in its own git folder, where `git clean` does not come.
 * `undefined` where there is none. Throws `workspace-record-damaged`.
 */
export function readMarker(home: string): WorkspaceRecord | undefined {
  const path = join(home, NAME);
  const bytes = readBytesIfPresent(path, { maxBytes: LONGEST });
  return bytes === undefined ? undefined : parseRecord(bytes, path).record;
}

/** Throws `already-exists` where one is. */
export async function writeMarker(home: string, record: WorkspaceRecord): Promise<void> {
  await writeNew(join(home, NAME), recordText(record));
}

/** Takes it away where it is that of this very record. */
export async function removeMarker(home: string, record: WorkspaceRecord): Promise<void> {
  if (isSameWorkspace(readMarker(home), record)) await removeDurably(join(home, NAME));
}

/** An id may have been used before. */
export function isSameWorkspace(one: WorkspaceRecord | undefined, other: WorkspaceRecord): boolean {
  return one?.id === other.id && one.createdMs === other.createdMs && one.backend === other.backend;
}
