import { describe, expect, test } from 'vitest';
import { allErrors } from '../../../src/desk/explain/index.ts';
import { droverHome } from '../../support/drover-home.ts';

const explain = (...argv: readonly string[]) => droverHome().drover(['explain', ...argv]);

describe('one code', () => {
  test('what it means, what it says, what to do', async () => {
    const { exit, stdout, stderr } = await explain('file-too-large');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toMatch(/^file-too-large\n\n[A-Z].+\.\n\nsays: {3}<path> has <size> bytes, more than the <max-bytes> /);
    expect(stdout).toContain('\nto do:  make the file smaller\nexit:   1\nfrom:   kernel/files\n');
  });

  test('as a document', async () => {
    const { exit, stdout, stderr } = await explain('unknown-error-code', '--json');
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      errors: [
        {
          code: 'unknown-error-code',
          exit: 2,
          means: expect.stringMatching(/^drover explain was given/),
          message: expect.stringMatching(/^unknown error code "<code>"/),
          remedy: 'see all codes with: drover explain',
          rooms: ['desk/commands'],
        },
      ],
    });
  });

  test('in capitals too, and from all rooms that use it', async () => {
    const { stdout } = await explain('TOO-MANY-OPEN-FILES');
    expect(stdout.match(/^from: .*$/gm)).toEqual(['from:   kernel/errors', 'from:   kernel/process']);
  });
});

test('without a code every one has its line, and its entry in the document', async () => {
  const [text, document] = await Promise.all([explain(), explain('--json')]);
  const codes = allErrors().map(({ code }) => code);
  expect(text.stdout.trimEnd().split('\n').map((line) => line.split(' ')[0])).toEqual(codes);
  expect((JSON.parse(document.stdout) as { errors: { code: string }[] }).errors.map(({ code }) => code)).toEqual(codes);
  expect(codes.length).toBeGreaterThan(100);
});

test.each(['text', 'json'])('a code that does not exist is wrong usage, with the nearest one (%s)', async (form) => {
  const { exit, stdout, stderr } = await explain('dsik-full', ...(form === 'json' ? ['--json'] : []));
  expect({ exit, stdout, stderr }).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'unknown error code "dsik-full"; did you mean "disk-full"?\nsee all codes with: drover explain\n',
  });
});

test.each(['', '__proto__', 'constructor', 'x'.repeat(500), '\u001b[31m'])('%j is no code', async (code) => {
  expect(await explain(code)).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('unknown error code') });
});

test('nothing of an entry is left open', () => {
  for (const { code, message = '', remedy = '', rooms } of allErrors()) {
    expect(`${code}: ${message} ${remedy}`).not.toMatch(/\bundefined\b|\bNaN\b|\[object|<symbol/);
    expect(rooms.length).toBeGreaterThan(0);
  }
});
