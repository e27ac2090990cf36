// FC-23: new work is refused before the disk is full, and what was begun comes to its end.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { readStepLog } from '../../src/engine/log.ts';
import { TOY_SCENARIOS } from '../../src/engine/toy/scenarios.ts';
import { openWorkplace, prepareToy, runToy } from '../../src/engine/toy/workplace.ts';
import { testUnless } from '../support/needs.ts';
import { smallDisk, whyNoSmallDisk } from '../support/small-disk.ts';

const MIB = 2 ** 20;
const RESERVE = 4 * MIB;
const scenario = TOY_SCENARIOS.find(({ name }) => name === 'three units')!;

describe('FC-23: a disk with less space than is kept for work that was begun', () => {
  testUnless(whyNoSmallDisk(), 'parks the run before the next unit, which costs nothing; with space it goes on to the same end', async () => {
    const disk = smallDisk(8);
    const place = { folder: disk.folder, marker: `drover-fc23-${process.pid}` };
    await prepareToy(place, scenario);
    const opened = await openWorkplace(place);
    // The first unit takes the space away while it is being landed.
    const hog = join(disk.folder, 'hog');
    const takesSpace = async (): Promise<void> => writeFileSync(hog, Buffer.alloc(5 * MIB, 1));
    const world = { ...opened, reserveBytes: RESERVE, person: takesSpace };

    const parked = await runToy(world, scenario);
    expect(parked).toEqual({ is: 'parked', reason: expect.stringMatching(/^disk-reserve: .*: \d MiB are free, and 4 MiB are kept/) });
    expect(await claimsIn(disk.folder)).toEqual(['alpha']);
    expect(await settledIn(disk.folder)).toContain('finish alpha ok');

    disk.free();
    writeFileSync(hog, '');
    expect(await runToy({ ...opened, reserveBytes: RESERVE }, scenario)).toEqual({ is: 'done' });
    expect(await claimsIn(disk.folder)).toEqual(['alpha', 'beta', 'gamma']);
    expect((await settledIn(disk.folder)).filter((line) => line.startsWith('finish'))).toEqual(['alpha', 'beta', 'gamma'].map((unit) => `finish ${unit} ok`));
  });
});

async function claimsIn(folder: string): Promise<readonly string[]> {
  const records = await readStepLog(join(folder, 'run/steps.jsonl'));
  return records.flatMap((record) => (record.type === 'intent' && record.kind === 'claim' ? [record.key] : []));
}

async function settledIn(folder: string): Promise<readonly string[]> {
  const records = await readStepLog(join(folder, 'run/steps.jsonl'));
  const intents = new Map(records.flatMap((record) => (record.type === 'intent' ? [[record.sequence, record] as const] : [])));
  return records.flatMap((record) => {
    const intent = record.type === 'receipt' ? intents.get(record.sequence) : undefined;
    return record.type === 'receipt' && intent !== undefined ? [`${intent.kind} ${intent.key.split(/[#@]/)[0]} ${record.receipt.outcome}`] : [];
  });
}
