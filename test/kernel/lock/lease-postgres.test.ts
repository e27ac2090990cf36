import { beforeEach, expect } from 'vitest';
import { fence, takeLease } from '../../../src/kernel/lock/index.ts';
import { openStore } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { testUnless } from '../../support/needs.ts';
import { postgresServer, withoutPostgres } from '../../support/postgres.ts';
import { asSuperuser } from '../sql/superuser.ts';
import { describeLeaseContract, leaseOf, LEASE_SCHEMA } from './lease-contract.ts';
import { ToyMachine } from './machines.ts';

const server = postgresServer();
let tests = 0;

beforeEach(() => {
  tests += 1;
});

describeLeaseContract({
  name: 'PostgreSQL',
  without: withoutPostgres,
  address: () => ({ url: server.url }),
  namespace: () => `test_${tests}`,
  // Its clock cannot be moved, but the end of the leases can; the hand of the machine runs the other way meanwhile.
  async pass(machine, ms) {
    machine.nowMs -= 1_000_000;
    await asSuperuser(server, `UPDATE test_${tests}.leases SET expires_ms = expires_ms - ${ms}`);
  },
});

testUnless(withoutPostgres, 'the hands of a worker decide nothing about a lease on PostgreSQL', async () => {
  const sql = await openStore({ url: server.url, clock: systemClock(), busyTimeoutMs: 1000, schema: { ...LEASE_SCHEMA, namespace: 'hands' } });
  const machine = new ToyMachine();
  const take = (holder: string) => takeLease(sql, { name: 'engine', holder, token: holder, ttlMs: 60_000, machine });
  await take('ann');
  machine.nowMs += 10 ** 12;
  expect(await take('bob')).toMatchObject({ outcome: 'held' });
  machine.restart();
  expect(await take('bob')).toMatchObject({ outcome: 'held' });
  await sql.close();
});

testUnless(withoutPostgres, 'a transaction under a lease on PostgreSQL is stored before anybody takes the lease over', async () => {
  const schema = { ...LEASE_SCHEMA, namespace: 'order' };
  const [mine, theirs] = await Promise.all([1, 2].map(() => openStore({ url: server.url, clock: systemClock(), busyTimeoutMs: 60_000, schema })));
  const machine = new ToyMachine();
  const take = (holder: string, sql = mine!) => takeLease(sql, { name: 'engine', holder, token: holder, ttlMs: 60_000, machine });
  const note = "INSERT INTO notes (text, epoch) SELECT CAST(clock_timestamp() AS TEXT), epoch FROM leases";
  const ann = leaseOf(await take('ann'));
  await asSuperuser(server, 'UPDATE "order".leases SET expires_ms = 0');
  let taking: Promise<unknown> = Promise.resolve();
  await mine!.tx(function* (t) {
    yield* fence(t, ann);
    taking = take('bob', theirs).then(() => theirs!.run(note));
    // Time enough for whoever is not kept out.
    yield* t.query('SELECT CAST(pg_sleep(0.3) AS TEXT) AS slept');
    yield* t.run(note);
  });
  await taking;
  expect(await mine!.query('SELECT epoch FROM notes ORDER BY text')).toEqual([{ epoch: 1 }, { epoch: 2 }]);
  await Promise.all([mine!.close(), theirs!.close()]);
});
