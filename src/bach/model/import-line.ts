import { parseExpression, type Expression, type Span, type TopLine } from './hcl/index.ts';

/** What one import line asks for, or what is wrong with it. */
export type ImportLine = { readonly path: string } | { readonly fault: string; readonly span: Span };

const NOT_A_LITERAL = 'import path must be a string literal';
const BAD_LITERAL = 'import path must be a valid string literal';

/** Reads the part of an import line behind the word. Spans are offsets into `text`. */
export function readImportLine(text: string, { start, end, rest, closed }: TopLine): ImportLine {
  if (rest.start === rest.end) return { fault: NOT_A_LITERAL, span: { start, end } };
  if (!closed) return { fault: BAD_LITERAL, span: rest };
  const literal = literalIn(text.slice(rest.start, rest.end));
  if ('fault' in literal) return { fault: literal.fault, span: rest };
  const fault = pathFault(literal.path);
  return fault === undefined ? literal : { fault, span: rest };
}

function literalIn(written: string): { readonly path: string } | { readonly fault: string } {
  const { expression, diagnostics } = parseExpression(written);
  const path = plainText(expression);
  if (path === undefined) return { fault: NOT_A_LITERAL };
  if (expression.end < written.length) return { fault: 'import declaration must contain only a path' };
  return diagnostics.length === 0 && !path.includes('\0') ? { path } : { fault: BAD_LITERAL };
}

function plainText(expression: Expression): string | undefined {
  if (expression.kind !== 'template' || expression.form !== 'quoted') return undefined;
  const texts = expression.parts.map((part) => (part.kind === 'text' ? part.value : undefined));
  return texts.includes(undefined) ? undefined : texts.join('');
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'import path must not be empty';
  if (path.startsWith('/') || path.includes('://')) {
    return `import path ${JSON.stringify(path)} must be a local relative path`;
  }
  return /[*?[]/.test(path) ? 'glob imports are not supported' : undefined;
}
