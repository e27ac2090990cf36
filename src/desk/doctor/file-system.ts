import { statfs } from 'node:fs/promises';

/** By the number that Linux gives them. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
  [0x0bd00bd0, 'lustre'],
  [0x47504653, 'gpfs'],
  [0x7461636f, 'ocfs2'],
  [0x65735546, 'fuse'],
]);

/** The name of a file system whose locks may not hold between machines, or nothing. Only Linux tells. */
export async function networkFileSystem(folder: string): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const { type } = await statfs(folder);
  // The number is unsigned, and may come signed.
  return NETWORK_FILE_SYSTEMS.get(type >>> 0);
}
