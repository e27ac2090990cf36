import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sqliteLibrary } from '../../../src/kernel/sql/driver.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const emitWarning = process.emitWarning;
const folder = tempFolder();
let warnings: unknown[] = [];

beforeEach(() => {
  warnings = [];
  process.emitWarning = (warning: string | Error): void => void warnings.push(String(warning));
});

afterEach(() => {
  process.emitWarning = emitWarning;
});

describe('the SQLite library', () => {
  test('is one, loaded without a word, and leaves warnings to others', () => {
    const before = process.emitWarning;
    expect(sqliteLibrary()).toBe(sqliteLibrary());
    expect(warnings).toEqual([]);
    expect(process.emitWarning).toBe(before);
  });

  test('is that of Node where it is known to be complete', () => {
    const major = Number.parseInt(process.versions.node, 10);
    if (major >= 24) expect(sqliteLibrary().closesStatements).toBe(true);
    if (major < 22) expect(sqliteLibrary().closesStatements).toBe(false);
  });

  test('says truly whether closing ends the statements, or they keep the file open', () => {
    const { DatabaseSync, closesStatements } = sqliteLibrary();
    const raw = new DatabaseSync(folder.at('a.db'), { readOnly: false });
    raw.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    const statement = raw.prepare('SELECT * FROM t');
    raw.close();
    expect(existsSync(folder.at('a.db-wal'))).toBe(!closesStatements);
    expect(() => statement.all()).toThrow();
  });

  test('closes a file at once that had no statements', () => {
    const { DatabaseSync } = sqliteLibrary();
    const raw = new DatabaseSync(folder.at('a.db'), { readOnly: false });
    raw.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a)');
    raw.close();
    expect(existsSync(folder.at('a.db-wal'))).toBe(false);
  });
});
