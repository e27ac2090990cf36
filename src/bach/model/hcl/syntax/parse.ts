import type { Body, Expression } from '../ast.ts';
import type { SpanDiagnostic } from '../diagnostic.ts';
import { parseFileBody } from './body.ts';
import { parseExpression as parseAnyExpression } from './expression.ts';
import { tokenize } from './lexer.ts';
import { Parser } from './parser.ts';
import { SourceText } from './source-text.ts';
import { parseBareTemplate } from './template.ts';
import { tokenKind } from './token.ts';

interface Parsed {
  /** Empty where the text is sound. Errors about single characters come first, then errors about structure. */
  readonly diagnostics: readonly SpanDiagnostic[];
  readonly source: SourceText;
}

export interface ParsedFile extends Parsed {
  /** With an error in the text: what could be read of it. */
  readonly body: Body;
}

export interface ParsedExpression extends Parsed {
  readonly expression: Expression;
}

/**
 * Reads a whole file. Never throws, whatever the text; no tree that it returns is too deep to walk by recursion.
 *
 * @example
 * const { body, diagnostics, source } = parseHcl('shell "build" {\n  command = ["make"]\n}\n');
 */
export function parseHcl(text: string): ParsedFile {
  const parser = new Parser(text, tokenize(text, 'code'), parseAnyExpression);
  const body = parseFileBody(parser);
  return { body, diagnostics: parser.diagnostics.all, source: new SourceText(text) };
}

/** Reads a text that is one expression; newlines mean nothing in it, as within parentheses. */
export function parseExpression(text: string): ParsedExpression {
  const parser = new Parser(text, tokenize(text, 'code'), parseAnyExpression);
  parser.reader.pushNewlines('passed-over');
  const expression = parser.wholeExpression();
  const rest = parser.reader.peek();
  if (!parser.recovering && rest.kind !== tokenKind.endOfFile) {
    const detail = `Found ${parser.describe(rest)} behind the end of the expression.`;
    parser.fail('Extra characters after expression', detail, rest);
  }
  return { expression, diagnostics: parser.diagnostics.all, source: new SourceText(text) };
}

/** Reads a text that is one template, as if it stood between quotes but without escapes. */
export function parseTemplate(text: string): ParsedExpression {
  const parser = new Parser(text, tokenize(text, 'bare'), parseAnyExpression);
  const expression = parser.whole(() => parseBareTemplate(parser));
  return { expression, diagnostics: parser.diagnostics.all, source: new SourceText(text) };
}
