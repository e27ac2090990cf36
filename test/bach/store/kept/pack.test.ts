import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack } from '../../../../src/bach/store/kept/pack.ts';
import { unpack } from '../../../../src/bach/store/kept/unpack.ts';

const key = fc.oneof(fc.constantFrom('name', 'kind', 'value', 'constructor', '0'), fc.string()).filter((name) => name !== '__proto__');
const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0), fc.boolean(), fc.constant(null));

const plain = { noNullPrototype: true } as const;
const end = fc.option(fc.nat(), { nil: undefined });
const alike = fc.record({ name: fc.string(), place: fc.record({ line: fc.nat(), end }, plain), paths: fc.array(fc.string()) }, plain);

/** What a project may be made of, with many things of one shape side by side. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(leaf, fc.constant(undefined)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, ...plain }),
    fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(leaf, { maxLength: 4 }).map((items) => new Set(items)),
    fc.dictionary(key, tie('value'), { maxKeys: 4 }),
    fc.array(alike, { maxLength: 12 }).map((items) => new Map(items.map((item, index) => [`${index}`, item]))),
  ),
}));

describe('a packed value', () => {
  test('is unpacked as the same value, whatever it is made of', () => {
    fc.assert(
      fc.property(value, (given) => {
        const text = pack(given);
        expect(text).toBeDefined();
        expect(isDeepStrictEqual(unpack(text ?? ''), given)).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  test('keeps the order of keys, of maps and of sets', () => {
    const given = [{ b: 1, a: undefined, c: [] }, { b: 2, a: undefined, c: ['x'] }].map((each, index) => [`k${2 - index}`, each] as const);
    const back = unpack(pack(new Map(given)) ?? '') as Map<string, object>;
    expect([...back.keys()]).toEqual(['k2', 'k1']);
    expect([...back.values()].map((each) => Object.keys(each))).toEqual([['b', 'a', 'c'], ['b', 'a', 'c']]);
    expect([...(unpack(pack(new Set(['z', 'a'])) ?? '') as Set<string>)]).toEqual(['z', 'a']);
  });

  test('of many things of one shape names each key once', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => ({ description: `d${index}`, risks: { remote: false } }));
    const text = pack(new Map(rows.map((row) => [row.description, row]))) ?? '';
    expect(text.split('"description"')).toHaveLength(3);
    expect(text.length).toBeLessThan(20_000);
  });

  test.each([
    ['a number that JSON has no word for', Number.NaN],
    ['negative zero', [-0]],
    ['an object of a class', { at: new Date(0) }],
    ['a set of objects, equal ones of which would become one', new Set([{}, {}])],
    ['a map by objects', new Map([[{}, 1]])],
    ['a function', new Map([['f', () => undefined]])],
    ['a big number', new Set([1n])],
    ['a key that names the prototype', JSON.parse('{"__proto__":1}')],
  ])('is none for %s', (_what, given) => {
    expect(pack({ given })).toBeUndefined();
  });
});
