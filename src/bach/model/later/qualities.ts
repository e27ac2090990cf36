import type { AttributeScope } from '../attribute-reader.ts';
import type { Body, Span } from '../hcl/index.ts';
import type { Quality, RegoPolicy } from '../later.ts';
import { parseReference } from '../target-name.ts';
import { gatesOf } from './gates.ts';
import { isInsideProject } from './inside-project.ts';
import { namedBlocks } from './named-blocks.ts';
import { reportsOf } from './quality-reports.ts';
import type { LaterReference } from './reference.ts';
import { QUALITY_SCHEMA, REGO_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';

export interface DecodedQuality {
  readonly quality: Quality;
  readonly references: readonly LaterReference[];
}

export function decodeQualities(body: Body, scope: AttributeScope): readonly DecodedQuality[] {
  const { findings } = scope;
  const decoded = new Map<string, DecodedQuality>();
  const headers = new Map<string, Span>();
  for (const { name: written, block } of namedBlocks(body, 'quality', { schema: QUALITY_SCHEMA, findings })) {
    const label = block.labels[0] ?? block.header;
    const parsed = parseReference(targetText(written));
    if ('message' in parsed) {
      findings.error(label, `quality block target: ${parsed.message}`);
      continue;
    }
    const { name } = parsed;
    const found = decodeQuality(new Section(block, scope, { subject: `target ${JSON.stringify(name)}` }), name);
    const first = headers.get(name);
    headers.set(name, first ?? block.header);
    if (first !== undefined) findings.duplicate(block.header, `duplicate quality block for target ${JSON.stringify(name)}`, first);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}

/** A name without a type means a shell target. */
function targetText(label: string): string {
  return /[./]/.test(label) ? label : `shell.${label}`;
}

function decodeQuality(section: Section, target: string): DecodedQuality {
  const { reports, references } = reportsOf(section, target);
  const quality: Quality = {
    target,
    reports,
    gates: gatesOf(section, 'quality_gate'),
    regoPolicies: section.blocks('rego_policy', REGO_SCHEMA).map(({ block }) => regoOf(section.inner(block, 'rego_policy'))),
  };
  const label = section.block.labels[0] ?? section.block.header;
  const own: LaterReference = { kind: 'quality-target', name: target, span: label, subject: 'quality block' };
  return { quality, references: [own, ...references] };
}

function regoOf(rego: Section): RegoPolicy {
  const path = rego.required('path', 'must set path');
  const quoted = JSON.stringify(path);
  if (!isInsideProject(path)) {
    rego.fault(rego.placeOf('path'), `${quoted} path must stay under the project root`);
  }
  const name = rego.textOf('package');
  const isKnown = path !== '' && !rego.isFaulty('package', name);
  const query = (field: 'allow' | 'findings'): string => {
    const text = rego.textOf(field);
    if (rego.isFaulty(field, text)) return '';
    if (text !== undefined && text !== '') return text;
    if (name !== undefined && name !== '') return `data.${name}.${field}`;
    if (isKnown) rego.fault(rego.placeOf(field), `${quoted} must set ${field} when package is omitted`);
    return '';
  };
  return { path, package: name ?? '', allow: query('allow'), findings: query('findings') };
}
