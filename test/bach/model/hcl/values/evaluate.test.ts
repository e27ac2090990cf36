import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPlain, typeName, typeOf, typeText, type Plain } from '../../../../../src/bach/model/hcl/values/index.ts';
import { evaluateText, SCOPE } from '../../../../support/hcldec/evaluate-text.ts';
import { valueOf } from '../../../../support/hcldec/value-of.ts';

const OPTIONS = { seed: 20_240_608, numRuns: 100 } as const;

function expectPlain(text: string, expected: Plain): void {
  const { plain, diagnostics } = evaluateText(text);
  expect(diagnostics).toEqual([]);
  expect(plain).toEqual(expected);
}

/** A scope beside the tests' own, with these variables. */
function scopeOf(variables: Readonly<Record<string, Plain>>) {
  return { ...SCOPE, variables: new Map(Object.entries(variables).map(([name, plain]) => [name, valueOf(plain)])) };
}

describe('literals and templates', () => {
  test.each<[string, Plain]>([
    ['12', 12],
    ['1.5e1', 15],
    ['true', true],
    ['null', null],
    ['"plain"', 'plain'],
    ['""', ''],
    ['"n\u0303"', '\u00f1'],
    ['"n${"\u0303"}"', '\u00f1'],
    ['"a ${name} b"', 'a ada b'],
    ['"${count}"', 3],
    ['"${count} "', '3 '],
    ['"${items}"', ['a', 'b', 'c']],
    ['"${1.50}|${true}|${"x"}"', '1.5|true|x'],
    ['"$${name} %%{if}"', '${name} %{if}'],
    ['"%{ if yes }on%{ else }off%{ endif }"', 'on'],
    ['"%{ if !yes }on%{ else }off%{ endif }"', 'off'],
    ['"%{ if !yes }on%{ endif }"', ''],
    ['"%{ if yes }${count}%{ endif }"', '3'],
    ['"%{ if "true" }on%{ endif }"', 'on'],
    ['"%{ for x in items }<${x}>%{ endfor }"', '<a><b><c>'],
    ['"%{ for i, x in items }${i}${x} %{ endfor }"', '0a 1b 2c '],
    ['"%{ for k, v in { b = 1, a = 2 } }${k}${v}%{ endfor }"', 'a2b1'],
    ['"%{ for x in [] }never%{ endfor }"', ''],
    ['"%{ for p in people }%{ for t in p.tags }${p.name}:${t}%{ endfor }%{ endfor }"', 'ada:x'],
    ['<<EOT\nhello ${name}\nEOT\n', 'hello ada\n'],
  ])('%s', expectPlain);
});

describe('operators', () => {
  test.each<[string, Plain]>([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['"2" + "3"', 5],
    ['7 - 2 - 1', 4],
    ['1 / 8', 0.125],
    ['11 % 5', 1],
    ['-7 % 5', -2],
    ['-count', -3],
    ['-"4"', -4],
    ['!true', false],
    ['!"false"', true],
    ['1 < 2', true],
    ['2 < 1', false],
    ['1 <= 1', true],
    ['2 > "1"', true],
    ['1 >= 2', false],
    ['true && "true"', true],
    ['true && false', false],
    ['false || true', true],
    ['false || "0"', false],
    ['false && missing', false],
    ['true || missing.deep[0]', true],
    ['"1" == 1', false],
    ['"true" != true', true],
    ['1 == 1.0', true],
    ['0.1 + 0.2 == 0.3', true],
    ['-0 == 0', true],
    ['null == null', true],
    ['nothing == null', true],
    ['0 == null', false],
    ['[1, "a"] == [1, "a"]', true],
    ['[1] == ["1"]', false],
    ['{ a = 1, b = 2 } == { b = 2, a = 1 }', true],
    ['{ a = 1 } == { a = 1, b = null }', false],
    ['list == ["p", "q"]', false],
  ])('%s', expectPlain);

  test('numbers keep 512 bits from the text to the result', () => {
    const { value } = evaluateText('"${3.14159265358979323846264338327950288419716939937510582097494459 + 1}!"');
    expect(toPlain(value)).toBe('4.14159265358979323846264338327950288419716939937510582097494459!');
    expect(evaluateText('"${1e30}!"').plain).toBe(`1${'0'.repeat(30)}!`);
  });
});

