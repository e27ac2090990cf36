import { afterEach, beforeEach, describe, expect } from 'vitest';
import { fence, leaseMigration, leasedStore, releaseLease, renewLease, takeLease, type Lease, type LeaseRequest, type Lock, type Taking } from '../../../src/kernel/lock/index.ts';
import { openStore, type Schema, type Sql, type Work } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { testUnless } from '../../support/needs.ts';
import { ToyMachine } from './machines.ts';

export const LEASE_SCHEMA: Schema = {
  table: 'migrations',
  migrations: [leaseMigration, { id: '001-notes', sql: 'CREATE TABLE notes (text TEXT NOT NULL, epoch BIGINT NOT NULL)' }],
};

export interface LeaseTarget {
  readonly name: string;
  readonly without: string | undefined;
  readonly address: () => { readonly path: string } | { readonly url: string };
  readonly namespace: () => string | undefined;
  /** Lets so much time pass by which this database counts. */
  readonly pass: (machine: ToyMachine, ms: number) => Promise<void>;
}

/** What a holder does first in each transaction. */
export function writeUnder(sql: Sql, lease: Lease, text: string): Promise<void> {
  return sql.tx(function* (t) {
    yield* fence(t, lease);
    yield* t.run('INSERT INTO notes (text, epoch) VALUES (?, ?)', [text, lease.epoch]);
  });
}

export function leaseOf(taking: Taking): Lease {
  if (taking.outcome === 'held') throw new Error(`held by ${taking.heldBy}`);
  return taking.lease;
}

function lockOf(identity: string): Lock {
  return { path: '/lock', identity, confirm: () => undefined, release: () => undefined };
}

