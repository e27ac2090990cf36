import { describe, expect, test } from 'vitest';
import { staleReasons, verdictEntry, verdictText, type CacheVerdict, type Evidence } from '../../../../src/bach/decide/index.ts';

const PARTS = { dependencies: 'd', env: 'e', inputs: 'i', operation: 'o', outputs: 'u' };
const NOW = { hash: 'new', parts: PARTS };

const stored = (parts: Readonly<Record<string, string>>, fingerprint = 'old') => ({ fingerprint, parts: () => parts });
const states = (...all: readonly ('missing' | 'same' | 'changed')[]) => all.map((state) => ({ state }));

function reasons(evidence: Partial<Evidence>): string {
  return staleReasons({ isForced: false, fingerprint: NOW, stored: stored(PARTS, 'new'), outputs: states('same'), ...evidence }).join(', ');
}

describe('reasons', () => {
  const other = { dependencies: '-', env: '-', inputs: '-', operation: '-', outputs: '-' };
  const cases: readonly (readonly [string, Partial<Evidence>, string])[] = [
    ['none when all is as it was', {}, ''],
    ['none without outputs', { outputs: [] }, ''],
    ['no record', { stored: undefined }, 'no cache record'],
    ['no record, nothing there', { stored: undefined, outputs: states('missing') }, 'no cache record, missing output'],
    ['forced', { isForced: true }, 'forced run'],
    ['forced, and others', { isForced: true, stored: undefined, outputs: states('missing') }, 'forced run, no cache record, missing output'],
    ['forced explains enough', { isForced: true, stored: stored({ ...PARTS, outputs: '-' }) }, 'forced run'],
    ['an input', { stored: stored({ ...PARTS, inputs: '-' }) }, 'changed input'],
    ['an environment variable', { stored: stored({ ...PARTS, env: '-' }) }, 'changed env var'],
    ['the operation', { stored: stored({ ...PARTS, operation: '-' }) }, 'changed operation'],
    ['a dependency', { stored: stored({ ...PARTS, dependencies: '-' }) }, 'dependency fingerprint change'],
    ['all, in order', { stored: stored(other), outputs: states('changed', 'missing') }, 'changed input, changed env var, changed operation, dependency fingerprint change, missing output, output changed'],
    ['a record of an older implementation', { stored: stored({}) }, 'fingerprint changed'],
    ['such a record, and a missing output', { stored: stored({}), outputs: states('missing') }, 'fingerprint changed, missing output'],
    ['such a record of the same fingerprint', { stored: stored({}, 'new') }, ''],
    ['the operation by its old name', { stored: stored({ dependencies: 'd', env: 'e', inputs: '-', command: 'o', outputs: 'u' }) }, 'changed input'],
    ['another operation by its old name', { stored: stored({ dependencies: 'd', env: 'e', inputs: 'i', command: '-', outputs: 'u' }) }, 'changed operation'],
    ['outputs, each reason once', { outputs: states('missing', 'changed', 'missing', 'changed') }, 'missing output, output changed'],
    ['an output that is another one', { outputs: states('same', 'changed') }, 'output changed'],
    ['the list of outputs alone', { stored: stored({ ...PARTS, outputs: '-' }) }, 'fingerprint changed'],
    ['the list of outputs, of which one is missing', { stored: stored({ ...PARTS, outputs: '-' }), outputs: states('missing') }, 'missing output'],
    ['an input that does not stand still', { fingerprint: { hash: '', parts: { ...PARTS, inputs: '' } } }, 'changed input'],
    ['a dependency that does not', { fingerprint: { hash: '', parts: { ...PARTS, dependencies: '' } } }, 'dependency fingerprint change'],
  ];

  test.each(cases)('%s', (_, evidence, expected) => {
    expect(reasons(evidence)).toBe(expected);
  });

  test('parts are read only when the fingerprint is another one', () => {
    const parts = (): never => {
      throw new Error('read');
    };
    expect(reasons({ stored: { fingerprint: 'new', parts } })).toBe('');
    expect(() => reasons({ stored: { fingerprint: 'old', parts } })).toThrow('read');
  });
});

describe('verdict', () => {
  const cases: readonly (readonly [CacheVerdict, string, object])[] = [
    [{ kind: 'not-cacheable' }, '', { cacheable: false, expectation: 'not_cacheable', fresh: false }],
    [{ kind: 'fresh', fingerprint: 'f' }, '(cached)', { cacheable: true, expectation: 'cached', fresh: true, fingerprint: 'f' }],
    [
      { kind: 'stale', fingerprint: 'f', reasons: ['forced run', 'missing output'] },
      '(stale: forced run, missing output)',
      { cacheable: true, expectation: 'run', fresh: false, fingerprint: 'f', reasons: ['forced run', 'missing output'] },
    ],
    [{ kind: 'stale', fingerprint: '', reasons: ['changed input'] }, '(stale: changed input)', { cacheable: true, expectation: 'run', fresh: false, reasons: ['changed input'] }],
    [{ kind: 'stale', fingerprint: '', reasons: [] }, '', { cacheable: true, expectation: 'run', fresh: false }],
  ];

  test.each(cases)('%o', (verdict, text, entry) => {
    expect(verdictText(verdict)).toBe(text);
    expect(verdictEntry(verdict)).toEqual(entry);
    expect(Object.keys(verdictEntry(verdict))).toEqual(Object.keys(entry));
  });
});
