import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { checkJournal, openJournal, readJournal, type Journal } from '../../src/kernel/journal/index.ts';
import { openStore, type Sql } from '../../src/kernel/sql/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { bundledProgram } from '../support/bundle.ts';
import { failingSync, whyNoFailingSync } from '../support/failing-sync.ts';
import { faultCount } from '../support/fault-counts.ts';
import { appendBytes, appendTo, stillClock } from '../support/journals.ts';
import { testUnless } from '../support/needs.ts';
import { smallDisk, whyNoSmallDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { acknowledged, startWriting } from '../support/writing-process.ts';

const folder = tempFolder();
const library = failingSync();
const program = bundledProgram(join(import.meta.dirname, '../kernel/journal/programs/write-records.ts'));
const clock = stillClock;
const DISK_MB = 64;
const EDQUOT = 122;
const DISK_FULL = { code: 'disk-full', exit: 1 };
const ROUNDS = faultCount({ ci: 20, full: 200 });

/** Appends until the disk is full; gives what was acknowledged. The file grows within its last page for a while. */
async function appendUntilFull(journal: Journal, from: number): Promise<{ readonly acks: readonly number[]; readonly error: unknown }> {
  const acks: number[] = [];
  for (let n = from; n < from + 10_000; n += 1) {
    try {
      await journal.append({ n, text: 'x'.repeat((n * 37) % 300) });
      acks.push(n);
    } catch (error) {
      return { acks, error };
    }
  }
  return { acks, error: undefined };
}

/** As above, for rows. */
async function storeUntilFull(sql: Sql, from: number): Promise<{ readonly acks: readonly number[]; readonly error: unknown }> {
  const acks: number[] = [];
  for (let n = from; n < from + 10_000; n += 1) {
    try {
      await sql.run('INSERT INTO rows (n, text) VALUES (?, ?)', [n, 'x'.repeat((n * 37) % 3000)]);
      acks.push(n);
    } catch (error) {
      return { acks, error };
    }
  }
  return { acks, error: undefined };
}

describe('F4, FC-23', () => {
  testUnless(whyNoSmallDisk(), `no acknowledged record is lost on a disk that is full from one of ${ROUNDS} writes on`, async () => {
    const disk = smallDisk(DISK_MB);
    for (let k = 1; k <= ROUNDS; k += 1) {
      const path = join(disk.folder, `j${k}`);
      const journal = await openJournal(path, { clock, writer: 'a' });
      const before = Array.from({ length: k }, (_, n) => n);
      for (const n of before) await journal.append({ n });
      disk.fill();
      const { acks, error } = await appendUntilFull(journal, k);
      expect(error).toMatchObject(DISK_FULL);
      await expect(journal.append({ n: -2, text: 'x'.repeat(5000) })).rejects.toMatchObject(DISK_FULL);
      // Nothing that a person would have to repair: reading goes on, and so does writing when there is space.
      await readJournal(path, { purpose: 'decide' });
      disk.free();
      if (k % 2 === 0) await journal.append({ n: -1 });
      await journal.close();
      if (k % 2 === 1) await appendTo(path, 'a', [{ n: -1 }]);
      const { records, damage, tornTail } = await readJournal(path, { purpose: 'decide' });
      expect(records.map(({ record }) => record['n']).filter((n) => n !== -2)).toEqual([...before, ...acks, -1]);
      expect({ damage, tornTail }).toEqual({ damage: [], tornTail: undefined });
      rmSync(path);
    }
  });

  testUnless(whyNoSmallDisk(), 'a journal cannot be begun without an error on a full disk', async () => {
    const disk = smallDisk(1);
    disk.fill();
    const journal = await openJournal(join(disk.folder, 'j'), { clock, writer: 'a' });
    await expect(journal.append({ n: 1 })).rejects.toMatchObject(DISK_FULL);
    disk.free();
    await journal.append({ n: 2 });
    await journal.close();
    expect((await readJournal(join(disk.folder, 'j'), { purpose: 'decide' })).records).toMatchObject([{ record: { n: 2 }, counter: 1 }]);
  });

  testUnless(whyNoSmallDisk(), 'a repair for which there was room is counted, although the record behind it had none', async () => {
    const disk = smallDisk(1);
    const path = join(disk.folder, 'j');
    const journal = await openJournal(path, { clock, writer: 'a' });
    await journal.append({ n: 1 });
    appendBytes(path, '{"torn');
    disk.fill();
    await expect(journal.append({ text: 'x'.repeat(5000) })).rejects.toMatchObject(DISK_FULL);
    disk.free();
    await journal.append({ n: 2 });
    await journal.close();
    expect(await checkJournal(path)).toMatchObject({
      records: 2,
      repairs: 2,
      damage: [],
      writers: [{ writer: 'a', lastCounter: 4, restarts: 0 }],
    });
  });

  // A process for each of them.
  testUnless(whyNoFailingSync(), `nor when the quota ends within one of ${ROUNDS} writes`, async () => {
    const flag = folder.at('full');
    writeFileSync(flag, '');
    for (let k = 1; k <= ROUNDS; k += 1) {
      const path = folder.at(`quota${k}.jsonl`);
      const env = library.env({ path: 'quota', writeFrom: k, errno: EDQUOT, whileFile: flag });
      const process = startWriting(program.file, { path, writer: 'a', count: k + 2, bytes: k * 7 }, env);
      expect(await process.ended).toEqual({ code: 0, signal: null });
      expect(process.said).toEqual([
        ...Array.from({ length: k - 1 }, (_, n) => `ack ${n} ${n + 1}`),
        ...[k - 1, k, k + 1].map((n) => `refused ${n} disk-full`),
        'closed',
      ]);
      await appendTo(path, 'a', [{ index: -1 }]);
      const { records, damage } = await readJournal(path, { purpose: 'decide' });
      expect(records.map(({ record }) => record['index'])).toEqual([...acknowledged(process.said), -1]);
      expect(damage).toEqual([]);
    }
  });

  testUnless(whyNoSmallDisk(), `no acknowledged row is lost in a database on a disk that is full from one of ${ROUNDS} writes on`, async () => {
    const disk = smallDisk(DISK_MB);
    const schema = { table: 'migrations', migrations: [{ id: '001', sql: 'CREATE TABLE rows (n BIGINT NOT NULL, text TEXT NOT NULL)' }] };
    for (let k = 1; k <= ROUNDS; k += 1) {
      const options = { path: join(disk.folder, `d${k}.db`), clock: systemClock(), busyTimeoutMs: 1000, schema };
      const before = Array.from({ length: k }, (_, n) => n);
      const sql = await openStore(options);
      for (const n of before) await sql.run('INSERT INTO rows (n, text) VALUES (?, ?)', [n, '']);
      disk.fill();
      const { acks, error } = await storeUntilFull(sql, k);
      expect(error).toMatchObject(DISK_FULL);
      expect((await sql.query('SELECT n FROM rows ORDER BY n')).map(({ n }) => n)).toEqual([...before, ...acks]);
      disk.free();
      // The same connection goes on once there is space.
      await sql.run("INSERT INTO rows (n, text) VALUES (-1, '')");
      await sql.close();
      const again = await openStore(options);
      expect((await again.query('SELECT n FROM rows ORDER BY n')).map(({ n }) => n)).toEqual([-1, ...before, ...acks]);
      await again.close();
      for (const part of ['', '-wal', '-shm']) rmSync(options.path + part, { force: true });
    }
  });
});
