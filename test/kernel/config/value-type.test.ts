import fc from 'fast-check';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { declareKey, duration, listOf, oneOf, textThat, truth, variableOf, whole, type ValueType } from '../../../src/kernel/config/index.ts';
import { readDailyHours } from '../../../src/kernel/config/daily-hours.ts';
import { given, refusal } from './support.ts';

const words = oneOf(['a', 'b', 'c']);
const upTo10 = whole({ least: 1, most: 10 });
const letters = listOf(textThat('letters', (value) => /^[a-z]+$/.test(value)), 'a list of letters');

describe('what a type takes', () => {
  test.each<[string, ValueType<unknown>, readonly (readonly [toml: string, text: string | undefined, value: unknown])[]]>([
    ['truth', truth, [['true', 'true', true], ['false', 'false', false]]],
    ['duration', duration, [['"1h30m"', '1h30m', 5_400_000_000_000n], ['"-1ns"', '-1ns', -1n], ['"0"', '0', 0n]]],
    ['whole', upTo10, [['1', '1', 1], ['10', '10', 10], ['0xA', undefined, 10]]],
    ['oneOf', words, [['"b"', 'b', 'b']]],
    ['listOf', letters, [['[]', '', []], ['["a", "bc"]', 'a, bc,', ['a', 'bc']]]],
  ])('%s', (_, type, cases) => {
    for (const [toml, text, value] of cases) {
      expect(type.fromToml(inToml(toml))).toEqual(value);
      if (text !== undefined) expect(type.fromText(text)).toEqual(value);
    }
  });

  test.each<[string, ValueType<unknown>, readonly string[], readonly string[]]>([
    ['truth', truth, ['"true"', '1', '[]', '{}'], ['1', 'TRUE', 'yes', '', ' true']],
    ['duration', duration, ['90', '1.5', '"90"', '""', '"1d"'], ['90', '', '1d']],
    ['whole', upTo10, ['0', '11', '-1', '1.0', '"1"', 'inf', 'nan', '9223372036854775807'], ['0', '11', '1.0', '', '1e1', ' 1']],
    ['oneOf', words, ['"d"', '""', '["a"]', '1'], ['d', '', 'A']],
    ['listOf', letters, ['"a"', '[1]', '["a", ""]', '[["a"]]'], ['a,1']],
  ])('and what %s does not', (_, type, tomls, texts) => {
    expect(tomls.map((toml) => type.fromToml(inToml(toml)))).toEqual(tomls.map(() => undefined));
    expect(texts.map((text) => type.fromText(text))).toEqual(texts.map(() => undefined));
  });

  test('messages say it in words', () => {
    expect([truth, upTo10, words, letters].map(({ expected }) => expected)).toEqual([
      'true or false',
      'a whole number from 1 to 10',
      '"a", "b" or "c"',
      'a list of letters',
    ]);
  });
});

test('what is shown can be written into a file, and means the same', () => {
  const anything = textThat('a text', () => true);
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (texts, nanoseconds) => {
      const list = listOf(anything, 'texts');
      const shown = (type: ValueType<unknown>, value: unknown): unknown => type.fromToml(inToml(JSON.stringify(type.toPlain(value))));
      expect(shown(list, texts)).toEqual(texts);
      expect(shown(duration, nanoseconds)).toBe(nanoseconds);
    }),
    { seed: 20260620, numRuns: 200 },
  );
});

test.each([
  ['22:00-07:00', true],
  ['00:00-23:59 Europe/Berlin', true],
  ['22:00-07:00 UTC', true],
  ['07:00-07:00', false],
  ['24:00-07:00', false],
  ['22:60-07:00', false],
  ['22-7', false],
  ['22:00-07:00 Nowhere/Land', false],
  ['22:00-07:00 ', false],
  ['22:00-07:00  UTC', false],
])('quiet hours %s', (value, right) => {
  expect('problem' in readDailyHours(value)).toBe(!right);
});

test('a later part declares keys of its own beside the first ones', async () => {
  const limit = declareKey<bigint>({
    name: 'agents.limits.session',
    means: 'How long a session may last.',
    type: duration,
    fallback: 0n,
    narrow: (own, asked) => (asked < own ? asked : own),
  });
  const user = 'agents.limits.session = "1h"';
  const keys = [limit];
  expect((await given({ user, keys }).load()).get(limit)).toBe(3_600_000_000_000n);
  expect((await given({ user, keys, project: '[agents.limits]\nsession = "5m"' }).load()).get(limit)).toBe(300_000_000_000n);
  expect(await refusal(given({ user: '[agents.limit]\nsession = "1h"', keys }))).toBe(
    'config-invalid USER:1:9: unknown key agents.limit; did you mean "agents.limits"?',
  );
  expect(variableOf(limit)).toBe('DROVER_AGENTS_LIMITS_SESSION');
});

function inToml(value: string): unknown {
  return parse(`x = ${value}`, { integersAsBigInt: true })['x'];
}
