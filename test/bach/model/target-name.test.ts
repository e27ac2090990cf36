import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalName, fileNamesOf } from '../../../src/bach/model/index.ts';
import { parseReference } from '../../../src/bach/model/target-name.ts';

describe('names of targets', () => {
  test.each([
    ['shell.test', 'shell/test'],
    ['shell/test', 'shell/test'],
    ['shell.a.b', 'shell/a.b'],
    ['shell/a.b', 'shell/a.b'],
    ['alias', 'alias'],
  ])('%s is %s', (given, canonical) => {
    expect(canonicalName(given)).toBe(canonical);
  });

  test.each([
    ['shell.test', 'shell/test'],
    ['group.ci', 'group/ci'],
    ['image.app', 'image/app'],
    ['shell.a/b', 'shell/a/b'],
  ])('the reference %s means %s', (text, name) => {
    expect(parseReference(text)).toEqual({ name });
  });

  test.each([
    ['shell/test', 'obsolete target reference "shell/test": use type.name, for example shell.test'],
    ['test', 'invalid target reference "test": use type.name, for example shell.test'],
    ['.test', 'invalid target reference ".test": use type.name, for example shell.test'],
    ['shell.', 'invalid target reference "shell.": use type.name, for example shell.test'],
    ['policy.x', 'invalid target reference "policy.x": unknown target type "policy"'],
    ['make.test', 'invalid target reference "make.test": unknown target type "make"'],
  ])('the reference %s is refused', (text, message) => {
    expect(parseReference(text)).toEqual({ message, obsolete: text.includes('/') });
  });
});

describe('file names of logs', () => {
  test('as the reference names them', () => {
    const names = fileNamesOf(['shell/test-api', 'shell/a b:c', 'shell/x\\y']);
    expect([...names.values()]).toEqual(['shell__test-api', 'shell__a_b_c', 'shell__x__y']);
  });

  test('the log of one target is never the run directory of another, nor the same in another case', () => {
    const names = [...fileNamesOf(['shell/a', 'shell/a.log', 'shell/A', 'shell/b.log', 'shell/b']).values()];
    expect(names).toEqual(['shell__a', 'shell__a.log-2', 'shell__A-2', 'shell__b.log', 'shell__b-2']);
  });

  test('no two targets write one log, and no name is too long for a file system', () => {
    const label = fc.string({ unit: fc.constantFrom('a', ':', ' ', '_', '/', 'é', '𝒳'), minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.uniqueArray(label, { maxLength: 20 }), (labels) => {
        const names = [...fileNamesOf(labels.map((each) => `shell/${each}`)).values()];
        expect(new Set(names).size).toBe(labels.length);
        for (const name of names) {
          expect(Buffer.byteLength(name)).toBeLessThan(250);
          expect(name).not.toMatch(/[/\\: ]/);
        }
      }),
      { numRuns: 200 },
    );
  });
});
