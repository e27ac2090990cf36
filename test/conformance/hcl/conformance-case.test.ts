import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../support/hcldec/conformance-case.ts';

const INPUT = 'a = 1\nb "x" {\n  c = true\n}\n';
const SCHEMA = `object {
  attr "a" { type = any }
  block_map "b" {
    labels = ["key"]
    object {
      attr "c" { type = bool }
    }
  }
}`;
const LITERAL = 'literal {\n  value = 1\n}';
const RESULT = 'result = { a = 1, b = { x = { c = true } } }\n';
const TYPE = 'result_type = object({ a = number, b = map(object({ c = bool })) })\n';

function place(line: number, column: number, byte: number): string {
  return `{\n line = ${line}\n column = ${column}\n byte = ${byte}\n}\n`;
}

function diagnostic(severity: string, from: string, to: string): string {
  return `diagnostics {\n${severity} {\nfrom ${from}to ${to}}\n}\n`;
}

describe('the runner of conformance cases', () => {
  test.each([
    ['nothing to say', { input: INPUT, schema: SCHEMA, expected: RESULT + TYPE }, []],
    [
      'another value',
      { input: INPUT, schema: SCHEMA, expected: RESULT.replace('1', '2') + TYPE },
      ['the result is {"a":1,"b":{"x":{"c":true}}}, not {"a":2,"b":{"x":{"c":true}}}'],
    ],
    [
      'another type',
      { input: INPUT, schema: SCHEMA, expected: TYPE.replace('number', 'string') },
      ['the type is object({a = number, b = map(object({c = bool}))}), not object({a = string, b = map(object({c = bool}))})'],
    ],
    [
      'a missing diagnostic',
      { input: INPUT, schema: SCHEMA, expected: diagnostic('error', place(1, 1, 0), place(1, 2, 1)) },
      ['no error 1:1 (byte 0) to 1:2 (byte 1)'],
    ],
    [
      'a diagnostic at another byte',
      { input: 'z = 1\n', schema: SCHEMA, expected: diagnostic('error', place(1, 1, 7), place(1, 2, 1)) },
      ['no error 1:1 (byte 7) to 1:2 (byte 1)', 'unexpected error 1:1 (byte 0) to 1:2 (byte 1)'],
    ],
    [
      'an unexpected block and argument',
      { input: 'é = 1\nz {}\n', schema: SCHEMA, expected: diagnostic('error', place(1, 1, 0), place(1, 2, 2)) },
      ['unexpected error 2:1 (byte 7) to 2:2 (byte 8)', '2 diagnostics for 1'],
    ],
    [
      'a value of the wrong type',
      { input: 'b "x" {\n  c = 5\n}\n', schema: SCHEMA, expected: '' },
      ['unexpected error 2:7 (byte 14) to 2:8 (byte 15)', '1 diagnostics for 0'],
    ],
    [
      'a missing label',
      { input: 'b {}\n', schema: SCHEMA, expected: '' },
      ['unexpected error 1:1 (byte 0) to 1:2 (byte 1)', '1 diagnostics for 0'],
    ],
    [
      'a second block',
      { input: 'b {}\nb {}\n', schema: 'block "b" {\n  object {}\n}', expected: '' },
      ['unexpected error 2:1 (byte 5) to 2:2 (byte 6)', '1 diagnostics for 0'],
    ],
    [
      'a variable where none is expected',
      { input: 'a = b.c\n', schema: SCHEMA, expected: `traversals {}\n${diagnostic('error', place(1, 5, 4), place(1, 6, 5))}` },
      ['uses b'],
    ],
    [
      'an absent attribute and block',
      { input: '', schema: 'object {\n  attr "a" { type = string }\n  block "b" {\n  object {}\n}\n}', expected: 'result = { a = null, b = null }\nresult_type = object({ a = string, b = any })\n' },
      [],
    ],
    ['no value', { input: '=', schema: LITERAL, expected: 'result = 1\n' }, ['unexpected error 1:1 (byte 0) to 1:2 (byte 1)', '1 diagnostics for 0', 'the result is undefined, not 1']],
  ])('sees %s', (_, given, differences) => {
    expect(differencesOf(given)).toEqual(differences);
  });

  test.each([
    ['a schema that does not parse', { input: '', schema: 'literal {', expected: '' }, /span/],
    ['a block that it does not know', { input: '', schema: 'tuple {}', expected: '' }, /tuple/],
    ['a type that it does not know', { input: '', schema: 'attr "a" {\n  type = set(string)\n}', expected: '' }, /set/],
    ['a traversal that it would have to compare', { input: '', schema: LITERAL, expected: 'traversals {\n  t {}\n}\n' }, /traversals/],
  ])('refuses %s', (_, given, message) => {
    expect(() => differencesOf(given)).toThrow(message);
  });
});
