import { traversalOf, wordsOf } from '../hcl/index.ts';
import type { QualityReport } from '../later.ts';
import { listedReports } from './listed-reports.ts';
import { judged, type LaterReference } from './reference.ts';
import { REPORT_SCHEMA } from './schemas.ts';
import type { Section } from './section.ts';
import { checkReport, type ReportPart, type WrittenReport } from './written-report.ts';

/** The short blocks in the order in which their reports are parsed. */
const SHORT_FORMS = [
  { block: 'junit', kind: 'tests', format: 'junit-xml' },
  { block: 'cov', kind: 'coverage', format: 'lcov' },
  { block: 'lint', kind: 'lint', format: 'checkstyle-xml' },
  { block: 'complexity', kind: 'complexity', format: 'gocyclo' },
] as const;

export interface DecodedReports {
  readonly reports: readonly QualityReport[];
  readonly references: readonly LaterReference[];
}

/** The reports of a quality block: those of the list, then those of the short blocks. */
export function reportsOf(section: Section, target: string): DecodedReports {
  const written = [...listedReports(section, target), ...shortReports(section)];
  for (const report of written) checkReport(section, report);
  return {
    reports: written.map(({ kind, path, format, parser }) => ({ kind, path, format, parser })),
    references: written.flatMap((report) => parserReference(section, report)),
  };
}

function parserReference(section: Section, { kind, parser, place }: WrittenReport): readonly LaterReference[] {
  if (parser === '') return [];
  return judged(`${section.subject} report ${JSON.stringify(kind)}`, 'parser', [{ name: parser, span: place('parser') }]);
}

function shortReports(section: Section): readonly WrittenReport[] {
  return SHORT_FORMS.flatMap((form) => {
    const block = section.only(form.block, REPORT_SCHEMA);
    return block === undefined ? [] : [shortReport(section.inner(block, form.block), form)];
  });
}

function shortReport(section: Section, { kind, format: preset }: (typeof SHORT_FORMS)[number]): WrittenReport {
  const isGiven = (part: ReportPart): boolean => section.given(part) !== undefined;
  const read = { path: section.textOf('path'), format: section.textOf('format'), parser: parserOf(section) };
  const parts: readonly (keyof typeof read)[] = ['path', 'format', 'parser'];
  return {
    kind,
    path: read.path ?? '',
    format: isGiven('format') || isGiven('parser') ? (read.format ?? '') : preset,
    parser: read.parser ?? '',
    place: (part) => section.placeOf(part),
    faulty: new Set<ReportPart>(parts.filter((part) => isGiven(part) && read[part] === undefined)),
  };
}

/** The name in `plugin.name`; no other form says as clearly that a plugin is meant. */
function parserOf(section: Section): string | undefined {
  const expression = section.given('parser')?.expression;
  if (expression === undefined) return undefined;
  const traversal = traversalOf(expression);
  const [root, name, ...more] = traversal === undefined ? [] : wordsOf(traversal);
  if (root === 'plugin' && name !== undefined && more.length === 0) return name;
  const isReference = traversal !== undefined;
  section.attributeFault('parser', isReference ? 'must reference plugin.name' : 'must be a plugin reference like plugin.name');
  return undefined;
}
