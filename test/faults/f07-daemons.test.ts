import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { leaseMigration } from '../../src/kernel/lock/index.ts';
import { openStore, type Schema, type Sql } from '../../src/kernel/sql/index.ts';
import { bootId, systemClock } from '../../src/kernel/time/index.ts';
import { Daemons, expectFenced, type Border, type DaemonWord } from '../kernel/lock/daemons.ts';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount } from '../support/fault-counts.ts';
import { testUnless } from '../support/needs.ts';
import { postgresServer, withoutPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Scaled down from 30 s. */
const TTL_MS = 1000;
const ROUNDS = faultCount({ ci: 20, full: 500 });

const folder = tempFolder();
const server = postgresServer();
const daemon = bundledProgram(join(import.meta.dirname, '../kernel/lock/programs/lease-daemon.ts'));
const worker = bundledProgram(join(import.meta.dirname, '../../src/kernel/lock/lease-worker.ts'));
let daemons = new Daemons();
let tests = 0;

beforeEach(() => {
  daemons = new Daemons();
  tests += 1;
});

afterEach(() => daemons.end());

interface Place {
  readonly name: string;
  readonly without: string | undefined;
  readonly address: () => { readonly path: string } | { readonly url: string };
  /**
   * How the first write after the stop ends. A server ends a transaction whose client is stopped in its middle, and the
   * connection with it; what the client hears of that depends on where it stood. What was stored is looked at anyway.
   */
  readonly refusals: readonly string[];
}

const PLACES: readonly Place[] = [
  { name: 'SQLite', without: undefined, address: () => ({ path: folder.at('a.db') }), refusals: ['lease-lost'] },
  {
    name: 'PostgreSQL',
    without: withoutPostgres,
    address: () => ({ url: server.url }),
    refusals: ['lease-lost', 'database-unreachable', 'outcome-unknown'],
  },
];

function schemaOf(): Schema {
  const postgres = 'CREATE TABLE notes (seen BIGINT GENERATED ALWAYS AS IDENTITY, text TEXT NOT NULL, epoch BIGINT NOT NULL)';
  const sqlite = 'CREATE TABLE notes (text TEXT NOT NULL, epoch BIGINT NOT NULL)';
  return { table: 'migrations', namespace: `f07_${tests}`, migrations: [leaseMigration, { id: '001-notes', sql: { sqlite, postgres } }] };
}

function startDaemons(place: Place, count: number, stopAt?: Border): void {
  for (let number = 1; number <= count; number += 1) {
    daemons.start(daemon.file, {
      holder: `daemon ${number}`,
      address: place.address(),
      schema: schemaOf(),
      ttlMs: TTL_MS,
      bootId: bootId() ?? '',
      workerFile: worker.file,
      journalPath: folder.at('journal.jsonl'),
      stopAt,
    });
  }
}

/** Waits until somebody else holds the lease than the one that is stopped. */
async function takenOver(from: DaemonWord): Promise<DaemonWord> {
  return daemons.said(({ word, holder, epoch }) => word === 'held' && holder !== from.holder && epoch > from.epoch);
}

/**
 * Stops a holder until it was taken over. A process that is stopped in the middle of a transaction of SQLite keeps
 * everybody out; then it is stopped anew a moment later.
 */
async function stopUntilTakenOver(held: DaemonWord): Promise<void> {
  for (let isOver = false; !isOver; ) {
    daemons.send(held.holder, 'SIGSTOP');
    isOver = await Promise.race([takenOver(held).then(() => true), sleep(TTL_MS * 4).then(() => false)]);
    if (isOver) return;
    daemons.send(held.holder, 'SIGCONT');
    await sleep(10);
  }
}

async function refused(held: DaemonWord): Promise<DaemonWord> {
  return daemons.said(({ word, holder, epoch }) => word === 'refused' && holder === held.holder && epoch === held.epoch);
}

function lastHolder(): DaemonWord {
  return daemons.words.findLast(({ word }) => word === 'held')!;
}

function open(place: Place): Promise<Sql> {
  return openStore({ ...place.address(), clock: systemClock(), busyTimeoutMs: 60_000, schema: schemaOf() });
}

// Each round waits for a lease to run out.
describe.each(PLACES)('daemons on $name', (place) => {
  for (const count of [2, 8]) {
    testUnless(place.without, `${count} that start together have one holder; one that was stopped past its lease is fenced when it goes on`, async () => {
      startDaemons(place, count);
      await daemons.said(({ word }) => word === 'wrote');
      for (let round = 0; round < ROUNDS / 4; round += 1) {
        const held = lastHolder();
        await stopUntilTakenOver(held);
        daemons.send(held.holder, 'SIGCONT');
        expect(place.refusals).toContain((await refused(held)).code);
      }
      await daemons.end();
      const sql = await open(place);
      await expectFenced(sql);
      await sql.close();
    });
  }

  const borders: readonly Border[] = ['taken', 'kept', 'before-write', 'in-transaction', 'after-write'];
  for (const stopAt of borders.filter((border) => place.name !== 'SQLite' || border !== 'in-transaction')) {
    testUnless(place.without, `one that is stopped at the border ‘${stopAt}’ writes nothing into the next epoch`, async () => {
      startDaemons(place, 1, stopAt);
      const stopped = await daemons.said(({ word }) => word === 'stopping');
      daemons.start(daemon.file, { holder: 'next', address: place.address(), schema: schemaOf(), ttlMs: TTL_MS, bootId: bootId() ?? '', workerFile: worker.file, journalPath: folder.at('journal.jsonl') });
      await daemons.said(({ word, holder }) => word === 'wrote' && holder === 'next');
      daemons.send(stopped.holder, 'SIGCONT');
      const { code } = await daemons.said(({ word, holder }) => word === 'refused' && holder === stopped.holder);
      // Its server ended the transaction in which it was stopped, and the connection with it.
      expect(code).toBe(stopAt === 'in-transaction' ? 'database-unreachable' : 'lease-lost');
      await daemons.end();
      const sql = await open(place);
      await expectFenced(sql);
      await sql.close();
    });
  }
});
