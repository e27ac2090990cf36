import { cpSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDatabase, type Database, type Schema } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { readCache, readParts, writeCache, type CacheChanges, type TargetState } from '../../../src/bach/store/cache-rows.ts';
import type { HashedFile } from '../../../src/kernel/files/index.ts';
import type { OutputRecord } from '../../../src/bach/store/index.ts';
import { MIGRATIONS, MIGRATIONS_TABLE } from '../../../src/bach/store/schema.ts';
import { temporaryFolder } from '../../support/temp.ts';

const STAMP = { dev: 64_768n, ino: 2n ** 62n + 1n, size: 400n, mtimeNs: 1_796_089_770_200_795_149n, ctimeNs: 1_796_089_770_200_795_150n };
const FILE = { hash: 'f'.repeat(64), stamp: STAMP, startedNs: 1_796_089_771_000_000_001n };

function output(fields: Partial<OutputRecord>): OutputRecord {
  return { path: 'dist/app', kind: 'file', entriesHash: '', ...FILE, ...fields };
}

function state(fields: Partial<TargetState>): TargetState {
  return { target: 'shell/build', fingerprint: 'a1', parts: { env: 'e1', operation: 'o1' }, completedAt: 1_796_089_770_000_000_005n, runId: 'r1', ...fields };
}

function changes(fields: Partial<CacheChanges>): CacheChanges {
  return { states: [], outputs: new Map(), hashes: { put: new Map(), drop: [] }, ...fields };
}

async function opened(known = MIGRATIONS.length): Promise<Database> {
  const schema: Schema = { table: MIGRATIONS_TABLE, migrations: MIGRATIONS.slice(0, known) };
  return openDatabase(join(temporaryFolder(), 'state.db'), { clock: systemClock(), busyTimeoutMs: 1000, schema });
}

/** What a record answers, whatever reads it when. */
const fileOf = ({ hash, stamp, startedNs }: HashedFile): HashedFile => ({ hash, stamp, startedNs });

const outputOf = (record: OutputRecord): OutputRecord => ({ ...fileOf(record), path: record.path, kind: record.kind, entriesHash: record.entriesHash });

function readBack(db: Database): ReturnType<typeof readCache> {
  const { results, hashes, outputs } = readCache(db);
  return {
    results,
    hashes: new Map([...hashes].map(([path, file]) => [path, fileOf(file)])),
    outputs: new Map([...outputs].map(([target, records]) => [target, records.map(outputOf)])),
  };
}

