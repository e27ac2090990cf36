import { describe, expect, test } from 'vitest';
import {
  ANY,
  BOOL,
  boolValue,
  convert,
  describe as describeValue,
  entriesOf,
  equalValues,
  floatText,
  integerValue,
  isKnown,
  itemsOf,
  listOf,
  listValue,
  mapOf,
  mapValue,
  NULL,
  nullValue,
  NUMBER,
  objectOf,
  objectValue,
  STRING,
  stringValue,
  toInteger,
  toPlain,
  tupleOf,
  tupleValue,
  typeName,
  typeOf,
  typeText,
  UNKNOWN,
  type Type,
  type Value,
} from '../../../../../src/bach/model/hcl/values/index.ts';
import { unify } from '../../../../../src/bach/model/hcl/values/unify.ts';
import { numberOf, valueOf } from '../../../../support/hcldec/value-of.ts';

const LIST = listValue([stringValue('a')], STRING);
const MAP = mapValue([['k', integerValue(1)]], NUMBER);

describe('values', () => {
  test.each<[Value, string, string]>([
    [stringValue('a'), 'string', 'the string "a"'],
    [stringValue('x'.repeat(50)), 'string', `the string "${'x'.repeat(40)}…"`],
    [stringValue(`${'x'.repeat(39)}👩x`), 'string', `the string "${'x'.repeat(39)}…"`],
    [integerValue(12), 'number', 'the number 12'],
    [numberOf(`1${'0'.repeat(50)}`), 'number', `the number 1${'0'.repeat(39)}…`],
    [boolValue(true), 'bool', 'the bool true'],
    [NULL, 'null', 'null'],
    [tupleValue([]), 'tuple', 'a tuple'],
    [objectValue([]), 'object', 'an object'],
    [LIST, 'list(string)', 'a list(string)'],
    [MAP, 'map(number)', 'a map(number)'],
    [UNKNOWN, 'unknown', 'an unknown value'],
  ])('%o is named %s, %s', (value, name, description) => {
    expect(typeName(value)).toBe(name);
    expect(describeValue(value)).toBe(description);
  });

  test.each<[Value, string]>([
    [stringValue('a'), 'string'],
    [integerValue(1), 'number'],
    [boolValue(false), 'bool'],
    [NULL, 'any'],
    [UNKNOWN, 'any'],
    [nullValue(STRING), 'string'],
    [valueOf(['a', 1]), 'tuple([string, number])'],
    [valueOf({ b: true, a: null }), 'object({a = any, b = bool})'],
    [LIST, 'list(string)'],
    [MAP, 'map(number)'],
  ])('the type of %o is %s', (value, text) => {
    expect(typeText(typeOf(value))).toBe(text);
  });

  test('the order of attributes makes no difference to an object type', () => {
    const forth: Type = objectOf([['a', NUMBER], ['b', BOOL]]);
    const back: Type = objectOf([['b', BOOL], ['a', NUMBER]]);
    expect([typeText(forth), typeText(back)]).toEqual(Array(2).fill('object({a = number, b = bool})'));
  });

  test('strings and keys are in composed form', () => {
    expect(stringValue('n\u0303').text).toBe('\u00f1');
    expect([...(entriesOf(objectValue([['n\u0303', NULL]])) ?? new Map()).keys()]).toEqual(['\u00f1']);
  });

  test('keys are in the order of code points, and the last of two equal ones counts', () => {
    const value = objectValue([
      ['\u{1f469}', integerValue(1)],
      ['\uff21', integerValue(2)],
      ['b', integerValue(3)],
      ['a', integerValue(4)],
      ['ab', integerValue(5)],
      ['a', integerValue(6)],
    ]);
    expect([...value.entries].map(([key, each]) => [key, toPlain(each)])).toEqual([
      ['a', 6],
      ['ab', 5],
      ['b', 3],
      ['\uff21', 2],
      ['\u{1f469}', 1],
    ]);
  });

  test('integers are made and read back exactly', () => {
    for (const integer of [0, 1, -1, 12, -4096, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const { float } = integerValue(integer);
      expect(toInteger(float)).toBe(integer);
      expect(floatText(float)).toBe(`${integer}`);
      expect(integerValue(integer)).toEqual(numberOf(`${integer}`));
    }
  });

  test('items and entries are found in both their forms', () => {
    expect(itemsOf(LIST)).toEqual([stringValue('a')]);
    expect(itemsOf(tupleValue([NULL]))).toEqual([NULL]);
    expect(itemsOf(MAP)).toBeUndefined();
    expect(entriesOf(MAP)?.get('k')).toEqual(integerValue(1));
    expect(entriesOf(LIST)).toBeUndefined();
  });

  test('a value is known when every part of it is', () => {
    expect([UNKNOWN, tupleValue([tupleValue([UNKNOWN])]), objectValue([['a', UNKNOWN]])].map(isKnown)).toEqual([false, false, false]);
    expect([NULL, LIST, MAP, valueOf({ a: [1] })].map(isKnown)).toEqual([true, true, true, true]);
  });

  test('a key of any name survives the way to JavaScript', () => {
    const plain = toPlain(objectValue([['__proto__', integerValue(1)]]));
    expect(JSON.stringify(plain)).toBe('{"__proto__":1}');
    expect(toPlain(tupleValue([NULL, UNKNOWN, LIST]))).toEqual([null, undefined, ['a']]);
  });
});

describe('equality', () => {
  const distinct: readonly Value[] = [
    stringValue('1'),
    integerValue(1),
    boolValue(true),
    stringValue('true'),
    NULL,
    tupleValue([]),
    valueOf(['a']),
    valueOf(['b']),
    valueOf(['a', 'a']),
    valueOf([['a']]),
    LIST,
    listValue([], STRING),
    listValue([], NUMBER),
    objectValue([]),
    valueOf({ k: 1 }),
    valueOf({ k: 2 }),
    valueOf({ j: 1 }),
    valueOf({ k: 1, l: 1 }),
    MAP,
    mapValue([], NUMBER),
  ];

  test('each of these is equal to itself alone', () => {
    for (const [row, left] of distinct.entries()) {
      for (const [column, right] of distinct.entries()) {
        expect([left, right, equalValues(left, right)]).toEqual([left, right, row === column]);
      }
    }
  });

  test('nulls of all types are equal', () => {
    expect(equalValues(NULL, nullValue(STRING))).toBe(true);
    expect(equalValues(valueOf({ a: null }), objectValue([['a', nullValue(NUMBER)]]))).toBe(true);
  });
});

describe('conversion', () => {
  test.each<[string, Value, Type, Value]>([
    ['number to string', numberOf('1.50'), STRING, stringValue('1.5')],
    ['large number to string', numberOf('1e21'), STRING, stringValue(`1${'0'.repeat(21)}`)],
    ['bool to string', boolValue(false), STRING, stringValue('false')],
    ['string to number', stringValue('-1e2'), NUMBER, integerValue(-100)],
    ['string to bool', stringValue('true'), BOOL, boolValue(true)],
    ['digit to bool', stringValue('1'), BOOL, boolValue(true)],
    ['zero to bool', stringValue('0'), BOOL, boolValue(false)],
    ['word to bool', stringValue('false'), BOOL, boolValue(false)],
    ['itself to string', stringValue('a'), STRING, stringValue('a')],
    ['itself to number', integerValue(1), NUMBER, integerValue(1)],
    ['itself to bool', boolValue(true), BOOL, boolValue(true)],
    ['anything to any', valueOf([1]), ANY, valueOf([1])],
    ['null', NULL, STRING, nullValue(STRING)],
    ['unknown', UNKNOWN, STRING, UNKNOWN],
    ['tuple to list', valueOf([1, 'a']), listOf(STRING), listValue([stringValue('1'), stringValue('a')], STRING)],
    ['tuple to the list its elements make', valueOf([1, null]), listOf(ANY), listValue([integerValue(1), nullValue(NUMBER)], NUMBER)],
    ['list to list', LIST, listOf(STRING), LIST],
    ['object to map', valueOf({ a: true }), mapOf(STRING), mapValue([['a', stringValue('true')]], STRING)],
    ['object to the map its elements make', valueOf({ a: 1, b: 'x' }), mapOf(ANY), mapValue([['a', stringValue('1')], ['b', stringValue('x')]], STRING)],
    ['tuple to tuple', valueOf(['1', true]), tupleOf([NUMBER, STRING]), valueOf([1, 'true'])],
    ['object to a smaller object', valueOf({ a: '1', b: 2 }), objectOf([['a', NUMBER]]), valueOf({ a: 1 })],
    ['map to object', MAP, objectOf([['k', STRING]]), valueOf({ k: '1' })],
  ])('%s', (_, value, type, expected) => {
    expect(convert(value, type)).toEqual(expected);
  });

  test.each<[Value, Type, string]>([
    [valueOf([]), STRING, 'a tuple is not a string'],
    [boolValue(true), NUMBER, 'the bool true is not a number'],
    [stringValue('12a'), NUMBER, 'the string "12a" is not a number'],
    [stringValue('1e9999'), NUMBER, 'the string "1e9999" is a number too large or too small to be held'],
    [stringValue('True'), BOOL, 'the string "True" is not a bool: write "true" or "false"'],
    [integerValue(1), BOOL, 'the number 1 is not a bool'],
    [stringValue('a'), listOf(STRING), 'the string "a" is not a list'],
    [valueOf(['a', ['b']]), listOf(STRING), 'at 1: a tuple is not a string'],
    [valueOf(['a', ['b']]), listOf(ANY), 'the elements of a list need one type, and these have several'],
    [valueOf(['a']), mapOf(STRING), 'a tuple is not a map'],
    [valueOf({ a: 1, b: true }), mapOf(ANY), 'the elements of a map need one type, and these have several'],
    [valueOf({ a: 'x' }), mapOf(NUMBER), 'at "a": the string "x" is not a number'],
    [valueOf({}), tupleOf([]), 'an object is not a tuple'],
    [valueOf([1]), tupleOf([NUMBER, NUMBER]), 'a tuple of 2 elements is expected, and this has 1'],
    [valueOf([1]), objectOf([]), 'a tuple is not an object'],
    [valueOf({ a: 1 }), objectOf([['b', NUMBER]]), 'the attribute "b" is required'],
  ])('%o as %o fails', (value, type, message) => {
    expect(convert(value, type)).toEqual({ kind: 'failure', message });
  });
});

describe('the common type', () => {
  const types: Record<string, Type> = {
    any: ANY,
    string: STRING,
    number: NUMBER,
    bool: BOOL,
    numbers: listOf(NUMBER),
    none: tupleOf([]),
    one: tupleOf([NUMBER]),
    text: tupleOf([STRING]),
    pair: tupleOf([NUMBER, STRING]),
    flag: tupleOf([BOOL]),
    a: objectOf([['a', NUMBER]]),
    texts: objectOf([['a', STRING]]),
    b: objectOf([['b', BOOL]]),
    c: objectOf([['c', STRING]]),
    ac: objectOf([['a', NUMBER], ['c', STRING]]),
    ca: objectOf([['c', STRING], ['a', NUMBER]]),
    map: mapOf(STRING),
  };

  test.each([
    [[], 'any'],
    [['any', 'any'], 'any'],
    [['any', 'number'], 'number'],
    [['number', 'number'], 'number'],
    [['number', 'string'], 'string'],
    [['bool', 'string', 'number'], 'string'],
    [['number', 'bool'], undefined],
    [['string', 'one'], undefined],
    [['one', 'a'], undefined],
    [['one', 'text'], 'tuple([string])'],
    [['one', 'flag'], undefined],
    [['none', 'one'], 'list(number)'],
    [['one', 'pair'], 'list(string)'],
    [['none', 'none'], 'tuple([])'],
    [['pair', 'flag'], 'list(string)'],
    [['numbers', 'one'], 'list(number)'],
    [['numbers', 'flag'], undefined],
    [['numbers', 'map'], undefined],
    [['a', 'texts'], 'object({a = string})'],
    [['a', 'c'], 'map(string)'],
    [['a', 'b'], undefined],
    [['a', 'ac'], 'map(string)'],
    [['ac', 'ca'], 'object({a = number, c = string})'],
    [['a', 'map'], 'map(string)'],
    [['map', 'any'], 'map(string)'],
  ])('of %o is %s', (names, expected) => {
    const unified = unify(names.map((name) => types[name] ?? ANY));
    expect(unified && typeText(unified)).toBe(expected);
  });
});
