import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { releaseLease, renewLease, takeLease, type Lease } from '../../../src/kernel/lock/index.ts';
import { SqliteDatabase } from '../../../src/kernel/sql/database.ts';
import { connectSqlite, openStore, type Sql } from '../../../src/kernel/sql/index.ts';
import { SqliteStore } from '../../../src/kernel/sql/sqlite-store.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { LEASE_SCHEMA, writeUnder } from './lease-contract.ts';
import { ToyMachine } from './machines.ts';

const TTL_MS = 1000;
const HOLDERS = 4;

const folder = tempFolder();
let sql: Sql;

beforeEach(async () => {
  const patience = { clock: systemClock(), busyTimeoutMs: 1000 };
  const path = folder.at('a.db');
  await (await openStore({ ...patience, path, schema: LEASE_SCHEMA })).close();
  const connection = connectSqlite(path);
  // The property is about the statements; what a sync adds is tested elsewhere and would take all the time.
  connection.exec('PRAGMA synchronous = OFF');
  sql = new SqliteStore(new SqliteDatabase({ ...patience, path, access: 'write', connection, exactIntegers: true }), patience);
});

afterEach(() => sql.close());

interface Write {
  readonly holder: number;
  readonly epoch: number;
}

/** Holders that are at work on one lease, and remember theirs until the machine is started anew. */
class World {
  readonly machine = new ToyMachine();
  readonly writes: Write[] = [];
  readonly #leases = new Map<number, Lease>();
  readonly #name: string;
  #tokens = 0;
  /** By the model: until when whoever took or renewed last is safe. */
  #safeUntil = 0;

  constructor(name: string) {
    this.#name = name;
  }

  async take(holder: number): Promise<void> {
    this.#tokens += 1;
    const token = this.#leases.get(holder)?.token ?? `${this.#name} ${this.#tokens}`;
    const isSafe = this.machine.nowMs < this.#safeUntil;
    const taking = await takeLease(sql, { name: this.#name, holder: `${holder}`, token, ttlMs: TTL_MS, machine: this.machine });
    if (taking.outcome === 'held') {
      expect(isSafe).toBe(true);
      return;
    }
    const before = this.#leases.get(holder);
    if (isSafe) expect(taking.lease.epoch).toBe(before?.epoch);
    this.#leases.set(holder, taking.lease);
    this.#safeUntil = this.machine.nowMs + TTL_MS;
  }

  async renew(holder: number): Promise<void> {
    const lease = this.#leases.get(holder);
    if (lease === undefined) return;
    if (await succeeds(renewLease(sql, lease, { machine: this.machine }))) this.#safeUntil = this.machine.nowMs + TTL_MS;
    else this.#leases.delete(holder);
  }

  async release(holder: number): Promise<void> {
    const lease = this.#leases.get(holder);
    if (lease === undefined) return;
    const wasOurs = await succeeds(writeUnder(sql, lease, 'last'));
    await releaseLease(sql, lease);
    if (wasOurs) {
      this.writes.push({ holder, epoch: lease.epoch });
      this.#safeUntil = 0;
    }
    // It goes on as if it still had it, as a holder does that was stopped for a while.
  }

  async write(holder: number): Promise<void> {
    const lease = this.#leases.get(holder);
    if (lease !== undefined && (await succeeds(writeUnder(sql, lease, 'x')))) this.writes.push({ holder, epoch: lease.epoch });
  }

  pass(ms: number): void {
    this.machine.nowMs += ms;
  }

  restart(): void {
    this.machine.restart();
    this.#leases.clear();
    this.#safeUntil = 0;
  }
}

async function succeeds(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'lease-lost' });
    return false;
  }
}

type Action = (world: World) => void | Promise<void>;

const holder = fc.integer({ min: 0, max: HOLDERS - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
  holder.map((who): Action => (world) => world.take(who)),
  holder.map((who): Action => (world) => world.renew(who)),
  holder.map((who): Action => (world) => world.release(who)),
  { arbitrary: holder.map((who): Action => (world) => world.write(who)), weight: 2 },
  fc.constantFrom(1, 400, 999, 1000, 5000).map((ms): Action => (world) => world.pass(ms)),
  { arbitrary: fc.constant<Action>((world) => world.restart()), weight: 1 },
);

test('whatever happens, each epoch has one holder whose writes are stored, and no epoch writes after the next one', async () => {
  let worlds = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 40 }), async (actions) => {
      worlds += 1;
      const world = new World(`lease ${worlds}`);
      for (const each of actions) await each(world);
      const epochs = world.writes.map(({ epoch }) => epoch);
      expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
      const holders = new Map<number, number>();
      for (const { epoch, holder: who } of world.writes) expect(holders.set(epoch, holders.get(epoch) ?? who).get(epoch)).toBe(who);
    }),
    { numRuns: 150 },
  );
});
