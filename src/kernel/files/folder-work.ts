import { constants, type BigIntStats } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { openDescriptor, statDescriptor } from './calls.ts';
import type { Opened } from './descriptor.ts';
import { durablePoint } from './durable-point.ts';
import { fileTooLarge } from './errors.ts';
import type { FolderHandle } from './folder-handle.ts';
import { closeDescriptor, refuseHeld } from './held.ts';
import type { SafeFile } from './safe-file.ts';

/** What a file is opened for: `append` makes it where it is missing (mode 0600), the others do not. */
export type FileUse = 'read' | 'append' | 'update';

const FLAGS: Readonly<Record<FileUse, number>> = {
  read: constants.O_RDONLY,
  append: constants.O_WRONLY | constants.O_APPEND,
  update: constants.O_RDWR,
};
const MAX_ATTEMPTS = 100;

/** Throws what `FolderHandle.file` throws. */
export async function openIn(folder: FolderHandle, name: string, use: FileUse): Promise<Opened> {
  if (use !== 'append') return folder.file(name, FLAGS[use]);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (attempt % 2 === 0 ? folder.file(name, FLAGS.append) : openNew(folder, name));
    } catch (error) {
      // Made or removed by somebody else in between: the other way is tried.
      const { code } = error as NodeJS.ErrnoException;
      if (attempt >= MAX_ATTEMPTS || (code !== 'ENOENT' && code !== 'EEXIST')) throw error;
    }
  }
}

async function openNew(folder: FolderHandle, name: string): Promise<Opened> {
  const flags = FLAGS.append | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const open = async (): Promise<Opened> => {
    const descriptor = await openDescriptor(folder.at(name), flags, 0o600);
    return { descriptor, stats: await statDescriptor(descriptor) };
  };
  return folder.guardOpening(open, ({ descriptor, stats }) => closeDescriptor(descriptor, stats));
}

/** Throws `file-too-large`. */
export async function readWhole(file: SafeFile, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = Number((await file.stats()).size);
  if (size > maxBytes) throw fileTooLarge({ path: file.path, size, maxBytes });
  // One byte more than it had, since the file may grow, or have a size that the system does not tell.
  for (let offset = 0; ; ) {
    const chunk = await file.read({ offset, length: Math.max(size + 1 - offset, 65_536) });
    if (chunk.length === 0) return Buffer.concat(chunks);
    chunks.push(chunk);
    offset += chunk.length;
    size = Math.max(size, offset);
    if (offset > maxBytes) throw fileTooLarge({ path: file.path, size: offset, maxBytes });
  }
}

/** What stands there, a link itself. */
export async function lookAt(folder: FolderHandle, name: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(folder.at(name), { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

interface Spot {
  readonly folder: FolderHandle;
  readonly name: string;
}

/** Durable at both ends. Throws `file-held` and what the system throws. */
export async function moveBetween(from: Spot, to: Spot): Promise<void> {
  const source = join(from.folder.path, from.name);
  const stats = await lookAt(from.folder, from.name);
  if (stats === undefined) throw describeSystemError({ code: 'ENOENT' }, { action: 'move', path: source });
  // A database without what lies beside it is damaged, so neither end may be one.
  refuseHeld(source, stats);
  refuseHeld(join(to.folder.path, to.name), await lookAt(to.folder, to.name));
  durablePoint('rename:before');
  await rename(from.folder.at(from.name), to.folder.at(to.name));
  durablePoint('rename:after');
  await to.folder.sync();
  if (from.folder.path !== to.folder.path) await from.folder.sync();
}
