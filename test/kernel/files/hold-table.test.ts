import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoldTable } from '../../../src/kernel/files/hold-table.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const FILE = { dev: 2n ** 64n - 1n, ino: 2n ** 63n + 5n };
const OTHER = { dev: FILE.dev, ino: 7n };

describe('a table of holds', () => {
  test('is the same for all that share its memory', () => {
    const one = new HoldTable();
    const shared = new HoldTable(one.memory);
    const slot = one.hold(FILE, 1) ?? -1;
    expect([shared.isHeld(FILE), shared.isHeld(OTHER)]).toEqual([true, false]);
    shared.free(slot);
    expect(one.isHeld(FILE)).toBe(false);
  });

  test('counts every hold, and frees all of a thread', () => {
    const table = new HoldTable();
    const slots = [table.hold(FILE, 1), table.hold(FILE, 2), table.hold(OTHER, 2)];
    table.free(slots[0] ?? -1);
    expect(table.isHeld(FILE)).toBe(true);
    table.freeAllOf(2);
    expect([table.isHeld(FILE), table.isHeld(OTHER)]).toEqual([false, false]);
  });

  test('says when it is full, and has room again', () => {
    const table = new HoldTable();
    const slots = Array.from({ length: 4096 }, (_, ino) => table.hold({ dev: 1n, ino: BigInt(ino) }, 0));
    expect([table.hold(FILE, 0), table.closeUnlessHeld(FILE, 0, () => undefined)]).toEqual([undefined, false]);
    table.free(slots[99] ?? -1);
    expect(table.hold(FILE, 0)).toBe(99);
  });

  test('lets nobody close what is held, and passes on what closing throws', () => {
    const table = new HoldTable();
    const closed: string[] = [];
    expect(table.closeUnlessHeld(FILE, 0, () => closed.push('free'))).toBe(true);
    const slot = table.hold(FILE, 0) ?? -1;
    expect(table.closeUnlessHeld(FILE, 0, () => closed.push('held'))).toBe(false);
    table.free(slot);
    expect(() => table.closeUnlessHeld(FILE, 0, () => JSON.parse('{'))).toThrow(SyntaxError);
    expect(table.closeUnlessHeld(FILE, 0, () => closed.push('again'))).toBe(true);
    expect(closed).toEqual(['free', 'again']);
  });

  test('waits for whoever is closing the file, but not for ever', () => {
    const table = new HoldTable();
    let slot: number | undefined;
    table.closeUnlessHeld(FILE, 0, () => {
      slot = table.hold(FILE, 1);
    });
    expect(slot).toBeTypeOf('number');
    expect(table.isHeld(FILE)).toBe(true);
  });

  test('agrees with a plain count', () => {
    const step = fc.record({ ino: fc.bigInt({ min: 0n, max: 4n }), hold: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const table = new HoldTable();
        const slots = new Map<bigint, number[]>();
        for (const { ino, hold } of steps) {
          const own = slots.get(ino) ?? [];
          slots.set(ino, own);
          if (hold) own.push(table.hold({ dev: 1n, ino }, 0) ?? -1);
          else own.splice(0, 1).forEach((slot) => table.free(slot));
        }
        for (const ino of [0n, 1n, 2n, 3n, 4n]) expect(table.isHeld({ dev: 1n, ino })).toBe((slots.get(ino)?.length ?? 0) > 0);
      }),
      { seed: 71, numRuns: 200 },
    );
  });
});

describe('a database that a worker thread has open', () => {
  const threads = bundledProgram(join(import.meta.dirname, 'programs/threads.ts'));
  const elsewhere = bundledProgram(join(import.meta.dirname, 'programs/locked-elsewhere.ts'));

  test('keeps its locks, is refused in the main thread, and is free when the worker is gone', async () => {
    writeFileSync(folder.at('state.db'), '');
    const { stdout, stderr } = await runNode(threads.file, [folder.at('state.db'), elsewhere.file]);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      workerKeepsLock: true,
      mainRefuses: 'file-held',
      stillKeepsLock: true,
      afterClose: [true, 'read'],
      heldAgain: 'file-held',
      afterTerminate: 'file-held',
      afterDrop: [true, 'read'],
    });
  });
});
