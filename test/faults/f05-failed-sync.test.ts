import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import { readJournal } from '../../src/kernel/journal/index.ts';
import { openDatabase } from '../../src/kernel/sql/index.ts';
import { bundledProgram } from '../support/bundle.ts';
import { failingSync, whyNoFailingSync } from '../support/failing-sync.ts';
import { faultCount } from '../support/fault-counts.ts';
import { stillClock } from '../support/journals.ts';
import { testUnless } from '../support/needs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { acknowledged, startWriting } from '../support/writing-process.ts';

const folder = tempFolder();
const library = failingSync();
const program = bundledProgram(join(import.meta.dirname, '../kernel/journal/programs/write-records.ts'));
const rowsProgram = bundledProgram(join(import.meta.dirname, '../kernel/sql/programs/write-rows.ts'));
const SYNCS = faultCount({ ci: 10, full: 100 });
const ENOSPC = 28;

testUnless(whyNoFailingSync(), `F5: after one of ${SYNCS} syncs failed nothing is acknowledged until the journal is reopened`, async () => {
  for (let k = 1; k <= SYNCS; k += 1) {
    const path = folder.at(`failing${k}.jsonl`);
    // Some systems tell only at the sync that there was no space: that ends the journal just the same.
    const [errno, code] = k % 2 === 0 ? [ENOSPC, 'disk-full'] : [undefined, 'system-error'];
    const env = library.env({ path: 'failing', syncAt: k, ...(errno === undefined ? {} : { errno }) });
    const process = startWriting(program.file, { path, writer: 'a', count: SYNCS + 5, bytes: 20, reopenAfter: 3 }, env);
    expect(await process.ended).toEqual({ code: 0, signal: null });
    expect(process.said.map((line) => line.replace(/^(ack \d+) \d+$/, '$1'))).toEqual([
      ...Array.from({ length: k - 1 }, (_, n) => `ack ${n}`),
      `refused ${k - 1} ${code}`,
      `refused ${k} journal-unsynced`,
      `refused ${k + 1} journal-unsynced`,
      'reopened',
      ...Array.from({ length: SYNCS + 3 - k }, (_, n) => `ack ${k + 2 + n}`),
      'closed',
    ]);
    const { records, damage } = await readJournal(path, { purpose: 'decide' });
    const found = records.map(({ record }) => record['index']);
    // The record whose sync failed was written; that it is there is no promise.
    expect(found.filter((index) => index !== k - 1)).toEqual(acknowledged(process.said));
    expect(damage).toEqual([]);
  }
});

testUnless(whyNoFailingSync(), `F5: nor does a database, after one of ${SYNCS} syncs failed`, async () => {
  for (let k = 1; k <= SYNCS; k += 1) {
    const task = { path: folder.at(`failing${k}.db`), count: SYNCS + 5, reopenAfter: 3, whileFile: folder.at(`while${k}`) };
    const env = { ...process.env, ...library.env({ path: `failing${k}.db`, syncAt: k, whileFile: task.whileFile, ...(k % 2 === 0 ? { errno: ENOSPC } : {}) }) };
    const { stdout, status } = spawnSync(process.execPath, [rowsProgram.file, JSON.stringify(task)], { encoding: 'utf8', env });
    expect(status).toBe(0);
    const said = stdout.trimEnd().split('\n');
    const first = said.findIndex((line) => line.startsWith('refused'));
    expect(said).toEqual([
      ...Array.from({ length: first }, (_, n) => `ack ${n}`),
      ...[first, first + 1, first + 2].map((n) => `refused ${n} database-unsynced`),
      'reopened',
      ...Array.from({ length: SYNCS + 2 - first }, (_, n) => `ack ${first + 3 + n}`),
      'closed',
    ]);
    const db = await openDatabase(task.path, { clock: stillClock, busyTimeoutMs: 1000, readOnly: true });
    const found = db.query('SELECT n FROM rows ORDER BY n').map(({ n }) => Number(n));
    db.close();
    // The row whose sync failed may be there or not.
    expect(found.filter((n) => n !== first)).toEqual(acknowledged(said));
  }
});
