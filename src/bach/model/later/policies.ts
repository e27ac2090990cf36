import type { AttributeScope } from '../attribute-reader.ts';
import type { Block, Body } from '../hcl/index.ts';
import type { Policy } from '../later.ts';
import { referenceOf } from '../references.ts';
import { gatesOf } from './gates.ts';
import { namedBlocks, tellDuplicate, type NamedBlock } from './named-blocks.ts';
import { judged, type LaterReference } from './reference.ts';
import { POLICY_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';

export interface DecodedPolicy {
  readonly key: string;
  readonly policy: Policy;
  readonly references: readonly LaterReference[];
}

interface Form {
  readonly isAttached: boolean;
  readonly block: Block;
}

/** One name may have several policies with a subject each, or one without: then agents attach it. */
export function decodePolicies(body: Body, scope: AttributeScope): readonly DecodedPolicy[] {
  const decoded = new Map<string, DecodedPolicy>();
  const blocks = new Map<string, Block>();
  const forms = new Map<string, Form>();
  for (const named of namedBlocks(body, 'policy', { schema: POLICY_SCHEMA, findings: scope.findings })) {
    const found = decodePolicy(named, scope);
    const isAttached = found.policy.subject === '';
    const other = forms.get(named.name);
    const first = blocks.get(found.key) ?? (other?.isAttached === isAttached ? undefined : other?.block);
    if (first === undefined) decoded.set(found.key, found);
    else tellDuplicate(named, first, scope.findings);
    blocks.set(found.key, first ?? named.block);
    forms.set(named.name, { isAttached, block: named.block });
  }
  return [...decoded.values()];
}

function decodePolicy({ name, block }: NamedBlock, scope: AttributeScope): DecodedPolicy {
  const section = new Section(block, scope, { subject: `policy ${JSON.stringify(name)}` });
  const reviewers = section.targets('reviewers');
  const requiredTargets = section.targets('required_targets');
  const policy: Policy = {
    name,
    subject: subjectOf(section),
    subjectWorkspace: section.text('subject_workspace'),
    subjectCommit: section.text('subject_commit'),
    reviewers: reviewers.map((reference) => reference.name),
    requiredTargets: requiredTargets.map((reference) => reference.name),
    gates: gatesOf(section, 'quality_gate:'),
    range: scope.findings.rangeOf(block.header),
  };
  checkForm(section, policy);
  const references = [
    ...judged(section.subject, 'reviewer', reviewers),
    ...judged(section.subject, 'required-target', requiredTargets),
  ];
  return { key: policy.subject === '' ? name : `${name}@${policy.subject}`, policy, references };
}

/** In the form `type.name`; the subject need not be a target of this file, as its workspace says where it is. */
function subjectOf(section: Section): string {
  const attribute = section.given('subject');
  const reference = attribute && referenceOf(attribute.expression, `${section.subject} subject`, section.scope.findings);
  return reference === undefined ? '' : reference.name.replace('/', '.');
}

function checkForm(section: Section, { subject, requiredTargets }: Policy): void {
  if (section.given('subject') === undefined) {
    for (const name of ['subject_workspace', 'subject_commit']) {
      if (section.given(name) !== undefined) section.attributeFault(name, 'is supported only with subject');
    }
    return;
  }
  // Entries that are there but faulty were told one by one.
  const written = section.given('required_targets')?.expression;
  const isEmpty = written === undefined || (written.kind === 'tuple' && written.items.length === 0);
  if (subject !== '' && requiredTargets.length === 0 && isEmpty) section.attributeFault('required_targets', 'must not be empty');
}
