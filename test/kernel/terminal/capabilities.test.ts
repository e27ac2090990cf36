import { describe, expect, test } from 'vitest';
import { canRepaint, usableColumns, wantsColour } from '../../../src/kernel/terminal/capabilities.ts';

describe('colour', () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: '1' }, true, false],
    [{ NO_COLOR: '' }, true, true],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
    [{ FORCE_COLOR: '' }, false, true],
    [{ FORCE_COLOR: '0' }, true, false],
    [{ FORCE_COLOR: 'false' }, true, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }, false, true],
  ])('with %j and terminal %j: %j', (env, terminal, expected) => {
    expect(wantsColour(env, { terminal })).toBe(expected);
  });
});

test('only a capable terminal is repainted', () => {
  expect(canRepaint({ TERM: 'xterm' }, { terminal: true })).toBe(true);
  expect(canRepaint({ TERM: 'dumb' }, { terminal: true })).toBe(false);
  expect(canRepaint({ FORCE_COLOR: '1' }, { terminal: false })).toBe(false);
});

describe('width', () => {
  test.each([
    [undefined, 100, 100],
    ['60', 100, 60],
    ['200', 100, 100],
    ['60', undefined, 60],
    ['0', 100, 100],
    ['wide', 100, 100],
    ['-3', undefined, undefined],
    [undefined, 0, undefined],
  ])('COLUMNS %j on a terminal of %j', (asked, real, expected) => {
    expect(usableColumns({ COLUMNS: asked }, { columns: () => real })).toBe(expected);
  });
});
