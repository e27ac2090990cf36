import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenize } from '../../../../../src/bach/model/hcl/syntax/lexer.ts';
import { tokenKind } from '../../../../../src/bach/model/hcl/syntax/token.ts';
import { brokenFile, fragments } from '../../../../support/hcl/generator.ts';

const NAMES = new Map<number, string>(Object.entries(tokenKind).map(([name, kind]) => [kind, name]));

/** Each token as `kind text`, without the end of the file. */
function written(text: string, mode: 'code' | 'bare' = 'code'): readonly string[] {
  const tokens = tokenize(text, mode);
  return Array.from({ length: tokens.length - 1 }, (_, index) => {
    const { kind, start, end } = tokens.at(index);
    return `${NAMES.get(kind)} ${text.slice(start, end)}`;
  });
}

describe('code', () => {
  test.each([
    [
      'a-b _x größe 𝒜 e\u0301',
      ['identifier a-b', 'identifier _x', 'identifier größe', 'identifier 𝒜', 'identifier e\u0301'],
    ],
    ['a.b-1', ['identifier a', 'dot .', 'identifier b-1']],
    ['-a', ['minus -', 'identifier a']],
    ['\u0301', ['invalid \u0301']],
    ['1a', ['number 1', 'identifier a']],
    ['. .. ... ....', ['dot .', 'dot .', 'dot .', 'ellipsis ...', 'ellipsis ...', 'dot .']],
    ['= == => ===', ['equal =', 'doubleEqual ==', 'fatArrow =>', 'doubleEqual ==', 'equal =']],
    ['< <= > >= <<', ['less <', 'lessOrEqual <=', 'greater >', 'greaterOrEqual >=', 'less <', 'less <']],
    ['! != && || & |', ['not !', 'notEqual !=', 'and &&', 'or ||', 'bitwise &', 'bitwise |']],
    [': :: :::', ['colon :', 'doubleColon ::', 'doubleColon ::', 'colon :']],
    ['+-*/%?,', ['plus +', 'minus -', 'star *', 'slash /', 'percent %', 'question ?', 'comma ,']],
    ['()[]{}', ['openParen (', 'closeParen )', 'openBracket [', 'closeBracket ]', 'openBrace {', 'closeBrace }']],
    ["^ ~ ` ' ;", ['bitwise ^', 'bitwise ~', 'backtick `', "apostrophe '", 'semicolon ;']],
    ['\u00a0 \f\v\u2028', ['invalid \u00a0', 'invalid \f', 'invalid \v', 'invalid \u2028']],
    ['\u0000😀“', ['invalid \u0000', 'invalid 😀', 'invalid “']],
    [
      'a\nb\r\nc\rd',
      ['identifier a', 'newline \n', 'identifier b', 'newline \r\n', 'identifier c', 'invalid \r', 'identifier d'],
    ],
    ['~}', ['closeSequence ~}']],
  ])('%j', (text, tokens) => {
    expect(written(text)).toEqual(tokens);
  });
});

describe('numbers', () => {
  test.each([
    ['0', ['number 0']],
    ['12.5', ['number 12.5']],
    ['1e5', ['number 1e5']],
    ['1E+5 1e-5', ['number 1E+5', 'number 1e-5']],
    ['1.e5', ['number 1.e5']],
    ['1..2', ['number 1..2']],
    ['1.2.3e4.5', ['number 1.2.3e4.5']],
    ['1.', ['number 1', 'dot .']],
    ['1...', ['number 1', 'ellipsis ...']],
    ['1e', ['number 1', 'identifier e']],
    ['1e+', ['number 1', 'identifier e', 'plus +']],
    ['1.e', ['number 1', 'dot .', 'identifier e']],
    ['.5', ['dot .', 'number 5']],
    ['0x1F', ['number 0', 'identifier x1F']],
    ['1_0', ['number 1', 'identifier _0']],
    ['1-2', ['number 1', 'minus -', 'number 2']],
  ])('%j', (text, tokens) => {
    expect(written(text)).toEqual(tokens);
  });
});

describe('comments', () => {
  test.each([
    ['# a', []],
    ['// a', []],
    ['#', []],
    ['# a\n', ['newline # a\n']],
    ['// a\r\nb', ['newline // a\r\n', 'identifier b']],
    ['# a\rb\nc', ['newline # a\rb\n', 'identifier c']],
    ['/* a\n * b */c', ['identifier c']],
    ['/**/a/***/', ['identifier a']],
    ['a/*b*/c', ['identifier a', 'identifier c']],
    ['/* a', ['slash /', 'star *', 'identifier a']],
    ['/*/', ['slash /', 'star *', 'slash /']],
    ['/* /* */ a */', ['identifier a', 'star *', 'slash /']],
    ['"# a" # b', ['openQuote "', 'text # a', 'closeQuote "']],
  ])('%j', (text, tokens) => {
    expect(written(text)).toEqual(tokens);
  });
});

