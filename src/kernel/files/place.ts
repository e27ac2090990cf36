import { join } from 'node:path';
import { closeUnshared, openDescriptor, statDescriptor, syncDescriptor, unlinkPath, writeAll } from './calls.ts';
import { shortWrite } from './errors.ts';
import { syncAt } from './sync.ts';

/** A folder in which files are made and moved by name. */
export interface Place {
  /** What a message calls it. */
  readonly path: string;
  /** What the system is given for a name in it. */
  at(name: string): string;
  /** Makes durable which names are in it. */
  sync(): Promise<void>;
}

/** The folder that the path leads to whenever it is used. */
export function placeAt(path: string): Place {
  return { path, at: (name) => join(path, name), sync: () => syncAt(path) };
}

export interface NewContent {
  readonly data: string | Uint8Array;
  readonly mode: number;
}

/**
 * Writes a synced temporary file and hands its name to `use`, which moves it to where it belongs; it is gone
 * afterwards. A process that is killed in between leaves it: `removeLeftovers` finds it.
 */
export async function withTemporary(place: Place, content: NewContent, use: (name: string) => Promise<void>): Promise<void> {
  const name = temporaryName();
  const path = join(place.path, name);
  try {
    await fill(await openDescriptor(place.at(name), 'wx', content.mode), { ...content, path });
    await use(name);
  } catch (error) {
    // The failure that made us clean up is the one to report.
    await unlinkPath(place.at(name)).catch(() => undefined);
    throw error;
  }
}

/** Names of temporary files, of this process and of others. */
export const TEMPORARY_NAME = /^\.drover-[0-9a-f]{16}\.tmp$/;

/** By the global that is loaded when it is used: the module of this name would slow every start down. */
function temporaryName(): string {
  return `.drover-${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}.tmp`;
}

async function fill(descriptor: number, { data, path }: NewContent & { readonly path: string }): Promise<void> {
  const bytes = Buffer.from(data);
  try {
    await writeAll(descriptor, bytes);
    await syncDescriptor(descriptor);
    const { size } = await statDescriptor(descriptor);
    if (size !== BigInt(bytes.length)) throw shortWrite({ path, size: Number(size), expected: bytes.length });
  } finally {
    await closeUnshared(descriptor);
  }
}
