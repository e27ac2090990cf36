import { systemClock } from '../../../../src/kernel/time/index.ts';
import type { FileStamp, HashedFile } from '../../../../src/kernel/files/index.ts';
import { InputReader, type InputRequest, type RememberedHashes } from '../../../../src/bach/store/index.ts';

const HOUR_NS = 3_600_000_000_000n;

/** For it every file of today is old enough to be trusted. */
export const LATER = { ...systemClock(), wall: () => systemClock().wall() + HOUR_NS };

/** For it every file of today is too young. */
export const EARLIER = { ...systemClock(), wall: () => systemClock().wall() - HOUR_NS };

export function readerOf(root: string, { remembered = new Map(), clock = LATER }: { remembered?: RememberedHashes; clock?: typeof LATER } = {}): InputReader {
  return new InputReader({ root, statePath: '.bach/state.db', clock }, remembered);
}

/** The paths of one set. */
export async function pathsOf(reader: InputReader, patterns: readonly string[], except: readonly string[] = []): Promise<readonly string[]> {
  const [files] = await reader.read([{ patterns, except }]);
  return files?.map(({ path }) => path) ?? [];
}

/** The hashes of one set by path. */
export async function hashesOf(reader: InputReader, ...patterns: readonly string[]): Promise<Readonly<Record<string, string | undefined>>> {
  const [files] = await reader.read([requestOf(...patterns)]);
  return Object.fromEntries(files?.map(({ path, hash }) => [path, hash]) ?? []);
}

export function requestOf(...patterns: readonly string[]): InputRequest {
  return { patterns, except: [] };
}

/** Of a file that only the test knows. */
export function hashedFile(fields: Partial<HashedFile> & { readonly stamp: FileStamp }): HashedFile {
  return { hash: 'remembered', startedNs: LATER.wall(), ...fields };
}
