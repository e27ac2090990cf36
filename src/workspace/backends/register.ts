import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { ensureFolderDurably, readBytesIfPresent, removeDurably, replaceFile, writeNew } from '../../kernel/files/index.ts';
import type { Identity } from '../../kernel/git/index.ts';
import { tryLock, type Lock } from '../../kernel/lock/index.ts';
import type { WorkspaceRecord } from '../contract.ts';
import { badWorkspaceId, workspaceRecordDamaged } from '../errors.ts';
import { parseRecord, recordText } from './record-text.ts';

/** A workspace as it is written down before anything of it is made, until nothing of it is left. */
export interface Entry {
  /** `making` and `removing`: somebody is at it, or was killed at it. */
  readonly state: 'making' | 'made' | 'removing';
  readonly record: WorkspaceRecord;
  readonly who: Identity;
  /** Above the workspace, made for it, the uppermost first. */
  readonly folders: readonly string[];
  /** Files of the person that were copied into it. */
  readonly seeded: readonly string[];
}

const STATES: ReadonlySet<unknown> = new Set<Entry['state']>(['making', 'made', 'removing']);
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const UNFIT = /\.\.|\.$|\.lock$/;
const ENDING = '.json';
const LONGEST = 16 * 2 ** 20;

/** Throws `bad-workspace-id`. */
export function requireWorkspaceId(id: string): void {
  if (!ID.test(id) || UNFIT.test(id)) throw badWorkspaceId({ id });
}

/**
 * The workspaces of one repository, in its common git folder: a file for each, and a lock beside it that whoever is at
 * work on it holds. What is made of a workspace can be lost with its files; this stays.
 */
export class Register {
  readonly #root: string;
  readonly #folder: string;

  constructor(commonDir: string) {
    this.#root = commonDir;
    this.#folder = join(commonDir, 'drover', 'workspaces');
  }

  /** Of each backend, by id. Throws `workspace-record-damaged`. */
  entries(): readonly Entry[] {
    const ids = namesIn(this.#folder).flatMap((name) => (name.endsWith(ENDING) ? [name.slice(0, -ENDING.length)] : []));
    return ids.filter((id) => ID.test(id)).sort().flatMap((id) => this.entry(id) ?? []);
  }

  entry(id: string): Entry | undefined {
    const path = this.#fileOf(id);
    const bytes = readBytesIfPresent(path, { maxBytes: LONGEST });
    if (bytes === undefined) return undefined;
    const { record, more } = parseRecord(bytes, path);
    if (record.id !== id) throw workspaceRecordDamaged({ path, reason: `it speaks of ${JSON.stringify(record.id)}` });
    return { record, ...detailsOf(more, path) };
  }

  /** Writes down a new one. `taken` where the id is. */
  async add(entry: Entry): Promise<'added' | 'taken'> {
    try {
      await writeNew(this.#fileOf(entry.record.id), textOf(entry));
      return 'added';
    } catch (error) {
      if (isDroverError(error) && error.code === 'already-exists') return 'taken';
      throw error;
    }
  }

  async change(entry: Entry): Promise<void> {
    await replaceFile(this.#fileOf(entry.record.id), textOf(entry));
  }

  async drop(id: string): Promise<void> {
    await removeDurably(this.#fileOf(id));
  }

  /** Held by whoever makes, removes or clears this workspace. */
  async lock(id: string): Promise<Lock | 'held'> {
    await ensureFolderDurably(this.#folder, { root: this.#root });
    return tryLock(join(this.#folder, `${id}.lock`));
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}${ENDING}`);
  }
}

function textOf({ record, ...more }: Entry): string {
  return recordText(record, more);
}

function detailsOf({ state, who, folders, seeded }: Readonly<Record<string, unknown>>, path: string): Omit<Entry, 'record'> {
  if (!isState(state)) throw workspaceRecordDamaged({ path, reason: `state is ${JSON.stringify(state)}` });
  return { state, who: identityOf(who, path), folders: textsOf(folders, { path, name: 'folders' }), seeded: textsOf(seeded, { path, name: 'seeded' }) };
}

function isState(value: unknown): value is Entry['state'] {
  return STATES.has(value);
}

function identityOf(value: unknown, path: string): Identity {
  const { name, email } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof name === 'string' && typeof email === 'string') return { name, email };
  throw workspaceRecordDamaged({ path, reason: 'who is no name and address' });
}

function textsOf(value: unknown, { path, name }: { readonly path: string; readonly name: string }): readonly string[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  throw workspaceRecordDamaged({ path, reason: `${name} is no list of texts` });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw describeSystemError(error, { action: 'read', path: folder });
  }
}