/** What every holder may rely on, on either database. */
export function describeLeaseContract({ name, without, address, namespace, pass }: LeaseTarget): void {
  const it = (title: string, run: () => Promise<void>): void => testUnless(without, title, run);
  const opened: Sql[] = [];
  let machine = new ToyMachine();
  let sql: Sql;

  async function open(): Promise<Sql> {
    const found = namespace();
    const schema = found === undefined ? LEASE_SCHEMA : { ...LEASE_SCHEMA, namespace: found };
    const store = await openStore({ ...address(), clock: systemClock(), busyTimeoutMs: 60_000, schema });
    opened.push(store);
    return store;
  }

  const request = (holder: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({ name: 'engine', holder, token: `token of ${holder}`, ttlMs: 60_000, machine, ...more });
  const take = (holder: string, more: Partial<LeaseRequest> = {}): Promise<Taking> => takeLease(sql, request(holder, more));
  const lost = (heldBy: string): unknown => expect.objectContaining({ code: 'lease-lost', message: expect.stringContaining(heldBy) });

  beforeEach(async () => {
    machine = new ToyMachine();
    if (without === undefined) sql = await open();
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  describe(`a lease on ${name}`, () => {
    it('is given to one, and to nobody else until it runs out', async () => {
      expect(await take('ann')).toMatchObject({ outcome: 'taken', lease: { name: 'engine', holder: 'ann', epoch: 1 } });
      const held = await take('bob');
      expect(held).toEqual({ outcome: 'held', heldBy: 'ann', epoch: 1, remainingMs: expect.any(Number) });
      expect(held.outcome === 'held' && held.remainingMs > 0 && held.remainingMs <= 60_000).toBe(true);
      expect(await take('bob', { name: 'other' })).toMatchObject({ outcome: 'taken', lease: { epoch: 1 } });
    });

    it('is taken over when it ran out, with the next epoch, which fences off the holder before', async () => {
      const ann = leaseOf(await take('ann'));
      await writeUnder(sql, ann, 'one');
      await pass(machine, 60_000);
      await writeUnder(sql, ann, 'late, but nobody minds');
      const bob = leaseOf(await take('bob'));
      expect(bob.epoch).toBe(2);
      await expect(writeUnder(sql, ann, 'no')).rejects.toThrow(lost('bob'));
      await expect(renewLease(sql, ann, { machine })).rejects.toThrow(lost('bob'));
      await releaseLease(sql, ann);
      await writeUnder(sql, bob, 'two');
      expect(await sql.query('SELECT epoch FROM notes')).toEqual([{ epoch: 1 }, { epoch: 1 }, { epoch: 2 }]);
    });

    it('lasts its whole time again when it is renewed', async () => {
      const ann = leaseOf(await take('ann', { ttlMs: 150_000 }));
      for (let round = 0; round < 4; round += 1) {
        await pass(machine, 60_000);
        await renewLease(sql, ann, { machine });
      }
      expect(await take('bob')).toMatchObject({ outcome: 'held', heldBy: 'ann' });
    });

    it('is renewed also late, as long as nobody took it over', async () => {
      const ann = leaseOf(await take('ann'));
      await pass(machine, 60_000);
      await renewLease(sql, ann, { machine });
      await writeUnder(sql, ann, 'one');
    });

    it('given free is anybody’s at once, and never the same again', async () => {
      const ann = leaseOf(await take('ann'));
      await releaseLease(sql, ann);
      await releaseLease(sql, ann);
      await expect(writeUnder(sql, ann, 'no')).rejects.toThrow(lost('given up'));
      expect(leaseOf(await take('ann')).epoch).toBe(2);
      await expect(writeUnder(sql, ann, 'no')).rejects.toThrow(lost('ann'));
    });

    it('taken again with the same token is the same lease, whatever came of the first answer', async () => {
      const ann = leaseOf(await take('ann'));
      expect(await take('ann')).toEqual({ outcome: 'taken', lease: ann });
      await writeUnder(sql, ann, 'one');
      expect(await take('ann', { token: 'of a later process' })).toMatchObject({ outcome: 'held', heldBy: 'ann' });
    });

    it('of this machine is free at once for whoever has the very lock that its holder must have had', async () => {
      const lock = lockOf('device 1, inode 2');
      await take('ann', { lock });
      // Two containers share the start of their machine, and each has a file of its own.
      expect(await take('bob', { lock: lockOf('device 1, inode 3') })).toMatchObject({ outcome: 'held', heldBy: 'ann' });
      expect(await take('bob')).toMatchObject({ outcome: 'held', heldBy: 'ann' });
      expect(await take('cid', { lock })).toMatchObject({ outcome: 'taken', lease: { epoch: 2 } });
      const elsewhere = { clock: machine.clock, bootId: 'another machine' };
      expect(await take('dan', { lock, machine: elsewhere })).toMatchObject({ outcome: sql.dialect === 'sqlite' ? 'taken' : 'held' });
    });

    it('is not asked for with what is no name or no time, and nothing is written then', async () => {
      const invalid = (part: string): unknown => expect.objectContaining({ code: 'lease-request-invalid', message: expect.stringContaining(part) });
      for (const ttlMs of [0, -1, 9, 12.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '60000' as unknown as number, undefined as unknown as number]) {
        await expect(take('ann', { ttlMs })).rejects.toThrow(invalid(`its ttlMs is ${typeof ttlMs === 'string' ? '"60000"' : String(ttlMs)}`));
        await expect(renewLease(sql, { name: 'engine', holder: 'ann', token: 'ann', epoch: 1, ttlMs }, { machine })).rejects.toThrow(invalid('ttlMs'));
      }
      for (const part of ['name', 'holder', 'token']) {
        for (const value of ['', 7, undefined, 'a\0', 'x\ud800']) await expect(take('ann', { [part]: value })).rejects.toThrow(invalid(`its ${part}`));
      }
      expect(await sql.query('SELECT * FROM leases')).toEqual([]);
      const ann = leaseOf(await take('ann', { name: 'ü\u{1f600}', ttlMs: 2 ** 31 - 1 }));
      await renewLease(sql, ann, { machine });
    });

    it('that is nobody’s is not had by whoever has no token', async () => {
      const ann = leaseOf(await take('ann'));
      await releaseLease(sql, ann);
      await expect(writeUnder(sql, { ...ann, token: '' }, 'no')).rejects.toThrow(lost('given up'));
    });

    it('is not taken with a lock that is no longer held', async () => {
      const reason = new RangeError('released');
      const lock: Lock = {
        ...lockOf('device 1, inode 2'),
        confirm() {
          throw reason;
        },
      };
      await expect(take('ann', { lock })).rejects.toBe(reason);
      expect(await sql.query('SELECT * FROM leases')).toEqual([]);
    });

    it('that was taken without a lock is followed by none', async () => {
      await take('ann');
      expect(await take('bob', { lock: lockOf('') })).toMatchObject({ outcome: 'held' });
      expect(await take('bob', { lock: lockOf('device 1, inode 2') })).toMatchObject({ outcome: 'held' });
    });

    it('lets every write of its store through while it is ours, and none once it is another’s', async () => {
      const ann = leaseOf(await take('ann'));
      const store = leasedStore(sql, ann);
      const noteOf = (text: string): Work<string> =>
        function* (t) {
          yield* t.run('INSERT INTO notes (text, epoch) VALUES (?, ?)', [text, ann.epoch]);
          return text;
        };
      expect(await store.run("INSERT INTO notes (text, epoch) VALUES ('one', ?)", [ann.epoch])).toEqual({ changes: 1 });
      expect(await store.tx(noteOf('two'))).toBe('two');
      await pass(machine, 60_000);
      await take('bob');
      await expect(store.run("INSERT INTO notes (text, epoch) VALUES ('three', 1)")).rejects.toThrow(lost('bob'));
      await expect(store.run('DELETE FROM notes')).rejects.toThrow(lost('bob'));
      await expect(store.tx(noteOf('four'))).rejects.toThrow(lost('bob'));
      expect(await sql.query('SELECT text FROM notes ORDER BY text')).toEqual([{ text: 'one' }, { text: 'two' }]);
    });

    it('is never written into the epoch of the next holder by a transaction that began before', async () => {
      const other = await open();
      const ann = leaseOf(await take('ann'));
      await pass(machine, 60_000);
      const both = await Promise.allSettled([
        ...Array.from({ length: 5 }, (_, index) => writeUnder(sql, ann, `ann ${index}`)),
        takeLease(other, request('bob')).then((taking) => writeUnder(other, leaseOf(taking), 'bob')),
      ]);
      expect(both.at(-1)).toMatchObject({ status: 'fulfilled' });
      const written = await sql.query('SELECT epoch FROM notes');
      expect(written.filter(({ epoch }) => epoch === 1)).toHaveLength(both.slice(0, -1).filter(({ status }) => status === 'fulfilled').length);
      await expect(writeUnder(sql, ann, 'no')).rejects.toThrow(lost('bob'));
    });

    it('is taken by exactly one of 64 that try at the same moment', async () => {
      const stores = await Promise.all(Array.from({ length: 7 }, open));
      const takers = Array.from({ length: 64 }, (_, index) => takeLease(stores[index % 7] ?? sql, request(`taker ${index}`)));
      const outcomes = await Promise.all(takers);
      const winners = outcomes.filter(({ outcome }) => outcome === 'taken');
      expect(winners).toHaveLength(1);
      const heldBy = new Set(outcomes.flatMap((each) => (each.outcome === 'held' ? [each.heldBy] : [])));
      expect([...heldBy]).toEqual([leaseOf(winners[0]!).holder]);
    });
  });
}