describe('the rows of the cache', () => {
  test('an empty state, and one from before there was a cache, hold nothing', async () => {
    for (const known of [1, MIGRATIONS.length]) {
      const db = await opened(known);
      expect(readCache(db)).toEqual({ results: new Map(), outputs: new Map(), hashes: new Map() });
      expect(readParts(db, 'shell/build')).toEqual({});
      db.close();
    }
  });

  test('everything comes back as it was written, to the last nanosecond', async () => {
    const db = await opened();
    const folder = output({ path: 'dist', kind: 'folder', entriesHash: 'e', hash: '' });
    const outputs = new Map([['shell/build', [output({}), folder]], ['shell/pipe', [output({ kind: 'other', path: 'p', hash: '' })]]]);
    const put = new Map([['src/a.ts', FILE], ['ü "x"\n\t\\', { ...FILE, stamp: { ...STAMP, dev: 0n, size: 0n, ino: -5n } }]]);
    db.tx((tx) => writeCache(tx, changes({ states: [state({}), state({ target: 'shell/pipe', parts: {} })], outputs, hashes: { put, drop: [] } })));
    const read = readBack(db);
    expect(read.hashes).toEqual(put);
    expect(read.outputs).toEqual(outputs);
    expect(read.results.get('shell/build')).toEqual({ fingerprint: 'a1', runId: 'r1', logPath: '' });
    expect([readParts(db, 'shell/build'), readParts(db, 'shell/pipe'), readParts(db, 'shell/other')]).toEqual([{ env: 'e1', operation: 'o1' }, {}, {}]);
    expect(db.query('SELECT completed_at FROM target_state WHERE name = ?', ['shell/build'])).toEqual([{ completed_at: '2026-12-01T01:49:30.000000005Z' }]);
    db.close();
  });

  test('a later success replaces the earlier one with all its outputs, and nothing of others', async () => {
    const db = await opened();
    const others = new Map([['shell/other', [output({})]]]);
    db.tx((tx) => writeCache(tx, changes({ states: [state({}), state({ target: 'shell/other' })], outputs: new Map([...others, ['shell/build', [output({}), output({ path: 'old' })]]]) })));
    db.tx((tx) => writeCache(tx, changes({ states: [state({ fingerprint: 'a2', runId: 'r2', parts: { env: 'e2' } })], outputs: new Map([['shell/build', [output({ hash: 'new' })]]]) })));
    const { results, outputs } = readBack(db);
    expect(results.get('shell/build')).toMatchObject({ fingerprint: 'a2', runId: 'r2' });
    expect(results.get('shell/other')).toMatchObject({ fingerprint: 'a1', runId: 'r1' });
    expect(outputs).toEqual(new Map([...others, ['shell/build', [output({ hash: 'new' })]]]));
    expect(readParts(db, 'shell/build')).toEqual({ env: 'e2' });
    db.close();
  });

  test('a target that no longer has outputs keeps none, and dropped files are forgotten', async () => {
    const db = await opened();
    const put = new Map([['a', FILE], ['b', FILE]]);
    db.tx((tx) => writeCache(tx, changes({ outputs: new Map([['shell/build', [output({})]]]), hashes: { put, drop: [] } })));
    db.tx((tx) => writeCache(tx, changes({ outputs: new Map([['shell/build', []]]), hashes: { put: new Map([['c', FILE]]), drop: ['a', 'never'] } })));
    expect(readCache(db).outputs.size).toBe(0);
    expect([...readCache(db).hashes.keys()].sort()).toEqual(['b', 'c']);
    db.close();
  });

  test('the log is the one of the run that made the result, while its row is there', async () => {
    const db = await opened();
    db.run("INSERT INTO runs (id, target, status, started_at) VALUES ('r1', 'x', 'success', '')");
    db.run("INSERT INTO target_runs (run_id, target, status, started_at, log_path) VALUES ('r1', 'shell/build', 'success', '', '.bach/runs/r1/x.log')");
    db.tx((tx) => writeCache(tx, changes({ states: [state({}), state({ target: 'shell/late', runId: 'r9' })] })));
    const { results } = readCache(db);
    expect([results.get('shell/build')?.logPath, results.get('shell/late')?.logPath]).toEqual(['.bach/runs/r1/x.log', '']);
    db.close();
  });

  test('more rows than are packed at a time', async () => {
    const db = await opened();
    const put = new Map(Array.from({ length: 4500 }, (_, index) => [`f${index}`, { ...FILE, hash: `h${index}` }]));
    db.tx((tx) => writeCache(tx, changes({ hashes: { put, drop: [] } })));
    expect(readBack(db).hashes).toEqual(put);
    db.close();
  });

  test.each([
    ["UPDATE target_state SET fingerprint_parts = '{'", 'fingerprint_parts'],
    ["UPDATE target_state SET fingerprint_parts = '[1]'", 'fingerprint_parts'],
    ["UPDATE target_state SET fingerprint_parts = 'null'", 'fingerprint_parts'],
    ["UPDATE output_record SET kind = 'thing'", 'kind'],
  ])('%s: a row that nobody writes is told', async (damage, column) => {
    const db = await opened();
    db.tx((tx) => writeCache(tx, changes({ states: [state({})], outputs: new Map([['shell/build', [output({})]]]) })));
    db.run(damage);
    expect(() => [readCache(db), readParts(db, 'shell/build')]).toThrow(`the cache of "shell/build" has an unreadable ${column}`);
    db.close();
  });

  test('a stamp that is no number equals none', async () => {
    const db = await opened();
    db.tx((tx) => writeCache(tx, changes({ hashes: { put: new Map([['a', FILE]]), drop: [] } })));
    db.run("UPDATE file_hash SET mtime = 'x', size = 1.5");
    expect(readCache(db).hashes.get('a')?.stamp).toEqual({ ...STAMP, mtimeNs: -1n, size: -1n });
    db.close();
  });

  test('any text is a path or a hash', async () => {
    const db = await opened();
    const texts = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.includes('\0')), { maxLength: 20 });
    fc.assert(
      fc.property(texts, (paths) => {
        const drop = [...readCache(db).hashes.keys()];
        db.tx((tx) => writeCache(tx, changes({ hashes: { put: new Map(paths.map((path) => [path, { ...FILE, hash: path }])), drop } })));
        expect([...readCache(db).hashes.values()].map(({ hash }) => hash).sort()).toEqual([...paths].sort());
      }),
      { numRuns: 50 },
    );
    db.close();
  });
});

test('a state that an earlier release wrote takes the cache with its first run', async () => {
  const folder = temporaryFolder();
  cpSync(join(import.meta.dirname, '../../fixtures/state/0.1.0/state/state.db'), join(folder, 'state.db'));
  const options = { clock: systemClock(), busyTimeoutMs: 1000, schema: { table: MIGRATIONS_TABLE, migrations: MIGRATIONS } };
  const db = await openDatabase(join(folder, 'state.db'), options);
  db.tx((tx) => writeCache(tx, changes({ states: [state({})] })));
  expect(readCache(db).results.get('shell/build')).toEqual({ fingerprint: 'a1', runId: 'r1', logPath: '' });
  expect(db.query('SELECT count(*) AS runs FROM runs')).toEqual([{ runs: 3 }]);
  db.close();
});

test('the cache that release 0.3.0 wrote is read', async () => {
  const folder = temporaryFolder();
  cpSync(join(import.meta.dirname, '../../fixtures/state/0.3.0/state/state.db'), join(folder, 'state.db'));
  const options = { clock: systemClock(), busyTimeoutMs: 1000, schema: { table: MIGRATIONS_TABLE, migrations: MIGRATIONS } };
  const db = await openDatabase(join(folder, 'state.db'), options);
  const { results, outputs, hashes } = readCache(db);
  expect(results.get('shell/ok')).toMatchObject({ fingerprint: '5'.repeat(64), logPath: expect.stringMatching(/\/shell__ok\.log$/) as string });
  expect(Object.keys(readParts(db, 'shell/ok'))).toEqual(['dependencies', 'env', 'inputs', 'operation', 'outputs']);
  expect(outputs.get('shell/ok')?.map(({ path, kind }) => `${path} ${kind}`).toSorted()).toEqual(['app file', 'dist folder']);
  expect(hashes.get('src/a.txt')).toMatchObject({ hash: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb', stamp: { size: 1n } });
  db.close();
});
