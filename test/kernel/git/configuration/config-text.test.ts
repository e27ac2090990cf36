import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseConfig, settingName } from '../../../../src/kernel/git/configuration/config-text.ts';

/** What git makes of it: `undefined` when it refuses the text. */
function asGitReads(text: string): readonly (readonly [string, string | undefined])[] | undefined {
  const { status, stdout } = spawnSync('git', ['config', '--file', '-', '--list', '-z', '--no-includes'], { input: Buffer.from(text), encoding: 'utf8', cwd: '/' });
  if (status !== 0) return undefined;
  return stdout.split('\0').slice(0, -1).map((entry) => {
    const end = entry.indexOf('\n');
    return end < 0 ? [entry, undefined] : [entry.slice(0, end), entry.slice(end + 1)];
  });
}

function asWeRead(text: string): readonly (readonly [string, string | undefined])[] | undefined {
  return parseConfig(text)?.map((setting) => [settingName(setting), setting.value]);
}

describe('read as git reads it', () => {
  test.each([
    '',
    '[a]\n\tb = c\n',
    '[A "B"] C = d ; x\n e = "q # "  z   # d\n',
    '[c.D.e]\nk\nv = a\\\nb\nw =   \n',
    '[a]\r\nb = c\r\n',
    '\ufeff[a]\nb=1',
    '[a "x\\"y\\\\z"]\nb = "1\\n2\\t3"\n',
    '[include]\n path = "~/a b"\n[includeIf "gitdir:/x/"]\n path=y',
    '[a]\nb = c\n[a]\nb = d\n[A]\nB = e\n',
    '[a]\nb = 1 [c]\nd = 2\n',
    '[a]b=1\n',
    '[a] # comment\nb = x;y\n',
    '[a]\nb = "unclosed\n',
    '[a]\nb = bad \\q escape\n',
    '[a\nb = c\n',
    '[a]\n1b = c\n',
    '[a]\nb c = d\n',
    'b = c\n',
    '[a "b]\nc = d\n',
    '[a]\nb = "x" y  "z"  \n',
    '[a]\nb = x \\\n  y\n',
    '[a]\n\fb = c\n',
    '[a]b\n[c]d',
    '[a "é"]\nb = ü\n',
    '[a]\nb = \\',
    '[]\nb = c\n',
    '[a.]\nb = c\n',
    '[.a]\nb = c\n',
    '[a ""]\nb = c\n',
  ])('%j', (text) => {
    expect(asWeRead(text)).toEqual(asGitReads(text));
  });

  test('whatever is put together', () => {
    const piece = fc.constantFrom('[a]', '[b "c"]', '[d.E]', '\n', '\n', '\n\t', 'key', 'k2', '=', ' = ', 'value', '"', '\\\n', '\\n', '\\\\', '#', ';', ' ', '\t', '[', ']', 'ü', '\r\n', '-', '1');
    const lines = fc.array(piece, { minLength: 1, maxLength: 14 }).map((pieces) => `[s]\n${pieces.join('')}`);
    const property = fc.property(lines, (text) => {
      expect(asWeRead(text)).toEqual(asGitReads(text));
    });
    fc.assert(property, { numRuns: 40 });
  });
});
