import type { Findings } from './findings.ts';
import { traversalOf, wordsOf, type Expression, type Span } from './hcl/index.ts';
import { parseReference, type ParsedReference } from './target-name.ts';

/** A target that another one names, in canonical form, with the place of the name. */
export interface Reference {
  readonly name: string;
  readonly span: Span;
}

/** Reads a list of target references: `[shell.test, "shell.build"]`. Faulty entries are told and left out. */
export function referencesOf(expression: Expression, subject: string, findings: Findings): readonly Reference[] {
  if (expression.kind === 'null') return [];
  if (expression.kind !== 'tuple') {
    findings.error(expression, `${subject}: must be a list of target references`);
    return [];
  }
  const found = expression.items.map((item) => referenceOf(item, subject, findings));
  return found.filter((reference) => reference !== undefined);
}

/** Reads one target reference: `shell.test` or `"shell.test"`. */
export function referenceOf(expression: Expression, subject: string, findings: Findings): Reference | undefined {
  const parsed = readReference(expression);
  if ('name' in parsed) return { name: parsed.name, span: expression };
  findings.error(expression, `${subject}: ${parsed.message}`);
  return undefined;
}

/** As `referenceOf`, without telling a fault. */
export function readReference(expression: Expression): ParsedReference {
  const text = referenceText(expression);
  if (text !== undefined) return parseReference(text);
  return { obsolete: false, message: 'entries must be target references' };
}

/** The text of a reference as written, whatever it means; nothing for an expression that is none. */
export function referenceText(expression: Expression): string | undefined {
  if (expression.kind === 'parentheses') return referenceText(expression.inner);
  if (expression.kind === 'template') return plainText(expression.parts);
  const traversal = traversalOf(expression);
  return traversal && wordsOf(traversal).join('.');
}

function plainText(parts: Extract<Expression, { kind: 'template' }>['parts']): string | undefined {
  const texts = parts.map((part) => (part.kind === 'text' ? part.value : undefined));
  return texts.includes(undefined) ? undefined : texts.join('');
}
