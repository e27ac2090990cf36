import { DISK_RESERVE_BYTES, freeSpace, type FreeSpace } from '../../kernel/files/index.ts';
import { fail, ok, warn, type Check, type Finding } from './check.ts';
import { whereStateLies } from './state-place.ts';

const KIB = 1024;
const MIB = KIB * KIB;
const GIB = KIB * MIB;

/** Below these nothing new is begun, or a run ends in the middle (fail), or soon will (warn). */
const BYTES = { fail: DISK_RESERVE_BYTES, warn: GIB };
const INODES = { fail: 1_000, warn: 10_000 };

export const currentDisk: Check = {
  name: 'disk',
  run: async ({ cwd }) => spaceOf(cwd()),
};

export const stateDisk: Check = {
  name: 'state-disk',
  run: (patient) => whereStateLies(patient, spaceOf),
};

async function spaceOf(folder: string): Promise<Finding> {
  return judgeSpace({ folder, ...(await freeSpace(folder)) });
}

interface Space extends FreeSpace {
  readonly folder: string;
}

/** Exported for its test. */
export function judgeSpace({ folder, bytes, inodes = Number.POSITIVE_INFINITY }: Space): Finding {
  const files = Number.isFinite(inodes) ? `, room for ${inodes} files` : '';
  const detail = `${sizeText(bytes)} free${files} at ${folder}`;
  const remedy = 'free some space on this file system';
  if (bytes < BYTES.fail || inodes < INODES.fail) return fail(detail, remedy);
  if (bytes < BYTES.warn || inodes < INODES.warn) return warn(detail, remedy);
  return ok(detail);
}

function sizeText(bytes: number): string {
  return bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`;
}
