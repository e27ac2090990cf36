import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scannedStatement } from '../../../src/kernel/sql/scan.ts';

const postgres = (sql: string): unknown => scannedStatement('postgres', sql).text;

describe('placeholders for PostgreSQL', () => {
  test.each([
    ['SELECT ?, ?', 'SELECT $1, $2'],
    ["SELECT '?', ?", "SELECT '?', $1"],
    ["SELECT 'it''s ?', ?", "SELECT 'it''s ?', $1"],
    ["SELECT E'a\\'?', ?", "SELECT E'a\\'?', $1"],
    ["SELECT type'?', ?", "SELECT type'?', $1"],
    ['SELECT "a""?" = ?', 'SELECT "a""?" = $1'],
    ['SELECT 1 -- ?\n + ?', 'SELECT 1 -- ?\n + $1'],
    ['SELECT /* ? /* ? */ ? */ ?', 'SELECT /* ? /* ? */ ? */ $1'],
    ['SELECT $$ ? $$, $a$ ? $$ ? $a$, ?', 'SELECT $$ ? $$, $a$ ? $$ ? $a$, $1'],
    ['SELECT a$b$, ?, c$b$', 'SELECT a$b$, $1, c$b$'],
    ['SELECT ?::text', 'SELECT $1::text'],
    ["SELECT a @> ? AND b[?] = 'x'", "SELECT a @> $1 AND b[$2] = 'x'"],
    ["SELECT 'never ended ?", "SELECT 'never ended ?"],
    ['SELECT /* never ended ?', 'SELECT /* never ended ?'],
  ])('%s', (sql, expected) => {
    expect(postgres(sql)).toBe(expected);
  });

  test('are counted alike for SQLite, whose text stays', () => {
    const sql = "SELECT ?, '?', \"?\", `?` /* ? */ -- ?\n WHERE a = ?";
    expect(scannedStatement('sqlite', sql)).toEqual({ text: sql, parameters: 2, verb: 'SELECT', isChanging: false });
  });

  test('in comments that nest are read as each database does', () => {
    const sql = 'SELECT /* a /* b */ ? */ 1';
    expect([scannedStatement('sqlite', sql).parameters, scannedStatement('postgres', sql).parameters]).toEqual([1, 0]);
  });
});

describe('a scanned statement', () => {
  test.each([
    ['', '', undefined],
    ['-- x\n /* y */ ', '', undefined],
    ['  select 1;  -- end', 'SELECT', undefined],
    ['(SELECT 1) UNION SELECT 2', 'SELECT', undefined],
    ['SELECT 1; ;', 'SELECT', undefined],
    ['SELECT 1; x', 'SELECT', 'it holds more than one statement'],
    ["SELECT ';'", 'SELECT', undefined],
    ['SELECT ?2', 'SELECT', 'a placeholder is a bare ?, not ?2'],
    ['SELECT $1', 'SELECT', 'a placeholder is a bare ?, not $1'],
    ['SELECT @a', 'SELECT', 'a placeholder is a bare ?, not @a'],
  ])('%j', (sql, verb, problem) => {
    expect([scannedStatement('postgres', sql).verb, scannedStatement('postgres', sql).problem]).toEqual([verb, problem]);
  });

  test('is the same text but for its placeholders, whatever stands in it', () => {
    const pieces = fc.constantFrom("'", '"', '?', '$', 'a', '$x$', '--', '\n', '/*', '*/', '\\', 'E', ';', ' ', '1', '`', 'ü', '::', '@');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const sql = parts.join('');
        const { text, parameters } = scannedStatement('postgres', sql);
        expect(scannedStatement('sqlite', sql).text).toBe(sql);
        let number = 0;
        const back = text.replaceAll(/\$(\d+)/g, (found, digits: string) => {
          if (Number(digits) !== number + 1 || number >= parameters) return found;
          number += 1;
          return '?';
        });
        if (!/\$\d/.test(sql)) expect(back).toBe(sql);
      }),
      { numRuns: 300 },
    );
  });

  test('is looked at once, and many of them cost no memory for ever', () => {
    expect(scannedStatement('sqlite', 'SELECT 1')).toBe(scannedStatement('sqlite', 'SELECT 1'));
    for (let round = 0; round < 3000; round += 1) scannedStatement('sqlite', `SELECT ${round}`);
    expect(scannedStatement('sqlite', 'SELECT 7').verb).toBe('SELECT');
  });
});
