import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimRunId } from '../../../src/kernel/ids/index.ts';
import { runIdAt } from '../../../src/kernel/ids/run-id.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NOON = 1_780_920_000_000_000_000n;
const stoppedClock = { wall: () => NOON };
const folder = tempFolder();

describe('a run id', () => {
  test.each([
    [NOON, '20260608T120000.000000000Z'],
    [NOON + 1n, '20260608T120000.000000001Z'],
    [NOON + 999_999_999n, '20260608T120000.999999999Z'],
    [0n, '19700101T000000.000000000Z'],
  ])('of %s ns', (nanoseconds, id) => {
    expect(runIdAt(nanoseconds)).toBe(id);
  });

  test('sorts as text in the order of time', () => {
    const moment = fc.bigInt({ min: 0n, max: 4n * NOON });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(runIdAt(a) < runIdAt(b)).toBe(a < b);
      }),
      { seed: 51, numRuns: 500 },
    );
  });
});

describe('claimRunId', () => {
  test('makes the folder of the run for its owner alone', () => {
    const claim = claimRunId(stoppedClock, folder.path);
    expect(claim).toEqual({ id: '20260608T120000.000000000Z', folder: folder.at('20260608T120000.000000000Z') });
    expect(statSync(claim.folder).mode & 0o777).toBe(0o700);
  });

  test('passes over what is taken, whatever took it', () => {
    mkdirSync(folder.at(runIdAt(NOON)));
    writeFileSync(folder.at(runIdAt(NOON + 1n)), '');
    symlinkSync('nowhere', folder.at(runIdAt(NOON + 2n)));
    expect(claimRunId(stoppedClock, folder.path).id).toBe(runIdAt(NOON + 3n));
  });

  test('carries into the next second', () => {
    const clock = { wall: () => NOON + 999_999_999n };
    claimRunId(clock, folder.path);
    expect(claimRunId(clock, folder.path).id).toBe('20260608T120001.000000000Z');
  });

  test('tells the time of the machine', () => {
    const { id } = claimRunId(systemClock(), folder.path);
    expect(id).toMatch(/^20\d{6}T\d{6}\.\d{9}Z$/);
  });

  test('needs the folder above, and may not be kept out of it', async () => {
    expect(() => claimRunId(stoppedClock, folder.at('none'))).toThrow(expect.objectContaining({ code: 'not-found' }));
    chmodSync(folder.path, 0o555);
    await asOrdinaryUser(() => {
      expect(() => claimRunId(stoppedClock, folder.path)).toThrow(expect.objectContaining({ code: 'permission-denied' }));
    });
    chmodSync(folder.path, 0o755);
  });
});

describe('eight processes', () => {
  const claimRuns = bundledProgram(join(import.meta.dirname, 'programs/claim-runs.ts'));

  test('claim fifty runs each at the same moment, and no id twice', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => runNode(claimRuns.file, [folder.path])));
    expect(results.map(({ stderr }) => stderr).join('')).toBe('');
    const ids = results.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    expect(new Set(ids).size).toBe(400);
    expect(readdirSync(folder.path).sort()).toEqual([...ids].sort());
  });
});
