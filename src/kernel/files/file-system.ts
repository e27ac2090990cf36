import { statfsSync } from 'node:fs';

/** `local`: a disk of this machine with fine time stamps, as far as its type tells; `other`: network or unknown. */
export type FileSystemKind = 'local' | 'other';

/** Types of `statfs(2)` on Linux whose stamps come from this machine's clock, in nanoseconds. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // xfs
  0x9123_683e, // btrfs
  0x0102_1994, // tmpfs
  0x8584_58f6, // ramfs
  0xf2f5_2010, // f2fs
  0x2fc1_2fc1, // zfs
  0xca45_1a4e, // bcachefs
  0x794c_7630, // overlayfs
]);

/** Anything but Linux is `other`. Throws what the system throws. */
export function fileSystemKind(path: string): FileSystemKind {
  if (process.platform !== 'linux') return 'other';
  return LOCAL_TYPES.has(statfsSync(path).type) ? 'local' : 'other';
}
