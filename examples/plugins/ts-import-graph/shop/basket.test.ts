import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from './basket.js';

test('the total is rounded', () => {
  assert.equal(total([1.2, 1.4]), 3);
});
