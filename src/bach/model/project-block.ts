import { containedPath } from '../../kernel/paths/index.ts';
import { attributeOf, blocksOf, checkBody, checkLabels } from './block-reader.ts';
import { stringOf, stringsOf, valueOf, type Reading } from './expressions.ts';
import type { Findings } from './findings.ts';
import { entriesOf, type Attribute, type Block, type Body, type Scope } from './hcl/index.ts';
import { readReference, type Reference } from './references.ts';
import { BACKEND_SCHEMA, PROJECT_SCHEMA } from './schema.ts';

const DEFAULT_STATE_PATH = '.bach/state.db';
const BACKEND_COMMAND = ['bach', 'backend', 'sqlite'];
const NOTHING_VISIBLE: Scope = { variables: new Map(), functions: new Map() };

export interface ProjectBlock {
  readonly name: string;
  readonly root: string | undefined;
  readonly defaultTarget: Reference | undefined;
  readonly statePath: string;
}

/** Reads the one `project` block of the file; its absence and a second one are findings. */
export function decodeProject(body: Body, general: Scope, findings: Findings): ProjectBlock | undefined {
  const [block, second] = blocksOf(body, 'project');
  if (block === undefined) {
    findings.error({ start: 0, end: 0 }, `${findings.file}: missing project block`);
    return undefined;
  }
  if (second !== undefined) findings.error(second.header, 'duplicate project block');
  checkBody(block.body, PROJECT_SCHEMA, findings);
  checkLabels(block, PROJECT_SCHEMA, findings);
  refuseState(block.body, findings);
  const target = attributeOf(block.body, 'default');
  return {
    name: block.labels[0]?.value ?? '',
    root: rootOf(block.body, findings),
    defaultTarget: target && defaultTargetOf(target, findings),
    statePath: statePathOf(block.body, general, findings),
  };
}

/** The reference shows the obsolete form without the name of the attribute, and nothing else. */
function defaultTargetOf({ expression }: Attribute, findings: Findings): Reference | undefined {
  if (expression.kind === 'null') return undefined;
  const found = readReference(expression);
  if ('name' in found) return { name: found.name, span: expression };
  findings.error(expression, found.obsolete ? found.message : `project default: ${found.message}`);
  return undefined;
}

function rootOf(body: Body, findings: Findings): string | undefined {
  const attribute = attributeOf(body, 'root');
  if (attribute === undefined) return undefined;
  const value = valueOf(attribute.expression, { subject: 'project root', scope: NOTHING_VISIBLE, findings });
  if (value === undefined) return undefined;
  if (value.kind === 'string' && !value.text.includes('\0')) return value.text === '' ? undefined : value.text;
  findings.error(attribute.expression, 'project root: must be a string');
  return undefined;
}

function refuseState(body: Body, findings: Findings): void {
  const state = attributeOf(body, 'state');
  if (state === undefined) return;
  const advice = 'omit it to use the default backend or configure project backend';
  findings.error(state.nameSpan, `project state is no longer supported; ${advice}`);
}

function statePathOf(body: Body, general: Scope, findings: Findings): string {
  const [backend, second] = blocksOf(body, 'backend');
  if (second !== undefined) findings.error(second.header, 'project backend: only one backend block is allowed');
  if (backend === undefined) return DEFAULT_STATE_PATH;
  checkBody(backend.body, BACKEND_SCHEMA, findings);
  checkLabels(backend, BACKEND_SCHEMA, findings);
  const reading: Reading = { subject: 'project backend', scope: general, findings };
  checkBackendType(backend, reading);
  checkBackendCommand(backend, reading);
  return configuredPath(backend, reading);
}

function checkBackendType(backend: Block, reading: Reading): void {
  const attribute = attributeOf(backend.body, 'type');
  const type = attribute && stringOf(attribute.expression, reading);
  if (attribute === undefined || type === undefined || type === 'stdio') return;
  const message = `project backend: unsupported type ${JSON.stringify(type)} (only stdio is supported)`;
  reading.findings.error(attribute.expression, message);
}

function checkBackendCommand(backend: Block, reading: Reading): void {
  const attribute = attributeOf(backend.body, 'command');
  const command = attribute && stringsOf(attribute.expression, reading);
  if (attribute === undefined || command === undefined) return;
  if (JSON.stringify(command) === JSON.stringify(BACKEND_COMMAND)) return;
  const met = `[${command.map((word) => JSON.stringify(word)).join(', ')}]`;
  const only = '(only ["bach", "backend", "sqlite"] is supported)';
  reading.findings.error(attribute.expression, `project backend: unsupported command ${met} ${only}`);
}

/** Judged by its text; links are looked at before the database is opened. */
function staysInside(path: string): boolean {
  return path !== '' && !path.startsWith('/') && containedPath('/root', path).inside;
}

function configuredPath(backend: Block, reading: Reading): string {
  const attribute = attributeOf(backend.body, 'config');
  const config = attribute && valueOf(attribute.expression, reading);
  if (attribute === undefined || config === undefined) return DEFAULT_STATE_PATH;
  const entries = entriesOf(config);
  const path = entries?.get('path');
  if (entries !== undefined && path === undefined) return DEFAULT_STATE_PATH;
  if (path?.kind !== 'string') {
    reading.findings.error(attribute.expression, 'project backend: config must be an object with a path that is a string');
    return DEFAULT_STATE_PATH;
  }
  if (staysInside(path.text)) return path.text;
  reading.findings.error(attribute.expression, 'project backend: backend config.path must stay under the project root');
  return DEFAULT_STATE_PATH;
}