describe('quoted templates', () => {
  test.each([
    ['""', ['openQuote "', 'closeQuote "']],
    ['"a\\"b"', ['openQuote "', 'text a\\"b', 'closeQuote "']],
    ['"\\\\"', ['openQuote "', 'text \\\\', 'closeQuote "']],
    [
      '"a${b}c"',
      ['openQuote "', 'text a', 'openInterpolation ${', 'identifier b', 'closeSequence }', 'text c', 'closeQuote "'],
    ],
    ['"${~ a ~}"', ['openQuote "', 'openInterpolation ${~', 'identifier a', 'closeSequence ~}', 'closeQuote "']],
    ['"%{if}"', ['openQuote "', 'openDirective %{', 'identifier if', 'closeSequence }', 'closeQuote "']],
    ['"$${a}"', ['openQuote "', 'text $${a}', 'closeQuote "']],
    ['"$$${a}"', ['openQuote "', 'text $$${a}', 'closeQuote "']],
    ['"%${a}"', ['openQuote "', 'text %', 'openInterpolation ${', 'identifier a', 'closeSequence }', 'closeQuote "']],
    ['"\\${a}"', ['openQuote "', 'text \\${a}', 'closeQuote "']],
    [
      '"${{}}"',
      ['openQuote "', 'openInterpolation ${', 'openBrace {', 'closeBrace }', 'closeSequence }', 'closeQuote "'],
    ],
    [
      '"${"${a}"}"',
      [
        'openQuote "',
        'openInterpolation ${',
        'openQuote "',
        'openInterpolation ${',
        'identifier a',
        'closeSequence }',
        'closeQuote "',
        'closeSequence }',
        'closeQuote "',
      ],
    ],
    ['"a\nb"', ['openQuote "', 'text a', 'quotedNewline \n', 'text b', 'closeQuote "']],
    ['"\r\n\n\r"', ['openQuote "', 'quotedNewline \r\n\n\r', 'closeQuote "']],
    ['"\\\n"', ['openQuote "', 'invalid \\', 'quotedNewline \n', 'closeQuote "']],
    ['"a\\', ['openQuote "', 'text a', 'invalid \\']],
    ['"a$', ['openQuote "', 'text a', 'invalid $']],
    ['"$$', ['openQuote "', 'text $', 'invalid $']],
    ['"a', ['openQuote "', 'text a']],
  ])('%j', (text, tokens) => {
    expect(written(text)).toEqual(tokens);
  });
});

describe('heredocs', () => {
  test.each([
    ['<<E\nE\n', ['openHeredoc <<E\n', 'closeHeredoc E', 'newline \n']],
    ['<<-E\r\n a\r\n E\r\n', ['openHeredoc <<-E\r\n', 'text  a\r\n', 'closeHeredoc  E', 'newline \r\n']],
    [
      '<<E\na\n\nb\nE\nc',
      ['openHeredoc <<E\n', 'text a\n', 'text \n', 'text b\n', 'closeHeredoc E', 'newline \n', 'identifier c'],
    ],
    ['<<E-1\nE\nE-1\n', ['openHeredoc <<E-1\n', 'text E\n', 'closeHeredoc E-1', 'newline \n']],
    [
      '<<E\n${a}E\nE\n',
      [
        'openHeredoc <<E\n',
        'openInterpolation ${',
        'identifier a',
        'closeSequence }',
        'text E\n',
        'closeHeredoc E',
        'newline \n',
      ],
    ],
    ['<<E\n"a\\"\nE\n', ['openHeredoc <<E\n', 'text "a\\"\n', 'closeHeredoc E', 'newline \n']],
    ['<<E\na\nE', ['openHeredoc <<E\n', 'text a\n', 'text E']],
    ['<<E\na\rb\nE\n', ['openHeredoc <<E\n', 'text a', 'invalid \rb\nE\n']],
    ['<<E\na$', ['openHeredoc <<E\n', 'text a', 'invalid $']],
    ['<<E\na% \nE\n', ['openHeredoc <<E\n', 'text a% ', 'text \n', 'closeHeredoc E', 'newline \n']],
    ['<< E\n', ['less <', 'less <', 'identifier E', 'newline \n']],
    ['<<E x', ['less <', 'less <', 'identifier E', 'identifier x']],
    ['<<"E"', ['less <', 'less <', 'openQuote "', 'text E', 'closeQuote "']],
    ['<<-', ['less <', 'less <', 'minus -']],
    ['<<', ['less <', 'less <']],
  ])('%j', (text, tokens) => {
    expect(written(text)).toEqual(tokens);
  });
});

describe('bare templates', () => {
  test.each([
    ['', []],
    ['a\n"b"\\', ['text a\n"b"\\']],
    ['a${b}c', ['text a', 'openInterpolation ${', 'identifier b', 'closeSequence }', 'text c']],
    ['$', ['text $']],
    ['a%', ['text a%']],
    ['$${a}%{', ['text $${a}', 'openDirective %{']],
  ])('%j', (text, tokens) => {
    expect(written(text, 'bare')).toEqual(tokens);
  });
});

test('tokens follow each other, with nothing but space and comments in between', () => {
  fc.assert(
    fc.property(fc.oneof(brokenFile, fragments), (text) => {
      const tokens = tokenize(text, 'code');
      let end = 0;
      for (let index = 0; index < tokens.length; index += 1) {
        const token = tokens.at(index);
        expect(text.slice(end, token.start)).toMatch(/^\ufeff?(?:[ \t]|\/\*.*?\*\/|(?:#|\/\/).*$)*$/s);
        expect(token.end).toBeGreaterThanOrEqual(token.start);
        end = token.end;
      }
      expect(end).toBe(text.length);
    }),
    { seed: 20_260_417, numRuns: 500 },
  );
});
