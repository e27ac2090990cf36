import type { Diagnostic } from '../../kernel/text/index.ts';
import { blocksOf, checkBody } from './block-reader.ts';
import { environmentOf } from './environment.ts';
import { Findings } from './findings.ts';
import { FUNCTIONS } from './functions.ts';
import { decodeSource, parseHcl, SourceText, stringValue, type Block, type Body, type Span, type SpanDiagnostic, type Value } from './hcl/index.ts';
import { decodeProject } from './project-block.ts';
import type { EnvironmentEntry, Project } from './project.ts';
import { checkReferences } from './reference-checks.ts';
import { FILE_SCHEMA } from './schema.ts';
import { decodeTargets } from './target-blocks.ts';
import { resolveVariables } from './variables.ts';

export interface BachfileFacts {
  /** The path as the user gave it; it stands in every message. */
  readonly file: string;
  /** `--var name=value`, in the order given. */
  readonly overrides: readonly EnvironmentEntry[];
  /** The environment of the process. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Bachfile {
  /** Nothing when a diagnostic is an error. */
  readonly project: Project | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a Bachfile: text to a checked project, with every fault and its range.
 *
 * @example
 * const { project, diagnostics } = readBachfile(bytes, { file: 'Bachfile', overrides: [], environment: {} });
 */
export function readBachfile(bytes: Uint8Array, facts: BachfileFacts): Bachfile {
  const { text, diagnostics } = decodeSource(bytes);
  if (diagnostics.length === 0) return readText(text, facts);
  const findings = new Findings(facts.file, new SourceText(text));
  findings.syntax(diagnostics);
  return failed(findings);
}

function readText(text: string, facts: BachfileFacts): Bachfile {
  const { body, diagnostics: found, source } = parseHcl(text);
  const diagnostics = withoutImports(found, body);
  const findings = new Findings(facts.file, source);
  findings.syntax(diagnostics);
  if (diagnostics.some(({ severity }) => severity === 'error')) return failed(findings);
  const project = decodeBody(body, facts, findings);
  return findings.hasErrors ? failed(findings) : { project, diagnostics: findings.diagnostics };
}

function decodeBody(body: Body, facts: BachfileFacts, findings: Findings): Project | undefined {
  checkBody(body, FILE_SCHEMA, findings);
  const process = processValues(facts.environment);
  const variables = resolveVariables(body, { ...facts, outside: process }, findings);
  const outside = new Map([...process, ['var', variables] as const]);
  const environment = environmentOf(blocksOf(body, 'env'), { visible: outside, findings });
  const visible = new Map<string, Value>([...environment.values, ['var', variables]]);
  const block = decodeProject(body, { variables: visible, functions: FUNCTIONS }, findings);
  const decoded = decodeTargets(body, {
    visible,
    environment: { visible: new Map([...outside, ...environment.values]), findings },
    findings,
  });
  const targets = new Map(decoded.map(({ target }) => [target.name, target]));
  checkReferences(decoded, block?.defaultTarget, findings);
  if (block === undefined) return undefined;
  return { ...block, file: facts.file, defaultTarget: block.defaultTarget?.name, environment: environment.entries, targets };
}

/** `import "path"` is a block without a body to the parser; what it says of that is not what is wrong here. */
function withoutImports(diagnostics: readonly SpanDiagnostic[], body: Body): readonly SpanDiagnostic[] {
  const imports = blocksOf(body, 'import').filter((block) => block.body.start === block.body.end);
  const isAbout = (span: Span, block: Block) => span.start >= block.start && span.start <= block.end;
  return diagnostics.filter(({ span }) => !imports.some((block) => isAbout(span, block)));
}

function processValues(environment: BachfileFacts['environment']): ReadonlyMap<string, Value> {
  const pairs = Object.entries(environment).filter(([, value]) => value !== undefined);
  return new Map(pairs.map(([name, value]) => [name, stringValue(value ?? '')]));
}

function failed(findings: Findings): Bachfile {
  return { project: undefined, diagnostics: findings.diagnostics };
}
