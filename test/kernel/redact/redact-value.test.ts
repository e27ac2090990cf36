import { describe, expect, test } from 'vitest';
import { createRedaction } from '../../../src/kernel/redact/index.ts';

const { redactValue } = createRedaction(['hunter2x']);

describe('a structured value', () => {
  test('is masked in its texts and keys, wherever they stand', () => {
    const value = { a: ['say hunter2x', { 'hunter2x!': 1 }], b: null, c: undefined, d: 3, e: true };
    expect(redactValue(value)).toEqual({ a: ['say ********', { '********!': 1 }], b: null, c: undefined, d: 3, e: true });
    expect(redactValue('hunter2x')).toBe('********');
  });

  test('comes back itself when there is nothing to mask', () => {
    const value = { a: [{ b: 'plain' }], n: 1 };
    expect(redactValue(value)).toBe(value);
  });

  test.each([
    ['password', 'opensesame1', '***********'],
    ['apiKey', 'opensésame', '***********'],
    ['authorization', 'opensesame1', '***********'],
    ['key', 'group/ci-of-it', 'group/ci-of-it'],
    ['cache_key_id', 'group/ci-of-it', 'group/ci-of-it'],
    ['keyName', 'group/ci-of-it', 'group/ci-of-it'],
    ['author', 'somebody else', 'somebody else'],
    ['password', 'short', 'short'],
    ['tokens', 12345678, 12345678],
    ['secret', '/tmp/a-path', '/tmp/a-path'],
    ['keyPath', 'say hunter2x', 'say ********'],
  ])('under %s: %j is %j', (key, item, expected) => {
    expect(redactValue({ [key]: item })).toEqual({ [key]: expected });
  });

  test('is taken as JSON takes it', () => {
    const masked = redactValue({ at: new Date(0), own: { toJSON: () => ({ token: 'opensesame1' }) }, nested: { secret: { value: 'hunter2x' } } });
    expect(JSON.stringify(masked)).toBe('{"at":"1970-01-01T00:00:00.000Z","own":{"token":"***********"},"nested":{"secret":{"value":"********"}}}');
  });

  test('keeps a key that would be the prototype', () => {
    const masked = redactValue(JSON.parse('{"__proto__":{"a":"hunter2x"}}'));
    expect(JSON.stringify(masked)).toBe('{"__proto__":{"a":"********"}}');
  });
});
