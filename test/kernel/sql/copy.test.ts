import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copyDatabase, openDatabase, type Database } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const open = (path: string): Promise<Database> => openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000 });
const coded = (code: string, part = folder.path): unknown => expect.objectContaining({ code, message: expect.stringContaining(part) });

async function databaseWithRows(rows: number): Promise<Database> {
  const db = await open(folder.at('a.db'));
  db.run('CREATE TABLE t (n INTEGER, text TEXT)');
  db.tx(({ run }) => {
    for (let n = 0; n < rows; n += 1) run('INSERT INTO t VALUES (?, ?)', [n, 'x'.repeat(500)]);
  });
  return db;
}

describe('a copy of a database', () => {
  test('has what is stored, also what is still beside the file, and is for its owner alone', async () => {
    const db = await databaseWithRows(10);
    await copyDatabase(folder.at('a.db'), folder.at('copy.db'));
    db.run('DELETE FROM t');
    expect(readdirSync(folder.path).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
    expect(statSync(folder.at('copy.db')).mode & 0o777).toBe(0o600);
    const copy = await open(folder.at('copy.db'));
    expect(copy.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 10 }]);
    copy.close();
    db.close();
  });

  test('is whole while others write, and does not break into their transaction', async () => {
    const db = await databaseWithRows(5000);
    const copying = copyDatabase(folder.at('a.db'), folder.at('copy.db'));
    let isOver = false;
    void copying.then(() => (isOver = true));
    for (let round = 0; !isOver && round < 2000; round += 1) {
      db.tx(({ run }) => {
        run('UPDATE t SET n = n + 5000 WHERE n = (SELECT min(n) FROM t)');
        run('UPDATE t SET text = ? WHERE n = (SELECT max(n) FROM t)', [`${round}`]);
      });
      await new Promise(setImmediate);
    }
    await copying;
    const copy = await open(folder.at('copy.db'));
    expect(copy.query('SELECT integrity_check FROM pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(copy.query('SELECT count(*) AS n, max(n) - min(n) AS span FROM t')).toEqual([{ n: 5000, span: 4999 }]);
    copy.close();
    db.close();
  });

  test('takes the place of nothing, and leaves nothing behind', async () => {
    const db = await databaseWithRows(1);
    writeFileSync(folder.at('other'), 'theirs');
    await expect(copyDatabase(folder.at('a.db'), folder.at('other'))).rejects.toThrow(coded('copy-exists', folder.at('other')));
    expect(readFileSync(folder.at('other'), 'utf8')).toBe('theirs');
    await expect(copyDatabase(folder.at('none.db'), folder.at('b'))).rejects.toThrow(coded('database-missing'));
    await expect(copyDatabase(folder.at('other'), folder.at('b'))).rejects.toThrow(coded('database-damaged', folder.at('other')));
    await expect(copyDatabase(folder.at('a.db'), folder.at('no', 'b'))).rejects.toThrow(coded('not-found', folder.at('no')));
    db.close();
    expect(readdirSync(folder.path).filter((name) => !name.startsWith('a.db'))).toEqual(['other']);
  });
});
