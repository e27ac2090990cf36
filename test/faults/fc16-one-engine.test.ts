import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect } from 'vitest';
import { holderNote, leaseMigration, readHolderNote } from '../../src/kernel/lock/index.ts';
import { openStore, type Schema } from '../../src/kernel/sql/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { Daemons, expectFenced, type DaemonWord } from '../kernel/lock/daemons.ts';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount } from '../support/fault-counts.ts';
import { testUnless } from '../support/needs.ts';
import { postgresServer, withoutPostgres } from '../support/postgres.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAEMONS = 8;
const KILLS = faultCount({ ci: 5, full: 50 });
/** Longer than any test may take: whoever takes over after a kill must not have to wait for it. */
const WHOLE_TTL_MS = 86_400_000;
const SCALED_TTL_MS = 1000;
const LAST_PID = '/proc/sys/kernel/ns_last_pid';

const folder = tempFolder();
const server = postgresServer();
const clock = systemClock();
const daemon = bundledProgram(join(import.meta.dirname, '../kernel/lock/programs/lease-daemon.ts'));
const worker = bundledProgram(join(import.meta.dirname, '../../src/kernel/lock/lease-worker.ts'));
const SCHEMA: Schema = {
  table: 'migrations',
  namespace: 'fc16',
  migrations: [
    leaseMigration,
    {
      id: '001-notes',
      sql: {
        sqlite: 'CREATE TABLE notes (text TEXT NOT NULL, epoch BIGINT NOT NULL)',
        postgres: 'CREATE TABLE notes (seen BIGINT GENERATED ALWAYS AS IDENTITY, text TEXT NOT NULL, epoch BIGINT NOT NULL)',
      },
    },
  ],
};

type Address = { readonly path: string } | { readonly url: string };
let daemons = new Daemons();

beforeEach(() => {
  daemons = new Daemons();
});

afterEach(() => daemons.end());

function start(holder: string, { address, lock, ttlMs }: { address: Address; lock: string; ttlMs: number }): void {
  daemons.start(daemon.file, { holder, address, schema: SCHEMA, ttlMs, bootId: `machine of ${lock}`, workerFile: worker.file, journalPath: folder.at('journal.jsonl'), lockPath: lock });
}

async function expectOneWriterEach(address: Address): Promise<void> {
  await daemons.end();
  const sql = await openStore({ ...address, clock, busyTimeoutMs: 60_000, schema: SCHEMA });
  await expectFenced(sql);
  await sql.close();
}

/** A program that knows nothing of us under the pid of one that was killed, where the system lets us choose pids. */
async function programUnder(pid: number): Promise<{ readonly pid: number; end(): void }> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (process.getuid?.() === 0 && existsSync(LAST_PID)) writeFileSync(LAST_PID, `${pid - 1}`);
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    if (child.pid === pid || attempt === 19) return { pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') };
    child.kill('SIGKILL');
    await sleep(1);
  }
  throw new RangeError('unreachable');
}

// Each kill is followed by the start of another program and of the next engine.
testUnless(undefined, 'FC-16, F8: of eight daemons one is the engine; a killed one is followed at once, whoever has its pid now', async () => {
  const place = { address: { path: folder.at('a.db') }, lock: folder.at('engine.lock'), ttlMs: WHOLE_TTL_MS };
  for (let number = 1; number <= DAEMONS; number += 1) start(`daemon ${number}`, place);
  let held = await daemons.said(({ word }) => word === 'wrote');
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const before = held;
    const pid = daemons.pidOf(before.holder);
    expect(readHolderNote(place.lock)).toMatchObject({ pid, command: `daemon ${before.holder}` });
    await daemons.kill(before.holder);
    const other = await programUnder(pid);
    held = await daemons.said(({ word, epoch }) => word === 'wrote' && epoch > before.epoch);
    expect(held.epoch).toBe(before.epoch + 1);
    // One that starts while a note of the past names a program that lives is no more impressed by it.
    writeFileSync(`${place.lock}.holder`, JSON.stringify({ ...holderNote(clock, 'gone'), pid: other.pid }));
    start(`daemon ${DAEMONS + kill}`, place);
    await daemons.said(({ word, holder }) => word === 'ready' && holder === `daemon ${DAEMONS + kill}`);
    writeFileSync(`${place.lock}.holder`, JSON.stringify({ ...holderNote(clock, `daemon ${held.holder}`), pid: daemons.pidOf(held.holder) }));
    other.end();
  }
  const locked = daemons.words.filter(({ word }) => word === 'locked');
  expect(new Set(locked.map(({ holder }) => holder)).size).toBe(KILLS + 1);
  expect(readFileSync(place.lock).length).toBe(0);
  await expectOneWriterEach(place.address);
});

testUnless(withoutPostgres, 'an engine that is stopped for two leases is followed on another machine, and fenced when it goes on', async () => {
  const address = { url: server.url };
  const places = ['a', 'b'].map((name) => ({ address, lock: folder.at(`machine-${name}.lock`), ttlMs: SCALED_TTL_MS }));
  for (let number = 1; number <= DAEMONS; number += 1) start(`daemon ${number}`, places[number % 2]!);
  const held = await daemons.said(({ word }) => word === 'wrote');
  daemons.send(held.holder, 'SIGSTOP');
  const machineOf = ({ holder }: DaemonWord): number => Number(holder.split(' ')[1]) % 2;
  await sleep(SCALED_TTL_MS * 2);
  const next = await daemons.said(({ word, epoch }) => word === 'wrote' && epoch > held.epoch);
  expect(machineOf(next)).not.toBe(machineOf(held));
  daemons.send(held.holder, 'SIGCONT');
  const { code } = await daemons.said(({ word, holder, epoch }) => word === 'refused' && holder === held.holder && epoch === held.epoch);
  // The second and third when it was stopped in the middle of a transaction, which its server ended.
  expect(['lease-lost', 'database-unreachable', 'outcome-unknown']).toContain(code);
  await expectOneWriterEach(address);
});
