import { describe, expect, test } from 'vitest';
import { BracketStack } from '../../../../../src/bach/model/hcl/syntax/brackets.ts';
import { tokenize } from '../../../../../src/bach/model/hcl/syntax/lexer.ts';
import { TokenReader } from '../../../../../src/bach/model/hcl/syntax/token-reader.ts';
import { tokenKind, type TokenKind } from '../../../../../src/bach/model/hcl/syntax/token.ts';

describe('reading', () => {
  test('goes from token to token and stays at the end', () => {
    const reader = readerOf('a = 1');
    const starts = Array.from({ length: 6 }, () => reader.take().start);
    expect(starts).toEqual([0, 2, 4, 5, 5, 5]);
    expect(reader.is(tokenKind.endOfFile)).toBe(true);
  });

  test('passes over newlines only where it is told to', () => {
    const reader = readerOf('\n\na\nb');
    expect(reader.is(tokenKind.newline)).toBe(true);
    reader.pushNewlines('passed-over');
    expect(reader.take()).toEqual({ kind: tokenKind.identifier, start: 2, end: 3 });
    expect(reader.peek()).toEqual({ kind: tokenKind.identifier, start: 4, end: 5 });
    reader.popNewlines();
    expect(reader.peek()).toEqual({ kind: tokenKind.newline, start: 3, end: 4 });
  });

  test('sees newlines again that were passed over without taking anything', () => {
    const reader = readerOf('\na');
    reader.pushNewlines('passed-over');
    expect(reader.is(tokenKind.identifier)).toBe(true);
    reader.pushNewlines('seen');
    expect(reader.is(tokenKind.newline)).toBe(true);
  });

  test('knows where the last token that it took ends', () => {
    const reader = readerOf(' a  =');
    expect(reader.previousEnd).toBe(1);
    reader.take();
    expect(reader.previousEnd).toBe(2);
    reader.take();
    expect(reader.previousEnd).toBe(5);
    reader.take();
    expect(reader.previousEnd).toBe(5);
  });
});

describe('skipping past a closing bracket', () => {
  test.each([
    ['1 2) x', 'x'],
    ['(1) 2) x', 'x'],
    ['[1} 2) x', 'x'],
    ['f("a)") ) x', 'x'],
    ['"${ ) }" ) x', 'x'],
    ['1 ] ) x', 'x'],
    ['( [ ) ) x', 'x'],
    ['1 2', ''],
  ])('%j', (text, rest) => {
    expect(afterSkip(text, (reader) => reader.skipPast(tokenKind.closeParen, stackOf()))).toBe(rest);
  });

  test('stops before what closes a bracket around it', () => {
    const around = stackOf(tokenKind.openBrace, tokenKind.openParen);
    expect(afterSkip('1 [2] } x', (reader) => reader.skipPast(tokenKind.closeBracket, around))).toBe('} x');
    expect(afterSkip('1 (2) ) x', (reader) => reader.skipPast(tokenKind.closeBracket, around))).toBe(') x');
    expect(afterSkip('"${ ) }" ] x', (reader) => reader.skipPast(tokenKind.closeBracket, around))).toBe('x');
  });
});

describe('skipping the rest of an item', () => {
  test.each([
    ['1 2\nx', 'x'],
    ['(\n1\n) 2\nx', 'x'],
    ['1 ) 2\nx', 'x'],
    ['<<E\na\nE\nx', 'x'],
    ['"${ {\n} }"\nx', 'x'],
    ['{\n[\n}\nx', 'x'],
  ])('%j', (text, rest) => {
    expect(afterSkip(text, (reader) => reader.skipItem(stackOf()))).toBe(rest);
  });

  test('stops before the brace that closes the block around it', () => {
    const around = stackOf(tokenKind.openBrace);
    expect(afterSkip('1 {2} } x', (reader) => reader.skipItem(around))).toBe('} x');
  });
});

describe('the bracket that ends an index', () => {
  test.each([
    ['1 2 ] x', '] x'],
    ['1 [2] ] x', '] x'],
    ['[ 2 ] x', '] x'],
    ['1\n2\n] x', '] x'],
    ['1 2', ''],
    ['', ''],
  ])('in %j', (text, rest) => {
    expect(text.slice(readerOf(text).findCloseBracket().start)).toBe(rest);
  });
});

describe('a stack of brackets', () => {
  test('closes the innermost that fits, and what was left open in it', () => {
    const stack = stackOf(tokenKind.openParen, tokenKind.openBracket, tokenKind.openBrace);
    expect(stack.has(tokenKind.closeBracket)).toBe(true);
    stack.close(tokenKind.closeBracket);
    expect(stack.depth).toBe(1);
    expect(stack.has(tokenKind.closeBrace)).toBe(false);
    expect(stack.has(tokenKind.closeParen)).toBe(true);
  });

  test('knows that one brace closes both kinds of sequence', () => {
    expect(stackOf(tokenKind.openInterpolation).has(tokenKind.closeSequence)).toBe(true);
    expect(stackOf(tokenKind.openDirective).has(tokenKind.closeSequence)).toBe(true);
    expect(stackOf(tokenKind.openBrace).has(tokenKind.closeSequence)).toBe(false);
    expect(stackOf().has(tokenKind.comma)).toBe(false);
  });
});

function readerOf(text: string): TokenReader {
  return new TokenReader(tokenize(text, 'code'));
}

function afterSkip(text: string, skip: (reader: TokenReader) => void): string {
  const reader = readerOf(text);
  skip(reader);
  return text.slice(reader.peek().start);
}

function stackOf(...openers: readonly TokenKind[]): BracketStack {
  const stack = new BracketStack();
  for (const opener of openers) stack.push(opener);
  return stack;
}
