import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DISK_RESERVE_BYTES, freeSpace, spaceShortage } from '../../../src/kernel/files/index.ts';
import { testUnless } from '../../support/needs.ts';
import { smallDisk, whyNoSmallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temp.ts';

const MIB = 2 ** 20;

describe('the space that is left', () => {
  testUnless(whyNoSmallDisk(), 'is told in bytes and files, and what is short of the reserve with its code', async () => {
    const disk = smallDisk(4);
    expect((await freeSpace(disk.folder)).bytes).toBe(4 * MIB);
    expect((await freeSpace(disk.folder)).inodes).toBeGreaterThan(100);
    expect(await spaceShortage(disk.folder, { reserveBytes: 4 * MIB })).toBeUndefined();
    const short = `disk-reserve: ${disk.folder}: 4 MiB are free, and 5 MiB are kept for work that was begun`;
    expect(await spaceShortage(disk.folder, { reserveBytes: 4 * MIB + 1 })).toBe(short);
    expect(await spaceShortage(disk.folder)).toContain(`and ${DISK_RESERVE_BYTES / MIB} MiB are kept`);
    disk.fill();
    expect((await freeSpace(disk.folder)).bytes).toBe(0);
  });

  test('of a folder that is not there is an error that names it', async () => {
    const path = join(temporaryFolder(), 'gone');
    await expect(spaceShortage(path)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining(path) });
  });
});
