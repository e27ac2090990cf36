import type { Expression, Span, SplatStep } from '../ast.ts';
import { normalized } from './characters.ts';
import { parseNumber } from './number-literal.ts';
import type { Parser } from './parser.ts';
import { tokenKind, type Token } from './token.ts';

/** Everything that follows a term: `.name`, `.0`, `.*`, `[key]`, `[*]`. */
export function parseTraversals(parser: Parser, from: Expression): Expression {
  if (!startsStep(parser)) return from;
  const chain = new Chain(from);
  parseSteps(parser, chain);
  return chain.finish();
}

/** A full splat takes all that follows it as its own steps; other steps apply to what stands before them. */
class Chain {
  #target: Expression;
  readonly #splats: { readonly marker: Span; readonly each: SplatStep[] }[] = [];

  constructor(from: Expression) {
    this.#target = from;
  }

  add(step: SplatStep): void {
    const innermost = this.#splats[this.#splats.length - 1];
    if (innermost === undefined) this.#target = applied(this.#target, step);
    else innermost.each.push(step);
  }

  openSplat(marker: Span): void {
    this.#splats.push({ marker, each: [] });
  }

  finish(): Expression {
    for (let splat = this.#splats.pop(); splat !== undefined; splat = this.#splats.pop()) {
      const { marker, each } = splat;
      this.add({ kind: 'splat', form: 'full', each, start: marker.start, end: each.at(-1)?.end ?? marker.end });
    }
    return this.#target;
  }
}

function applied(target: Expression, step: SplatStep): Expression {
  const { start } = target;
  const { end } = step;
  if (step.kind === 'splat') return { kind: 'splat', form: step.form, source: target, each: step.each, start, end };
  if (step.kind === 'index') return { kind: 'index', target, key: step.key, form: step.form, start, end };
  return { kind: 'get-attribute', target, name: step.name, nameSpan: step.nameSpan, start, end };
}

function startsStep(parser: Parser): boolean {
  if (parser.recovering) return false;
  return parser.reader.is(tokenKind.dot) || parser.reader.is(tokenKind.openBracket);
}

function parseSteps(parser: Parser, chain: Chain): void {
  while (startsStep(parser)) {
    parser.link();
    const token = parser.reader.take();
    if (token.kind === tokenKind.dot) parseDot(parser, chain, token);
    else if (parser.reader.is(tokenKind.star)) parseFullSplat(parser, chain, token);
    else parseIndex(parser, chain, token);
  }
}

function parseDot(parser: Parser, chain: Chain, dot: Token): void {
  const next = parser.reader.peek();
  if (next.kind === tokenKind.star) return parseAttributeSplat(parser, chain, dot);
  const steps = parseName(parser, dot, next);
  if (steps !== undefined) return steps.forEach((step) => chain.add(step));
  parser.unexpected(next, 'Invalid attribute name', 'a name must follow the dot');
}

/** What follows a dot: a word, or a number that stands for an index. `blamed` is where a wrong number is reported. */
function parseName(parser: Parser, dot: Token, blamed: Token): readonly SplatStep[] | undefined {
  const { reader } = parser;
  if (reader.is(tokenKind.number)) return parseLegacyIndex(parser, dot, blamed);
  if (!reader.is(tokenKind.identifier)) return undefined;
  const { start, end } = reader.take();
  const name = normalized(parser.text.slice(start, end));
  return [{ kind: 'attribute', name, nameSpan: { start, end }, start: dot.start, end }];
}

/** `a.0` is an index; `a.0.1` reads as the number 0.1 and could mean two things, so it is refused. */
function parseLegacyIndex(parser: Parser, dot: Token, blamed: Token): readonly SplatStep[] {
  const token = parser.reader.take();
  const text = parser.text.slice(token.start, token.end);
  const point = text.indexOf('.');
  if (point === -1) return [legacyStep(dot, parseNumber(parser, token))];
  const [first, second] = [text.slice(0, point), text.slice(point + 1)];
  const advice = `".${text}" could be two indexes or one; write [${first}][${second}].`;
  parser.note('Invalid legacy index syntax', advice, blamed);
  const middle = token.start + point;
  return [
    legacyStep(dot, { kind: 'number', text: first, start: token.start, end: middle }),
    legacyStep({ start: middle }, { kind: 'number', text: second, start: middle + 1, end: token.end }),
  ];
}

function legacyStep({ start }: { readonly start: number }, key: Expression): SplatStep {
  return { kind: 'index', form: 'legacy', key, start, end: key.end };
}

/** `.*` with the names and indexes behind it; the first bracket ends it. */
function parseAttributeSplat(parser: Parser, chain: Chain, dot: Token): void {
  const { reader } = parser;
  const star = reader.take();
  const each: SplatStep[] = [];
  while (!parser.recovering && reader.is(tokenKind.dot)) {
    parser.link();
    const steps = parseName(parser, reader.take(), star);
    if (steps === undefined) failSplatName(parser, star);
    else each.push(...steps);
  }
  chain.add({ kind: 'splat', form: 'attribute', each, start: dot.start, end: each.at(-1)?.end ?? star.end });
}

function failSplatName(parser: Parser, star: Token): void {
  const next = parser.reader.peek();
  if (next.kind !== tokenKind.star) {
    const missing = `Found ${parser.describe(next)} where a name must follow the dot behind this star.`;
    return parser.fail('Invalid attribute name', missing, star);
  }
  const detail = 'Behind ".*" only names and numbers may follow; write "[*]" for a splat within a splat.';
  parser.fail('Nested splat expression not allowed', detail, next);
}

function parseFullSplat(parser: Parser, chain: Chain, open: Token): void {
  const { reader } = parser;
  const star = reader.take();
  const close = reader.peek();
  if (close.kind !== tokenKind.closeBracket) {
    const detail = `Found ${parser.describe(close)} where "]" must follow the star.`;
    parser.fail('Missing close bracket on splat index', detail, reader.findCloseBracket());
    return parser.skipPast(tokenKind.closeBracket);
  }
  reader.take();
  parser.nested(star, () => {
    chain.openSplat({ start: open.start, end: close.end });
    parseSteps(parser, chain);
  });
}

function parseIndex(parser: Parser, chain: Chain, open: Token): void {
  const { reader } = parser;
  const key = parser.bracketed(open, 'passed-over', () => {
    const expression = parser.expression();
    const close = reader.peek();
    if (!parser.recovering && close.kind !== tokenKind.closeBracket) {
      const detail = `Found ${parser.describe(close)} where "]" is expected.`;
      // Blamed is where the bracket is or should be at last, as the reference parser does.
      parser.fail('Missing close bracket on index', detail, reader.findCloseBracket());
    }
    if (parser.recovering) parser.skipPast(tokenKind.closeBracket);
    else reader.take();
    return expression;
  });
  if (key === undefined) return;
  chain.add({ kind: 'index', form: 'brackets', key, start: open.start, end: reader.previousEnd });
}