describe('conditionals', () => {
  test.each<[string, Plain, string]>([
    ['yes ? "a" : "b"', 'a', 'string'],
    ['!yes ? "a" : "b"', 'b', 'string'],
    ['"true" ? 1 : 2', 1, 'number'],
    ['yes ? 1 : "b"', '1', 'string'],
    ['yes ? true : "b"', 'true', 'string'],
    ['yes ? null : "b"', null, 'string'],
    ['yes ? (yes ? null : "b") : 1', null, 'string'],
    ['yes ? 1 : (yes ? null : "b")', '1', 'string'],
    ['yes ? "a" : null', 'a', 'string'],
    ['yes ? null : null', null, 'any'],
    ['yes ? [1, 2] : ["a", true]', undefined, 'error'],
    ['yes ? [1, 2] : ["a", "b"]', ['1', '2'], 'tuple([string, string])'],
    ['yes ? [] : [1, 2]', [], 'list(number)'],
    ['yes ? { a = 1 } : { a = "x" }', { a: '1' }, 'object({a = string})'],
    ['yes ? { a = 1 } : {}', { a: 1 }, 'map(number)'],
    ['yes ? { a = null } : { a = 1 }', { a: null }, 'object({a = number})'],
    ['yes ? map : { a = 1 }', { k: 'v' }, 'map(string)'],
    ['yes ? list : []', ['p', 'q'], 'list(string)'],
    ['yes ? 1 : missing', 1, 'number'],
    ['yes ? 1 : 1 / 0', 1, 'number'],
    ['yes ? unknown : 1', undefined, 'any'],
  ])('%s', (text, expected, type) => {
    const { value, diagnostics } = evaluateText(text);
    expect(toPlain(value)).toEqual(expected);
    expect(diagnostics.length > 0 ? 'error' : typeText(typeOf(value))).toBe(type);
  });

  test('the result is the chosen side wherever both sides have one type', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.json(), (condition, json) => {
        const scope = scopeOf({ c: condition, a: JSON.parse(json) as Plain });
        expect(evaluateText('c ? a : a', scope).plain).toEqual(evaluateText('a', scope).plain);
        expect(evaluateText('(c ? [a] : [a])[0] == a', scope).plain).toBe(true);
        expect(evaluateText('c ? "t" : "f"', scope).plain).toBe(condition ? 't' : 'f');
      }),
      OPTIONS,
    );
  });
});

describe('tuples, objects and their elements', () => {
  test.each<[string, Plain]>([
    ['[]', []],
    ['[1, "a", [true]]', [1, 'a', [true]]],
    ['{}', {}],
    ['{ a = 1, "b c" = 2, (name) = 3, 4 = 5, true = 6 }', { a: 1, 'b c': 2, ada: 3, 4: 5, true: 6 }],
    ['{ name = 1 }', { name: 1 }],
    ['{ "${name}-x" : 1 }', { 'ada-x': 1 }],
    ['{ (point.y.z) = 1 }', { deep: 1 }],
    ['{ a = 1, a = 2 }', { a: 2 }],
    ['{ items[count - 1] = 1 }', { c: 1 }],
    ['point.x', 1],
    ['point.y.z', 'deep'],
    ['point["y"]["z"]', 'deep'],
    ['map.k', 'v'],
    ['map["k"]', 'v'],
    ['{ 1 = "one" }[1]', 'one'],
    ['items[0]', 'a'],
    ['items["2"]', 'c'],
    ['items[count - 1]', 'c'],
    ['items.1', 'b'],
    ['list[1]', 'q'],
    ['people[1].name', 'bob'],
    ['[1, 2][1]', 2],
    ['{ a = [1] }.a[0]', 1],
  ])('%s', expectPlain);
});

describe('splats', () => {
  test.each<[string, Plain]>([
    ['people[*].name', ['ada', 'bob']],
    ['people.*.name', ['ada', 'bob']],
    ['people[*].tags', [['x'], []]],
    ['items[*]', ['a', 'b', 'c']],
    ['list[*]', ['p', 'q']],
    ['[[1, 2], [3]][*][0]', [1, 3]],
    ['point[*].x', [1]],
    ['name[*]', ['ada']],
    ['null[*]', []],
    ['nothing[*].anything', []],
    ['[][*].anything', []],
    ['[null][*]', [null]],
    ['[[1, 2], [3]][*][*]', [[1, 2], [3]]],
    ['people[*].tags[*]', [['x'], []]],
    ['[people, people][*][*].name', [['ada', 'bob'], ['ada', 'bob']]],
  ])('%s', expectPlain);

  test('a splat is the for expression that it abbreviates', () => {
    const people = fc.array(fc.record({ name: fc.string(), tags: fc.array(fc.integer(), { minLength: 1 }) }));
    fc.assert(
      fc.property(people, (list) => {
        const scope = scopeOf({ list });
        expect(evaluateText('list[*].name == [for x in list : x.name]', scope).plain).toBe(true);
        expect(evaluateText('list[*].tags[0] == [for x in list : x.tags[0]]', scope).plain).toBe(true);
        expect(evaluateText('list[*] == list', scope).plain).toBe(true);
      }),
      OPTIONS,
    );
  });
});

