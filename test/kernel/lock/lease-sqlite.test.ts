import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renewLease, takeLease } from '../../../src/kernel/lock/index.ts';
import { openStore, type Sql } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { describeLeaseContract, LEASE_SCHEMA } from './lease-contract.ts';
import { ToyMachine } from './machines.ts';

const folder = tempFolder();

describeLeaseContract({
  name: 'SQLite',
  without: undefined,
  address: () => ({ path: folder.at('a.db') }),
  namespace: () => undefined,
  pass(machine, ms) {
    machine.nowMs += ms;
    return Promise.resolve();
  },
});

describe('the time of a lease on one machine', () => {
  let sql: Sql;
  let machine: ToyMachine;
  const take = (holder: string) => takeLease(sql, { name: 'engine', holder, token: holder, ttlMs: 30_000, machine });

  beforeEach(async () => {
    machine = new ToyMachine();
    sql = await openStore({ path: folder.at('a.db'), clock: systemClock(), busyTimeoutMs: 1000, schema: LEASE_SCHEMA });
  });

  afterEach(() => sql.close());

  test('is that since the machine started: a step before the end it is held, at the end it is free', async () => {
    await take('ann');
    machine.nowMs += 29_999;
    expect(await take('bob')).toMatchObject({ outcome: 'held', remainingMs: 1 });
    machine.nowMs += 1;
    expect(await take('bob')).toMatchObject({ outcome: 'taken', lease: { epoch: 2 } });
  });

  test('ends when the machine starts anew, however long it would have lasted', async () => {
    machine.nowMs = 5_000_000;
    await take('ann');
    machine.restart();
    expect(await take('bob')).toMatchObject({ outcome: 'taken', lease: { epoch: 2 } });
    machine.restart();
    machine.nowMs = 9_000_000;
    expect(await take('cid')).toMatchObject({ outcome: 'taken', lease: { epoch: 3 } });
  });

  test('is told from a later start also where starts have no names, once it could not last that long', async () => {
    machine.bootId = undefined;
    machine.nowMs = 5_000_000;
    await take('ann');
    expect(await take('bob')).toMatchObject({ outcome: 'held' });
    machine.nowMs = 10;
    expect(await take('bob')).toMatchObject({ outcome: 'taken', lease: { epoch: 2 } });
  });

  test('of a holder that was renewed counts from the renewal', async () => {
    const taking = await take('ann');
    machine.nowMs += 20_000;
    if (taking.outcome === 'taken') await renewLease(sql, taking.lease, { machine });
    machine.nowMs += 20_000;
    expect(await take('bob')).toMatchObject({ outcome: 'held', remainingMs: 10_000 });
  });
});
