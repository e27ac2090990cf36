import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandVariables } from '../../../src/kernel/text/index.ts';

const VALUES: Readonly<Record<string, string>> = {
  HOME: '/home/user',
  USER: 'user',
  H: '(value of H)',
  home_1: '/home_1',
  '*': 'all the args',
  '#': 'NARGS',
  $: 'PID',
  '1': 'ARGUMENT1',
  '-': 'FLAGS',
};

const expand = (text: string): string => expandVariables(text, (name) => VALUES[name]);

describe('expandVariables', () => {
  test.each([
    ['', ''],
    ['$*', 'all the args'],
    ['$$', 'PID'],
    ['${*}', 'all the args'],
    ['$1', 'ARGUMENT1'],
    ['${1}', 'ARGUMENT1'],
    ['$-', 'FLAGS'],
    ['$#', 'NARGS'],
    ['now is the time', 'now is the time'],
    ['$HOME', '/home/user'],
    ['$home_1', '/home_1'],
    ['${HOME}', '/home/user'],
    ['${H}OME', '(value of H)OME'],
    ['A$$$#$1$H$home_1*B', 'APIDNARGSARGUMENT1(value of H)/home_1*B'],
    ['start$+middle$^end$', 'start$+middle$^end$'],
    ['mixed$|bag$$$', 'mixed$|bagPID$'],
    ['$', '$'],
    ['$}', '$}'],
    ['${', ''],
    ['${}', ''],
    ['${HOME', 'HOME'],
  ])('%j becomes %j', (text, expanded) => {
    expect(expand(text)).toBe(expanded);
  });

  test.each([
    ['$(cat x)', '$(cat x)'],
    ['$UNKNOWN!', '!'],
    ['$12', 'ARGUMENT12'],
    ['${a b}|${UNKNOWN:-x}', '|'],
    ['$é$HOME', '$é/home/user'],
    ['${HOME}}', '/home/user}'],
    ['${x${HOME}}', '}'],
    ['a ${ b } $USER ${ c', 'a  user  c'],
  ])('%j becomes %j', (text, expanded) => {
    expect(expand(text)).toBe(expanded);
  });

  test('does not expand what a value brought in', () => {
    expect(expandVariables('$a', () => '$a${b}')).toBe('$a${b}');
  });

  test('hands over names exactly, in order', () => {
    const asked: string[] = [];
    expandVariables('${ a }$b_2c$$x${?}', (name) => void asked.push(name));
    expect(asked).toEqual([' a ', 'b_2c', '$', '?']);
  });

  test('takes megabytes of open braces', () => {
    expect(expand('${'.repeat(500_000))).toBe('');
  });

  test('agrees with a plain reading of the rules', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'H', 'x', '1', '*', ' ', 'é'), maxLength: 14 }), (text) => {
        expect(expand(text)).toBe(readRules(text));
      }),
      { seed: 12, numRuns: 1500 },
    );
  });
});

/** The rules again, one character at a time. */
function readRules(text: string): string {
  const at = text.indexOf('$');
  if (at < 0 || at === text.length - 1) return text;
  const rest = text.slice(at + 1);
  const [match, braced, plain] = /^(?:\{([^}]*)\}|([*#$@!?\-\d]|\w+))/.exec(rest) ?? [];
  const dropped = rest.startsWith('{') ? '{' : undefined;
  const name = braced ?? plain;
  const value = name === undefined ? (dropped === undefined ? '$' : '') : (VALUES[name] ?? '');
  return text.slice(0, at) + value + readRules(rest.slice((match ?? dropped ?? '').length));
}
