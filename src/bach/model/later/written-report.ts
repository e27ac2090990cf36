import { didYouMean } from '../../../kernel/text/index.ts';
import type { Span } from '../hcl/index.ts';
import type { QualityReport } from '../later.ts';
import type { Section } from './section.ts';

export const REPORT_PARTS = ['kind', 'format', 'parser', 'path'] as const;
export type ReportPart = (typeof REPORT_PARTS)[number];

/** The formats that are read without a plugin. */
const FORMATS = [
  'junit-xml',
  'checkstyle-xml',
  'lcov',
  'cobertura-xml',
  'jacoco-xml',
  'codecov-json',
  'gocov-json',
  'go-cover',
  'gocover',
  'gocyclo',
  'agent-report-v1',
  'agent-report-json',
];

/** A report with the place of each part, for messages. */
export interface WrittenReport extends QualityReport {
  readonly place: (part: ReportPart) => Span;
  /** Parts that are there and could not be read: what is wrong with them was told. */
  readonly faulty: ReadonlySet<ReportPart>;
}

/** Reports what a report lacks or has too much of. */
export function checkReport(section: Section, report: WrittenReport): void {
  const { kind, path, format, parser, place, faulty } = report;
  if (kind === '' && !faulty.has('kind')) section.fault(place('kind'), 'report must set kind');
  const name = `report ${JSON.stringify(kind)}`;
  if (path === '' && !faulty.has('path')) section.fault(place('path'), `${name} must set path`);
  if (faulty.has('format') || faulty.has('parser')) return;
  if (format === '' && parser === '') section.fault(place('format'), `${name} must set format or parser`);
  else if (format !== '' && parser !== '') section.fault(place('parser'), `${name} must set format or parser, not both`);
  else if (format !== '' && !FORMATS.includes(format)) {
    const quoted = JSON.stringify(format);
    section.fault(place('format'), `${name} has unsupported quality report format ${quoted}${didYouMean(format, FORMATS)}`);
  }
}
