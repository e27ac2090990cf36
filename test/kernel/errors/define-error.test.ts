import { describe, expect, test } from 'vitest';
import { defineError, DroverError, isDroverError } from '../../../src/kernel/errors/index.ts';

const missingFile = defineError<{ path: string }>({
  code: 'missing-file',
  message: ({ path }) => `${path}: no such file`,
  remedy: ({ path }) => `make ${path}`,
});

describe('defineError', () => {
  test('makes an error with the code, the value that was met, the remedy and exit 1', () => {
    const error = missingFile({ path: 'Bachfile' });
    expect(error).toBeInstanceOf(DroverError);
    expect(error).toMatchObject({
      name: 'DroverError',
      code: 'missing-file',
      message: 'Bachfile: no such file',
      remedy: 'make Bachfile',
      exit: 1,
    });
  });

  test('takes a fixed remedy and an exit code of its own', () => {
    const wrongUsage = defineError<{ flag: string }>({
      code: 'wrong-flag',
      message: ({ flag }) => `unknown flag ${flag}`,
      remedy: 'see --help',
      exit: 2,
    });
    expect(wrongUsage({ flag: '--x' })).toMatchObject({ remedy: 'see --help', exit: 2 });
  });

  test('keeps what caused it, and has no cause otherwise', () => {
    const cause = new Error('ENOENT');
    expect(missingFile({ path: 'x' }, cause).cause).toBe(cause);
    expect('cause' in missingFile({ path: 'x' })).toBe(false);
  });
});

describe('isDroverError', () => {
  test('knows ours, also from another copy of the module', () => {
    const foreign = Object.defineProperty(new Error('x'), Symbol.for('drover.error'), { value: true });
    expect(isDroverError(missingFile({ path: 'x' }))).toBe(true);
    expect(isDroverError(foreign)).toBe(true);
  });

  test.each([undefined, null, 'text', {}, new Error('x'), { code: 'missing-file' }])('does not know %s', (value) => {
    expect(isDroverError(value)).toBe(false);
  });

  test('leaves its mark out of what is printed or copied', () => {
    const error = missingFile({ path: 'x' });
    expect(Object.keys(error)).toEqual(['code', 'remedy', 'exit', 'name']);
    expect(Object.getOwnPropertySymbols({ ...error })).toEqual([]);
  });
});
