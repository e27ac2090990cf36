import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defineError, isDroverError } from '../../../src/kernel/errors/index.ts';
import { describeSqliteError, isSqliteBusy } from '../../../src/kernel/sql/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

/** As the libraries throw it; one of them leaves out the number at times. */
function sqliteError(message: string, errcode?: number): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR' }, errcode === undefined ? {} : { errcode });
}

function codeOf(error: unknown): string {
  writeFileSync(folder.at('a.db'), '');
  const described = describeSqliteError(error, { path: folder.at('a.db'), action: 'write' });
  return isDroverError(described) ? described.code : 'not ours';
}

describe('describeSqliteError', () => {
  test.each([
    [5, 'database-busy'],
    [261, 'database-busy'],
    [517, 'database-busy'],
    [6, 'database-busy'],
    [11, 'database-damaged'],
    [267, 'database-damaged'],
    [26, 'database-damaged'],
    [13, 'disk-full'],
    [4874, 'disk-full'],
    [19, 'constraint-failed'],
    [787, 'constraint-failed'],
    [2067, 'constraint-failed'],
    [8, 'database-failed'],
    [1032, 'database-failed'],
    [10, 'database-failed'],
    [14, 'database-failed'],
    [1, 'database-failed'],
    [21, 'database-failed'],
  ])('result code %s is %s', (errcode, code) => {
    expect(codeOf(sqliteError('some text', errcode))).toBe(code);
  });

  test.each([
    ['database is locked', 'database-busy'],
    ['database table is locked: t', 'database-busy'],
    ['database disk image is malformed', 'database-damaged'],
    ['file is not a database', 'database-damaged'],
    ['database or disk is full', 'disk-full'],
    ['UNIQUE constraint failed: t.name', 'constraint-failed'],
    ['attempt to write a readonly database', 'database-failed'],
    ['no such table: t', 'database-failed'],
  ])('%j without a code is %s', (message, code) => {
    expect(codeOf(sqliteError(message))).toBe(code);
  });

  test('takes the code, where there is one, and not what a name in the text looks like', () => {
    expect(codeOf(sqliteError('no such table: database is locked', 1))).toBe('database-failed');
  });

  test('names the path, what was tried, and the reason, and keeps the cause', () => {
    const raw = sqliteError('disk I/O error', 10);
    writeFileSync(folder.at('a.db'), '');
    expect(describeSqliteError(raw, { path: folder.at('a.db'), action: 'read' })).toMatchObject({
      message: `cannot read ${folder.at('a.db')}: disk I/O error`,
      cause: raw,
    });
  });

  test('says which place is missing where SQLite only says that it cannot open', () => {
    const described = describeSqliteError(sqliteError('unable to open database file', 14), { path: folder.at('none', 'a.db'), action: 'open' });
    expect(described).toMatchObject({ code: 'not-found', message: `cannot open ${folder.at('none', 'a.db')}: no such file or directory` });
  });

  test('passes everything else unchanged', () => {
    const ours = defineError<Record<string, never>>({ code: 'x', message: () => 'x', remedy: 'y' })({});
    for (const other of [ours, new TypeError('x'), 'text', undefined]) {
      expect(describeSqliteError(other, { path: 'a', action: 'read' })).toBe(other);
    }
  });
});

test('only a lock of somebody else is busy', () => {
  expect([sqliteError('x', 5), sqliteError('x', 6), sqliteError('database is locked')].map(isSqliteBusy)).toEqual([true, true, true]);
  expect([sqliteError('x', 13), new Error('database is locked'), undefined].map(isSqliteBusy)).toEqual([false, false, false]);
});
