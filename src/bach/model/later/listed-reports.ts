import { didYouMean } from '../../../kernel/text/index.ts';
import { valueOf, type Reading } from '../expressions.ts';
import type { Findings } from '../findings.ts';
import { entriesOf, itemsOf, type Expression, type Span, type Value } from '../hcl/index.ts';
import { LITERALS_ONLY } from '../literals.ts';
import type { Section } from './section.ts';
import { REPORT_PARTS, type ReportPart, type WrittenReport } from './written-report.ts';

/** The list `reports`: objects that say all of a report. */
export function listedReports(section: Section, target: string): readonly WrittenReport[] {
  const expression = section.given('reports')?.expression;
  if (expression === undefined) return [];
  const { findings } = section.scope;
  const reading: Reading = { subject: `quality ${JSON.stringify(target)} reports`, scope: LITERALS_ONLY, findings };
  const written = entriesIn(expression, reading).map((entry) => readEntry(entry, reading));
  return written.filter((report) => report !== undefined);
}

interface Entry {
  /** Where the entry stands; a list that is computed has one place for all. */
  readonly expression: Expression;
  readonly value: Value | undefined;
}

function entriesIn(expression: Expression, reading: Reading): readonly Entry[] {
  if (expression.kind === 'parentheses') return entriesIn(expression.inner, reading);
  if (expression.kind === 'tuple') return expression.items.map((item) => ({ expression: item, value: valueOf(item, reading) }));
  const value = valueOf(expression, reading);
  const items = value && itemsOf(value);
  if (value !== undefined && items === undefined) reading.findings.error(expression, `${reading.subject} must be a list`);
  return (items ?? []).map((item) => ({ expression, value: item }));
}

function readEntry({ expression, value }: Entry, { subject, findings }: Reading): WrittenReport | undefined {
  // A null is no report either; what could not be read was told.
  if (value === undefined && expression.kind !== 'null') return undefined;
  const entries = value && entriesOf(value);
  if (entries === undefined) {
    findings.error(expression, `${subject} entries must be objects`);
    return undefined;
  }
  const places = partPlaces(expression);
  const place = (part: string): Span => places.get(part)?.value ?? expression;
  for (const key of entries.keys()) if (!isPart(key)) tellUnknown(key, places.get(key)?.key ?? expression, findings);
  const faulty = new Set<ReportPart>();
  const text = (part: ReportPart): string => {
    const found = entries.get(part);
    if (found === undefined || found.kind === 'null') return '';
    if (found.kind === 'string' && !found.text.includes('\0')) return found.text;
    faulty.add(part);
    findings.error(place(part), `${subject} ${part} must be a string without NUL characters`);
    return '';
  };
  return { kind: text('kind'), path: text('path'), format: text('format'), parser: text('parser'), place, faulty };
}

interface PartPlace {
  readonly key: Span;
  readonly value: Span;
}

function partPlaces(expression: Expression): ReadonlyMap<string, PartPlace> {
  if (expression.kind === 'parentheses') return partPlaces(expression.inner);
  if (expression.kind !== 'object') return new Map();
  return new Map(expression.items.map(({ key, value }) => [keyText(key), { key, value }]));
}

function keyText(key: Expression): string {
  if (key.kind === 'variable') return key.name;
  if (key.kind !== 'template') return '';
  return key.parts.map((part) => (part.kind === 'text' ? part.value : '')).join('');
}

function tellUnknown(key: string, span: Span, findings: Findings): void {
  const detail = `An argument named ${JSON.stringify(key)} is not expected in a report${didYouMean(key, REPORT_PARTS)}`;
  findings.decode({ severity: 'error', summary: 'Unsupported argument', detail, span });
}

function isPart(key: string): boolean {
  return REPORT_PARTS.some((part) => part === key);
}
