import { onOneLine } from '../../kernel/text/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { expandOperation } from '../act/index.ts';
import { provenanceOf, type FileParty, type Provenance } from '../decide/index.ts';
import type { Operation } from '../model/index.ts';
import { noProvenancePath } from './errors.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

export interface ProvenanceInput extends ProjectInput {
  /** Relative to the root unless absolute. */
  readonly paths: readonly string[];
}

/** `bach provenance`: which targets make a file and which read it, as the Bachfile declares it. */
export async function provenanceVerb(input: ProvenanceInput, context: VerbContext): Promise<VerbResult> {
  if (input.paths.length === 0) throw noProvenancePath({});
  const { project, place } = await loadProject(input, context, projectWorld(context));
  const records = provenanceOf(project, input.paths, place.root);
  const text = records.map((record) => linesOf(record).join('\n')).join('\n\n');
  return { exit: 0, json: { paths: records.map(documentOf) }, text };
}

function linesOf(record: Provenance): readonly string[] {
  const { path, producers, consumers } = record;
  const undeclared = producers.length + consumers.length === 0;
  return [
    path,
    `generated: ${isGenerated(record)}`,
    `source: ${isSource(record)}`,
    ...partyLines('generated_by', producers, (party) => [`    regenerate: ${regenerateCommand(party)}`]),
    ...partyLines('consumed_by', consumers, () => []),
    'status: unknown',
    ...(undeclared ? ['note: no declared producers or consumers'] : []),
  ];
}

function partyLines(label: string, parties: readonly FileParty[], more: (party: FileParty) => readonly string[]): readonly string[] {
  if (parties.length === 0) return [`${label}: []`];
  const lines = parties.flatMap((party) => [`  - ${party.target.name}`, ...operationLines(party), ...more(party)]);
  return [`${label}:`, ...lines];
}

/** A group or an aggregate runs nothing of its own. */
function operationLines({ target }: FileParty): readonly string[] {
  const text = operationText(target.operation);
  return text === '' ? [] : [`    operation: ${onOneLine(text)}`];
}

function documentOf(record: Provenance): object {
  const { path, producers, consumers } = record;
  return {
    path,
    generated: isGenerated(record),
    source: isSource(record),
    producers: producers.map(partyDocument),
    consumers: consumers.map(partyDocument),
    status: 'unknown',
    reasons: [],
  };
}

function partyDocument(party: FileParty): object {
  const { target, outputs, inputs } = party;
  return { target: target.name, operation: operationText(target.operation), regenerate_command: regenerateCommand(party), outputs, inputs };
}

function isGenerated({ producers }: Provenance): boolean {
  return producers.length > 0;
}

function isSource({ producers, consumers }: Provenance): boolean {
  return consumers.length > 0 && producers.length === 0;
}

function regenerateCommand({ target }: FileParty): string {
  return `bach run ${target.name}`;
}

/** Without any environment: what it would hold on another day or machine is no part of where a file comes from. */
function operationText(operation: Operation | undefined): string {
  return operation === undefined ? '' : expandOperation(operation, {}, '$(RUN_DIRECTORY)').text;
}
