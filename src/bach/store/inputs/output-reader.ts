import { statSync, type BigIntStats } from 'node:fs';
import { resolve } from 'node:path';
import type { FileStamp, HashedFile } from '../../../kernel/files/index.ts';
import { contentOf, hashNow, type Clock } from './content.ts';
import { Disks } from './disks.ts';
import { areAllSeen, contentDigest, ownEntries, stampsDigest, type OwnEntry } from './folder-entries.ts';
import { fileRecord, type OutputKind, type OutputRecord, type OutputState } from './output-record.ts';
import { Slice } from './slice.ts';

/** The declared outputs of one target, and what is recorded of them. */
export interface OutputRequest {
  /** From the root. */
  readonly paths: readonly string[];
  readonly records: readonly OutputRecord[];
}

export interface SeenOutput {
  readonly path: string;
  /** An output without a record is `changed`: nobody knows who made it. */
  readonly state: OutputState;
  /** In place of the stored record: of the same content, which had to be read to tell. */
  readonly renewed: OutputRecord | undefined;
}

/** Looks at what targets made, and tells whether it still is what it was. */
export class OutputReader {
  readonly #root: string;
  readonly #clock: Clock & { mono(): number };
  readonly #disks = new Disks();

  constructor({ root, clock }: { readonly root: string; readonly clock: Clock & { mono(): number } }) {
    this.#root = root;
    this.#clock = clock;
  }

  /** What is there now of the outputs of a target that just succeeded. */
  async record(paths: readonly string[], signal?: AbortSignal): Promise<readonly OutputRecord[]> {
    const records: OutputRecord[] = [];
    for (const path of paths) {
      const record = await this.#read(path, this.#statOf(path), signal);
      if (record !== undefined) records.push(record);
    }
    return records;
  }

