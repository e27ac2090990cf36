import { containedPath } from '../../kernel/paths/index.ts';
import { didYouMean } from '../../kernel/text/index.ts';
import { AttributeReader } from './attribute-reader.ts';
import { attributeOf, blocksOf, checkBody, checkLabels } from './block-reader.ts';
import { valueOf } from './expressions.ts';
import type { Findings } from './findings.ts';
import { entriesOf, evaluate, toPlain, type Attribute, type Body, type Plain, type Scope, type Value } from './hcl/index.ts';
import { LITERALS_ONLY } from './literals.ts';
import type { Backend } from './project.ts';
import { BACKEND_SCHEMA, PROJECT_SCHEMA } from './schema.ts';

const DEFAULT_STATE_PATH = '.bach/state.db';
const BUNDLED = ['bach', 'backend', 'sqlite'] as const;
const DEFAULT_BACKEND: Backend = { command: BUNDLED, external: false, statePath: DEFAULT_STATE_PATH, config: {} };
/** What the configuration of the bundled backend has. */
const BUNDLED_CONFIG = ['path'];

export interface ProjectBlock {
  readonly name: string;
  readonly defaultTarget: Attribute | undefined;
  readonly backend: Backend;
}

/** Reads the one `project` block; its absence and a second one are findings. `general` is what its backend may see. */
export function decodeProject(body: Body, general: Scope, findings: Findings): ProjectBlock {
  const [block, second] = blocksOf(body, 'project');
  if (block === undefined) {
    findings.error({ start: 0, end: 0 }, `${findings.fileAt(0)}: missing project block`);
    return { name: '', defaultTarget: undefined, backend: DEFAULT_BACKEND };
  }
  if (second !== undefined) findings.error(second.header, 'duplicate project block');
  checkBody(block.body, PROJECT_SCHEMA, findings);
  checkLabels(block, PROJECT_SCHEMA, findings);
  refuseState(block.body, findings);
  return {
    name: block.labels[0]?.value ?? '',
    defaultTarget: attributeOf(block.body, 'default'),
    backend: backendOf(block.body, general, findings),
  };
}

/** `project.root`, which is read before anything has a value. */
export function projectRootOf(body: Body, findings: Findings): string | undefined {
  const [block] = blocksOf(body, 'project');
  const attribute = block && attributeOf(block.body, 'root');
  if (attribute === undefined) return undefined;
  const value = valueOf(attribute.expression, { subject: 'project root', scope: LITERALS_ONLY, findings });
  if (value === undefined) return undefined;
  if (value.kind === 'string' && !value.text.includes('\0')) return value.text === '' ? undefined : value.text;
  findings.error(attribute.expression, 'project root: must be a string');
  return undefined;
}

/** Where the state stands, as far as the file says it without any value: asked for before anything has one. */
export function writtenStatePath(body: Body): string {
  const [block] = blocksOf(body, 'project').flatMap((project) => blocksOf(project.body, 'backend'));
  const plainOf = (name: string): Value | undefined => {
    const attribute = block && attributeOf(block.body, name);
    return attribute && evaluate(attribute.expression, LITERALS_ONLY).value;
  };
  const external = plainOf('external');
  if (external?.kind === 'bool' && external.truth) return DEFAULT_STATE_PATH;
  const path = entriesOf(plainOf('config') ?? { kind: 'unknown' })?.get('path');
  return path?.kind === 'string' && staysInside(path.text) ? path.text : DEFAULT_STATE_PATH;
}

function refuseState(body: Body, findings: Findings): void {
  const state = attributeOf(body, 'state');
  if (state === undefined) return;
  const advice = 'omit it to use the default backend or configure project backend';
  findings.error(state.nameSpan, `project state is no longer supported; ${advice}`);
}

function backendOf(body: Body, general: Scope, findings: Findings): Backend {
  const [block, second] = blocksOf(body, 'backend');
  if (second !== undefined) findings.error(second.header, 'project backend: only one backend block is allowed');
  if (block === undefined) return DEFAULT_BACKEND;
  checkBody(block.body, BACKEND_SCHEMA, findings);
  checkLabels(block, BACKEND_SCHEMA, findings);
  const reader = new AttributeReader(block, 'project backend:', { general, findings });
  checkType(reader);
  const external = reader.flag('external');
  const command = commandOf(reader, external);
  return { command, external, ...configOf(reader, external) };
}

function checkType(reader: AttributeReader): void {
  const type = reader.text('type');
  if (type === '' || type === 'stdio') return;
  reader.fault(reader.placeOf('type'), `unsupported type ${JSON.stringify(type)} (only stdio is supported)`);
}

/** Another program serves the state only where the user says so in a second place. */
function commandOf(reader: AttributeReader, external: boolean): Backend['command'] {
  const given = reader.given('command');
  if (given === undefined) return BUNDLED;
  if (external) return reader.argv('command') ?? BUNDLED;
  const command = reader.words('command');
  if (command.length === 0 && given.expression.kind !== 'tuple') return BUNDLED;
  if (JSON.stringify(command) === JSON.stringify(BUNDLED)) return BUNDLED;
  const met = `[${command.map((word) => JSON.stringify(word)).join(', ')}]`;
  const only = '(only ["bach", "backend", "sqlite"] is supported)';
  reader.fault(given.expression, `unsupported command ${met} ${only}`);
  return BUNDLED;
}

type Config = Pick<Backend, 'statePath' | 'config'>;

/** The configuration of another program is its own; where its state is nobody here can know. */
function configOf(reader: AttributeReader, external: boolean): Config {
  const attribute = reader.given('config');
  const value = attribute && valueOf(attribute.expression, reader.reading('config'));
  if (attribute === undefined || value === undefined) return { statePath: DEFAULT_STATE_PATH, config: {} };
  const entries = entriesOf(value);
  if (entries === undefined) reader.fault(attribute.expression, 'config must be an object with a path that is a string');
  const config: Record<string, Plain> = Object.create(null);
  for (const [name, each] of entries ?? []) config[name] = toPlain(each);
  return { statePath: external ? DEFAULT_STATE_PATH : bundledPath(entries ?? new Map(), attribute, reader), config };
}

function bundledPath(entries: ReadonlyMap<string, Value>, { expression }: Attribute, reader: AttributeReader): string {
  const unknown = [...entries.keys()].find((name) => !BUNDLED_CONFIG.includes(name));
  if (unknown !== undefined) {
    reader.fault(expression, `config has no ${JSON.stringify(unknown)}${didYouMean(unknown, BUNDLED_CONFIG)}`);
  }
  const path = entries.get('path');
  if (path === undefined || path.kind === 'null') return DEFAULT_STATE_PATH;
  if (path.kind !== 'string') {
    reader.fault(expression, 'config must be an object with a path that is a string');
    return DEFAULT_STATE_PATH;
  }
  if (staysInside(path.text)) return path.text;
  reader.fault(expression, 'backend config.path must stay under the project root');
  return DEFAULT_STATE_PATH;
}

/** Judged by its text; links are looked at before the database is opened. */
function staysInside(path: string): boolean {
  const contained = containedPath('/project', path);
  return !path.startsWith('/') && contained.inside && contained.relative !== '.';
}
