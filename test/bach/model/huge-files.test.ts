import { describe, expect, test } from 'vitest';
import { tokenize } from '../../../src/bach/model/hcl/syntax/lexer.ts';
import { read } from './reading.ts';

const MOST = 4_000_000;
const SIZE = 4_100_000;

/** The time limit of the runner is the bound: each took from ten seconds to minutes when every byte became a token. */
describe('a file of millions of', () => {
  test.each([
    { name: 'NUL bytes', text: '\0', line: 1, column: MOST + 1 },
    { name: 'newlines', text: '\n', line: MOST + 1, column: 1 },
    { name: 'quotes', text: '"', line: 1, column: MOST + 1 },
  ])('$name is read as far as is sane', ({ text, line, column }) => {
    const { diagnostics, project } = read(text.repeat(SIZE));
    expect(project).toBe(undefined);
    expect(diagnostics.length).toBeLessThan(5);
    const told = diagnostics.at(-1);
    if (text === '\0') expect(diagnostics[0]?.message).toContain('U+0000');
    expect(told?.message).toBe(
      `parse Bachfile: File too long; At most ${MOST} words and signs are read, and these end here; import the rest from other files.`,
    );
    expect(told?.range.start).toEqual({ line, column, byte: MOST });
  });

  test('NUL bytes that are imported is told in its own file', () => {
    const { diagnostics } = read('project "p" {}\nimport "b"\n', { files: { b: '\0'.repeat(SIZE) } });
    expect(diagnostics.map(({ file }) => file)).toEqual(['b', 'b']);
  });

  test.each([
    { name: 'letters', text: 'a'.repeat(5_000_000), told: 'Argument or block definition required' },
    { name: 'letters in one string', text: `x = "${'a'.repeat(5_000_000)}"`, told: 'missing project block' },
    { name: 'letters behind one quote', text: `x = "${'a'.repeat(5_000_000)}`, told: 'parse Bachfile: ' },
    { name: 'letters with accents', text: 'é'.repeat(1_500_000), told: 'Argument or block definition required' },
  ])('$name is one word', ({ text, told }) => {
    expect(read(text).diagnostics.map(({ message }) => message).join('\n')).toContain(told);
  });
});

// Cuts eight million tokens, which takes more than 5 s while other tests run.
test('no more tokens are held than are read, and a file that just fits is whole', () => {
  const cut = tokenize('\n'.repeat(SIZE), 'code');
  expect({ length: cut.length, cutAt: cut.cutAt }).toEqual({ length: MOST + 1, cutAt: MOST });
  const whole = tokenize('\n'.repeat(MOST), 'code');
  expect({ length: whole.length, cutAt: whole.cutAt }).toEqual({ length: MOST + 1, cutAt: undefined });
});