  /** Of each target in turn, each of its outputs in turn. Rejects with the reason of the signal. */
  async lookAt(requests: readonly OutputRequest[], signal?: AbortSignal): Promise<readonly (readonly SeenOutput[])[]> {
    const slice = new Slice(this.#clock, signal);
    const all: (readonly SeenOutput[])[] = [];
    for (const { paths, records } of requests) {
      const seen: SeenOutput[] = [];
      for (const path of paths) {
        if (slice.isOver()) await slice.rest();
        const record = records.find((each) => each.path === path);
        const stats = this.#statOf(path);
        seen.push(this.#lookAtOnce(path, stats, record) ?? (await this.#lookClosely(path, stats, { record, signal })));
      }
      all.push(seen);
    }
    return all;
  }

  /**
   * To be called at the end of a run: reads again what was too young when it was recorded, so that the next run need
   * not. What became another content since keeps its record, by which the next run finds that out.
   */
  async settle(records: readonly OutputRecord[], signal?: AbortSignal): Promise<readonly OutputRecord[]> {
    const settled: OutputRecord[] = [];
    for (const record of records) {
      const isSettled = record.kind === 'folder' ? record.entriesHash !== '' : this.#disks.isTrusted(record, record.stamp);
      const [seen] = isSettled ? [] : await this.lookAt([{ paths: [record.path], records: [record] }], signal);
      settled.push(seen?.[0]?.renewed ?? record);
    }
    return settled;
  }

  /** Paths of recorded folders in which something may change that no look at them shows. */
  notSeenWhole(records: readonly OutputRecord[]): readonly string[] {
    const folders = records.filter(({ kind }) => kind === 'folder');
    return folders.filter(({ path }) => !areAllSeen(ownEntries(this.#placeOf(path)) ?? [])).map(({ path }) => path);
  }

  /** By its stamp alone, as far as that is possible. */
  #lookAtOnce(path: string, stats: BigIntStats | undefined, record: OutputRecord | undefined): SeenOutput | undefined {
    if (stats === undefined) return { path, state: 'missing', renewed: undefined };
    if (record === undefined || record.kind !== kindOf(stats)) return { path, state: 'changed', renewed: undefined };
    const isSame = record.kind === 'other' || (record.kind === 'file' && record.hash !== '' && this.#disks.isTrusted(record, stampOf(stats)));
    return isSame ? { path, state: 'same', renewed: undefined } : undefined;
  }

  async #lookClosely(path: string, stats: BigIntStats | undefined, { record, signal }: Closely): Promise<SeenOutput> {
    if (stats !== undefined) this.#disks.learn(this.#placeOf(path), stats);
    const known = this.#lookAtOnce(path, stats, record) ?? this.#lookInside(path, record);
    if (known !== undefined) return known;
    const now = await this.#read(path, stats, signal);
    if (now === undefined) return { path, state: 'missing', renewed: undefined };
    const isSame = now.kind === record?.kind && now.hash === record.hash && now.hash !== '';
    return isSame ? { path, state: 'same', renewed: now } : { path, state: 'changed', renewed: undefined };
  }

  /** A folder, by the stamps of its entries. */
  #lookInside(path: string, record: OutputRecord | undefined): SeenOutput | undefined {
    if (record?.kind !== 'folder') return undefined;
    const entries = ownEntries(this.#placeOf(path));
    const isSame = entries === undefined ? record.hash === '' : stampsDigest(entries) === record.entriesHash;
    return isSame ? { path, state: 'same', renewed: undefined } : undefined;
  }

  async #read(path: string, stats: BigIntStats | undefined, signal: AbortSignal | undefined): Promise<OutputRecord | undefined> {
    if (stats === undefined) return undefined;
    const stamp = stampOf(stats);
    const bare = { path, kind: kindOf(stats), stamp, startedNs: this.#clock.wall(), hash: '', entriesHash: '' };
    if (bare.kind === 'other') return bare;
    this.#disks.learn(this.#placeOf(path), stats);
    if (bare.kind === 'folder') return { ...bare, ...(await this.#readEntries(this.#placeOf(path), signal)) };
    const file = await this.#hash(this.#placeOf(path), stamp, signal);
    if (file === 'gone') return undefined;
    return file === undefined ? bare : fileRecord(path, file);
  }

  async #readEntries(folder: string, signal: AbortSignal | undefined): Promise<Pick<OutputRecord, 'hash' | 'entriesHash'>> {
    const entries = ownEntries(folder);
    if (entries === undefined) return { hash: '', entriesHash: '' };
    const hashes = new Map<string, string>();
    const looked: OwnEntry[] = [];
    const slice = new Slice(this.#clock, signal);
    let isSettled = true;
    for (const entry of entries) {
      if (slice.isOver()) await slice.rest();
      const file = entry.stamp && (await this.#hash(`${folder}/${entry.name}`, entry.stamp, signal));
      const isHashed = typeof file === 'object';
      if (isHashed) hashes.set(entry.name, file.hash);
      if (entry.stamp !== undefined) isSettled &&= isHashed && this.#disks.isTrusted(file, file.stamp);
      looked.push(isHashed ? { ...entry, stamp: file.stamp } : entry);
    }
    return { hash: contentDigest(entries, hashes), entriesHash: isSettled ? stampsDigest(looked) : '' };
  }

  /** Nothing for a file that may not be read or does not stand still. */
  async #hash(path: string, stamp: FileStamp, signal: AbortSignal | undefined): Promise<HashedFile | 'gone' | undefined> {
    const quick = hashNow({ path, stamp }, this.#clock);
    if (quick !== undefined) return quick;
    const content = await contentOf(path, this.#clock, signal);
    if (content.kind === 'gone') return 'gone';
    return content.kind === 'hashed' ? content.file : undefined;
  }

  #placeOf(path: string): string {
    return resolve(this.#root, path);
  }

  /** What cannot be looked at is not there. */
  #statOf(path: string): BigIntStats | undefined {
    try {
      return statSync(this.#placeOf(path), { bigint: true, throwIfNoEntry: false });
    } catch {
      // As for a command that looks for it: a folder on the way is none, or lets nobody in.
      return undefined;
    }
  }
}

interface Closely {
  readonly record: OutputRecord | undefined;
  readonly signal: AbortSignal | undefined;
}

function kindOf(stats: BigIntStats): OutputKind {
  if (stats.isFile()) return 'file';
  return stats.isDirectory() ? 'folder' : 'other';
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return { dev, ino, size, mtimeNs, ctimeNs };
}
