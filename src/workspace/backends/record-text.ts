import type { BackendName, WorkspaceRecord } from '../contract.ts';
import { workspaceRecordDamaged } from '../errors.ts';

const FORMAT = 1;
const BACKENDS: ReadonlySet<unknown> = new Set<BackendName>(['in-place', 'worktree', 'clone', 'jj']);
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

type Fields = Readonly<Record<string, unknown>>;

/** JSON that carries its version; what is absent is left out. */
export function recordText(record: WorkspaceRecord, more: Fields = {}): string {
  return `${JSON.stringify({ format: FORMAT, ...more, workspace: record }, undefined, 2)}\n`;
}

/** The record and what more stands beside it. Throws `workspace-record-damaged`, also for a later version. */
export function parseRecord(bytes: Uint8Array, path: string): { readonly record: WorkspaceRecord; readonly more: Fields } {
  const { format, workspace, ...more } = fieldsOf(parseJson(bytes, path), { path, what: 'it' });
  if (format !== FORMAT) throw workspaceRecordDamaged({ path, reason: `its format is ${JSON.stringify(format)}, and ${FORMAT} is known` });
  return { record: recordOf(fieldsOf(workspace, { path, what: 'its workspace' }), path), more };
}

/** Throws `workspace-record-damaged`. */
export function parseJson(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw workspaceRecordDamaged({ path, reason: 'it is not JSON' }, error);
  }
}

function fieldsOf(value: unknown, { path, what }: { readonly path: string; readonly what: string }): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw workspaceRecordDamaged({ path, reason: `${what} is no object` });
}

function recordOf(fields: Fields, path: string): WorkspaceRecord {
  const damaged = (name: string): Error => workspaceRecordDamaged({ path, reason: `${name} is ${JSON.stringify(fields[name])}` });
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '') throw damaged(name);
    return value;
  };
  const { backend, branch, createdMs } = fields;
  const owner = fieldsOf(fields['owner'], { path, what: 'owner' });
  const { system, run, unit } = owner;
  const isOwner = [system, run, unit].every((each) => typeof each === 'string');
  if (!isBackend(backend)) throw damaged('backend');
  if (!OBJECT_ID.test(text('base'))) throw damaged('base');
  if (typeof createdMs !== 'number') throw damaged('createdMs');
  if (branch !== undefined && typeof branch !== 'string') throw damaged('branch');
  if (!isOwner) throw damaged('owner');
  return {
    id: text('id'),
    backend,
    path: text('path'),
    repository: text('repository'),
    base: text('base'),
    branch,
    owner: { system: String(system), run: String(run), unit: String(unit) },
    createdMs,
  };
}

function isBackend(value: unknown): value is BackendName {
  return BACKENDS.has(value);
}