describe('for expressions', () => {
  test.each<[string, Plain]>([
    ['[for x in items : "<${x}>"]', ['<a>', '<b>', '<c>']],
    ['[for i, x in items : "${i}${x}"]', ['0a', '1b', '2c']],
    ['[for x in items : x if x != "b"]', ['a', 'c']],
    ['[for x in items : x if "false"]', []],
    ['[for k, v in { b = 1, a = 2 } : "${k}${v}"]', ['a2', 'b1']],
    ['[for v in { b = 1, a = 2 } : v]', [2, 1]],
    ['[for x in list : x]', ['p', 'q']],
    ['[for k, v in map : k]', ['k']],
    ['[for x in [] : missing]', []],
    ['[for x in [] : x if x]', []],
    ['[for name in items : name]', ['a', 'b', 'c']],
    ['[for x in items : [for y in items : "${x}${y}" if y != x]]', [['ab', 'ac'], ['ba', 'bc'], ['ca', 'cb']]],
    ['{ for x in items : x => 1 }', { a: 1, b: 1, c: 1 }],
    ['{ for i, x in items : i => x }', { 0: 'a', 1: 'b', 2: 'c' }],
    ['{ for p in people : p.name => p.tags... }', { ada: [['x']], bob: [[]] }],
    ['{ for x in ["a", "b", "a"] : x => 1... }', { a: [1, 1], b: [1] }],
    ['{ for x in ["a", "b", "a"] : x => 1 if x == "b" }', { b: 1 }],
    ['{ for k, v in { b = 1, a = 2 } : v => k }', { 1: 'b', 2: 'a' }],
  ])('%s', expectPlain);

  test('keeps, maps and filters like an array', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (list, limit) => {
        const scope = scopeOf({ list, limit });
        expect(evaluateText('[for x in list : x]', scope).plain).toEqual(list.map((x) => x + 0));
        expect(evaluateText('[for x in list : x * 2 if x < limit]', scope).plain).toEqual(list.filter((x) => x < limit).map((x) => x * 2 + 0));
        expect(evaluateText('[for i, x in list : x == list[i]]', scope).plain).toEqual(list.map(() => true));
      }),
      OPTIONS,
    );
  });

  test('over an object is sorted by key and gives it back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (object) => {
        const scope = scopeOf({ object });
        expect(evaluateText('{ for k, v in object : k => v } == object', scope).plain).toBe(true);
        expect(evaluateText('[for k, v in object : k]', scope).plain).toEqual(
          [...new Set(Object.keys(object).map((key) => key.normalize('NFC')))].sort((a, b) => Buffer.from(a).compare(Buffer.from(b))),
        );
      }),
      OPTIONS,
    );
  });
});

describe('calls', () => {
  test.each<[string, Plain]>([
    ['version()', 'v1'],
    ['"${version()}-x"', 'v1-x'],
    ['join("-")', ''],
    ['join("-", "a", 1, true)', 'a-1-true'],
    ['join("-", items...)', 'a-b-c'],
    ['join("-", "x", list...)', 'x-p-q'],
    ['join(["+", "a"]...)', 'a'],
    ['[for x in items : join(x, 1, 2)]', ['1a2', '1b2', '1c2']],
    ['need("file", "even")', 'file'],
  ])('%s', expectPlain);

  test('are not made when an argument is unknown, in whole or in part', () => {
    for (const text of ['need(unknown, "none")', 'join("-", unknown...)', 'join("", [for x in [unknown] : x]...)']) {
      expect(evaluateText(text)).toMatchObject({ value: { kind: 'unknown' }, diagnostics: [] });
    }
  });
});

describe('depth', () => {
  test.each<[string, string, Plain]>([
    ['a chain of operators', `0${' + 1'.repeat(990)}`, 990],
    ['a row of signs', `${'-'.repeat(990)}1`, 1],
    ['a row of indices', `{}${'["a"]'.repeat(900)}`, undefined],
    ['nested templates', `${'"a${'.repeat(190)}1${'}"'.repeat(190)}`, `${'a'.repeat(190)}1`],
    ['nested conditionals', `${'yes ? '.repeat(150)}1${' : 2'.repeat(150)}`, 1],
  ])('%s as deep as the parser lets it be is evaluated', (_, text, expected) => {
    expect(evaluateText(text).plain).toEqual(expected);
  });
});

describe('scopes', () => {
  test('the nearest name counts, and outer names stay visible', () => {
    const inner = { variables: new Map([['name', valueOf('eve')]]), functions: new Map(), parent: SCOPE };
    expect(evaluateText('"${name} ${count} ${version()}"', inner).plain).toBe('eve 3 v1');
  });
});

describe('unknown values', () => {
  test.each([
    'unknown',
    '(unknown)',
    'unknown.a',
    'unknown[0]',
    'items[unknown]',
    'unknown[*].a',
    'unknown + 1',
    '1 < unknown',
    'unknown == 1',
    '[unknown] == [1]',
    '!unknown',
    '-unknown',
    'unknown && true',
    'true && unknown',
    'unknown ? 1 : 2',
    '"a${unknown}"',
    '"a%{ if unknown }b%{ endif }"',
    '"a%{ for x in unknown }b%{ endfor }"',
    '[for x in unknown : x]',
    '[for x in items : x if unknown]',
    '{ for x in items : unknown => x }',
    '{ (unknown) = 1 }',
    'join("-", unknown)',
  ])('%s is unknown and no error of its own', (text) => {
    expect(evaluateText(text)).toMatchObject({ value: { kind: 'unknown' }, diagnostics: [] });
  });

  test('stay inside what holds them', () => {
    expect(evaluateText('[1, unknown]')).toMatchObject({ plain: [1, undefined], diagnostics: [] });
    expect(typeName(evaluateText('{ a = unknown }').value)).toBe('object');
  });
});
