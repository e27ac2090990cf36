import { expect, test } from 'vitest';
import { retryLines } from '../../../src/bach/act/retry.ts';

test.each([
  [2000, 'attempt 1/3 failed: exit status 1; retrying in 2s'],
  [50, 'attempt 1/3 failed: exit status 1; retrying in 50ms'],
  [0.5, 'attempt 1/3 failed: exit status 1; retrying in 500µs'],
  [0, 'attempt 1/3 failed: exit status 1; retrying'],
])('a wait of %d ms', (backoffMs, failed) => {
  expect(retryLines({ attempt: 1, attempts: 3, backoffMs, message: 'exit status 1' })).toEqual({ failed, again: 'retry attempt 2/3' });
});
