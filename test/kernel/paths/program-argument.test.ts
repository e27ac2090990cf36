import { describe, expect, test } from 'vitest';
import { programArgument } from '../../../src/kernel/paths/index.ts';

describe('programArgument', () => {
  test.each(['a', './-rf', '/-rf', 'a-b', '', '.'])('gives %j back', (path) => {
    expect(programArgument(path)).toBe(path);
  });

  test.each(['-', '-rf', '--upload-pack=x'])('refuses %j and says how to write it', (path) => {
    const refusal = { code: 'dash-path', message: expect.stringContaining(JSON.stringify(path)), remedy: `write it as "./${path}"` };
    expect(() => programArgument(path)).toThrow(expect.objectContaining(refusal));
  });

  test('refuses a NUL byte, which would cut the argument', () => {
    expect(() => programArgument('a\0b')).toThrow(expect.objectContaining({ code: 'nul-in-path' }));
  });
});
