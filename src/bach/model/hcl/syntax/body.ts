import type { Attribute, Block, Body, Span } from '../ast.ts';
import { normalized } from './characters.ts';
import { parseLabels } from './label.ts';
import type { Parser } from './parser.ts';
import { tokenKind, type Token } from './token.ts';

const NO_DEFINITION = 'Argument or block definition required';

/** The body of a file: everything up to its end. */
export function parseFileBody(parser: Parser): Body {
  return parseItems(parser, undefined).finish({ start: 0, end: parser.text.length });
}

/** A body under construction. */
class BodyBuilder {
  readonly blocks: Block[] = [];
  readonly #attributes: Attribute[] = [];
  #names: Set<string> | undefined;

  /** False where the body has an attribute with this name already; the first one stays. */
  addAttribute(attribute: Attribute): boolean {
    this.#names ??= new Set();
    if (this.#names.has(attribute.name)) return false;
    this.#names.add(attribute.name);
    this.#attributes.push(attribute);
    return true;
  }

  finish({ start, end }: Span): Body {
    return { attributes: this.#attributes, blocks: this.blocks, start, end };
  }
}

/** Items up to the brace that closes `open`, or to the end of the file where there is none. */
function parseItems(parser: Parser, open: Token | undefined): BodyBuilder {
  const { reader } = parser;
  const body = new BodyBuilder();
  while (!endsBody(parser, open)) {
    if (reader.is(tokenKind.newline)) reader.take();
    else if (reader.is(tokenKind.identifier)) parseItem(parser, body);
    else failItem(parser);
  }
  return body;
}

function endsBody(parser: Parser, open: Token | undefined): boolean {
  const { reader } = parser;
  if (reader.is(tokenKind.endOfFile)) {
    if (open !== undefined) failUnclosed(parser, open);
    return true;
  }
  if (open === undefined || !reader.is(tokenKind.closeBrace)) return false;
  reader.take();
  return true;
}

function failUnclosed(parser: Parser, open: Token): void {
  const detail = 'The text ends before the "}" of this block; a brace further down may be missing.';
  parser.fail('Unclosed configuration block', detail, open);
}

function failItem(parser: Parser): void {
  const token = parser.reader.peek();
  if (token.kind === tokenKind.openQuote) {
    parser.fail('Invalid argument name', 'An argument starts with a name that stands without quotes.', token);
  } else {
    parser.unexpected(token, NO_DEFINITION, 'the name of an argument or block is expected');
  }
  parser.skipItem();
}

function parseItem(parser: Parser, body: BodyBuilder): void {
  const name = parser.reader.take();
  if (parser.reader.is(tokenKind.equal)) return parseAttributeLine(parser, body, name);
  if (startsBlock(parser)) {
    body.blocks.push(parseBlock(parser, name));
    return;
  }
  failBareName(parser, name);
  parser.skipItem();
}

/** Whether what follows a name makes it the type of a block. */
function startsBlock({ reader }: Parser): boolean {
  return reader.is(tokenKind.openBrace) || reader.is(tokenKind.openQuote) || reader.is(tokenKind.identifier);
}

function failBareName(parser: Parser, name: Token): void {
  const met = parser.describe(parser.reader.peek());
  const detail = `Found ${met} behind ${parser.describe(name)}; "=" and a value make an argument, "{" a block.`;
  parser.fail(NO_DEFINITION, detail, name);
}

function parseAttributeLine(parser: Parser, body: BodyBuilder, name: Token): void {
  const attribute = parseAttribute(parser, name);
  const isNew = body.addAttribute(attribute);
  endItem(parser, failAttributeEnd);
  if (isNew) return;
  const detail = `The argument "${attribute.name}" is set twice here; keep one.`;
  parser.note('Attribute redefined', detail, attribute.nameSpan);
}

function parseAttribute(parser: Parser, name: Token): Attribute {
  parser.reader.take();
  const expression = parser.wholeExpression();
  return {
    name: normalized(parser.text.slice(name.start, name.end)),
    nameSpan: { start: name.start, end: name.end },
    expression,
    start: name.start,
    end: parser.reader.previousEnd,
  };
}

function failAttributeEnd(parser: Parser, end: Token): void {
  const summary = end.kind === tokenKind.comma ? 'Unexpected comma after argument' : 'Missing newline after argument';
  parser.unexpected(end, summary, 'a newline must end the argument');
}

/** Passes the newline behind an item, or what is left of a broken one. */
function endItem(parser: Parser, fail: (parser: Parser, met: Token) => void): void {
  const end = parser.reader.peek();
  const ended = end.kind === tokenKind.newline || end.kind === tokenKind.endOfFile;
  if (!parser.recovering && !ended) fail(parser, end);
  if (parser.recovering) parser.skipItem();
  else parser.reader.take();
}

function parseBlock(parser: Parser, type: Token): Block {
  const labels = parseLabels(parser);
  const header = { start: type.start, end: parser.reader.previousEnd };
  const body = parser.recovering ? undefined : parseBlockBody(parser);
  const end = parser.reader.previousEnd;
  endItem(parser, failBlockEnd);
  return {
    type: normalized(parser.text.slice(type.start, type.end)),
    typeSpan: { start: type.start, end: type.end },
    labels,
    body: body ?? { attributes: [], blocks: [], start: header.end, end: header.end },
    header,
    start: type.start,
    end,
  };
}

function failBlockEnd(parser: Parser, end: Token): void {
  parser.unexpected(end, 'Missing newline after block definition', 'a newline must end the block');
}

function parseBlockBody(parser: Parser): Body | undefined {
  const { reader } = parser;
  const open = reader.take();
  return parser.nested(open, () => {
    const body = startsLines(parser) ? parseItems(parser, open) : parseOneLine(parser, open);
    return body.finish({ start: open.start, end: reader.previousEnd });
  });
}

function startsLines({ reader }: Parser): boolean {
  return reader.is(tokenKind.newline) || reader.is(tokenKind.closeBrace) || reader.is(tokenKind.endOfFile);
}

/** `{ name = value }`: one argument, closed on its own line. */
function parseOneLine(parser: Parser, open: Token): BodyBuilder {
  const body = new BodyBuilder();
  const { reader } = parser;
  const name = reader.peek();
  if (name.kind === tokenKind.identifier) {
    reader.take();
    if (reader.is(tokenKind.equal)) body.addAttribute(parseAttribute(parser, name));
    else failOneLine(parser, name);
  } else {
    parser.unexpected(name, NO_DEFINITION, 'the name of an argument is expected');
  }
  closeOneLine(parser, open);
  return body;
}

function failOneLine(parser: Parser, name: Token): void {
  if (!startsBlock(parser)) return failBareName(parser, name);
  const detail = `${parser.describe(name)} starts a block on the line of another; one line holds one argument.`;
  parser.fail('Argument definition required', detail, { start: name.start, end: parser.reader.peek().end });
}

function closeOneLine(parser: Parser, open: Token): void {
  const { reader } = parser;
  const met = reader.peek();
  if (!parser.recovering && met.kind === tokenKind.endOfFile) failUnclosed(parser, open);
  if (!parser.recovering && met.kind !== tokenKind.closeBrace) {
    const expected = '"}" must follow the only argument of a block in one line';
    parser.unexpected(met, 'Invalid single-argument block definition', expected);
  }
  if (parser.recovering) parser.skipPast(tokenKind.closeBrace);
  else reader.take();
}
