import { expect } from 'vitest';
import { attributeOf, blocksOf } from '../../../../src/bach/model/block-reader.ts';
import { Findings } from '../../../../src/bach/model/findings.ts';
import { evaluate, objectValue, parseHcl, stringValue, type Block, type Body, type Scope, type Value } from '../../../../src/bach/model/hcl/index.ts';
import {
  checkLaterReferences,
  decodeAgentSettings,
  decodeLaterBlocks,
  type LaterBlocks,
} from '../../../../src/bach/model/later/index.ts';
import type { AgentSettings } from '../../../../src/bach/model/later.ts';
import type { Target, TargetKind } from '../../../../src/bach/model/project.ts';
import { Sources } from '../../../../src/bach/model/sources.ts';
import { formatDiagnostic, type Diagnostic } from '../../../../src/kernel/text/index.ts';

const KINDS: readonly TargetKind[] = ['shell', 'image', 'group', 'pipeline', 'agent'];
const PLACEHOLDERS = ['work_item.id', 'work_item.slug', 'plan.id', 'workstream.id', 'factory.name', 'workflow.name'];
const LITERALS_ONLY: Scope = { variables: new Map(), functions: new Map() };

export interface LaterFile {
  readonly later: LaterBlocks;
  readonly targets: ReadonlyMap<string, Target>;
  readonly diagnostics: readonly Diagnostic[];
}

/** A file in which only the blocks of this room are read; its targets are names with the settings of agents. */
export function readLater(text: string): LaterFile {
  const { body, diagnostics } = parseHcl(text);
  expect(diagnostics).toEqual([]);
  const sources = new Sources();
  sources.append('Bachfile', text);
  const findings = new Findings(sources);
  const general = generalScope(body);
  const later = decodeLaterBlocks(body, { general, findings });
  const agentBlocks = new Map(blocksOf(body, 'agent').map((block) => [`agent/${nameOf(block)}`, block]));
  const targets = new Map<string, Target>();
  for (const kind of KINDS) {
    for (const block of blocksOf(body, kind)) {
      const name = `${kind}/${nameOf(block)}`;
      const scope = { general, findings, templates: later.agentTemplates };
      const agent = kind === 'agent' ? decodeAgentSettings(block, { name }, scope) : undefined;
      targets.set(name, { name, kind, agent } as Target);
    }
  }
  const plugins = new Map(blocksOf(body, 'plugin').map((block) => [nameOf(block), { type: pluginType(block) }]));
  checkLaterReferences(
    { targets, agentBlocks, later, plugins, prompts: namesOf(body, 'prompt'), aliases: namesOf(body, 'alias') },
    findings,
  );
  return { later, targets, diagnostics: findings.diagnostics };
}

/** What a file without faults says. */
export function sound(text: string): LaterFile {
  const file = readLater(text);
  expect(file.diagnostics.map(formatDiagnostic)).toEqual([]);
  return file;
}

/** What is said about a file, as `line:column: message`. */
export function faults(text: string): readonly string[] {
  return readLater(text).diagnostics.map((each) => formatDiagnostic(each).replace(/^Bachfile:/, ''));
}

/** The messages about a file. */
export function messages(text: string): readonly string[] {
  return readLater(text).diagnostics.map(({ message }) => message);
}

/** The texts that the messages point at. */
export function places(text: string): readonly string[] {
  return readLater(text).diagnostics.map(({ range }) => text.slice(range.start.byte, range.end.byte));
}

/** The settings of `agent "a"` in a sound file with a provider `p`. */
export function agentOf(body: string, before = ''): AgentSettings | undefined {
  return sound(`provider "p" {\n  type = "agent"\n  command = ["run"]\n}\n${before}\nagent "a" {\n${body}\n}\n`).targets.get('agent/a')?.agent;
}

/** What attributes may see, as the blocks around these give it. */
function generalScope(body: Body): Scope {
  const typed = ['provider', 'prompt', 'policy', 'agent_template'].map(
    (type) => [type, namesObject(body, type, (name) => stringValue(`${type}/${name}`))] as const,
  );
  const shell = blocksOf(body, 'shell').map((block) => [nameOf(block), objectValue([['outputs', outputsOf(block)]])] as const);
  return {
    variables: new Map([
      ...typed,
      ...placeholderObjects(),
      ['shell', objectValue(shell)] as const,
      ['var', objectValue([['word', stringValue('word')]])] as const,
    ]),
    functions: new Map(),
  };
}

function outputsOf(block: Block): Value {
  const attribute = attributeOf(block.body, 'outputs');
  return attribute === undefined ? objectValue([]) : evaluate(attribute.expression, LITERALS_ONLY).value;
}

function placeholderObjects(): readonly (readonly [string, Value])[] {
  const roots = new Set(PLACEHOLDERS.map((name) => name.split('.')[0] ?? ''));
  return [...roots].map((root) => {
    const names = PLACEHOLDERS.filter((name) => name.startsWith(`${root}.`));
    return [root, objectValue(names.map((name) => [name.slice(root.length + 1), stringValue(`\${${name}}`)] as const))] as const;
  });
}

function namesObject(body: Body, type: string, valueOf: (name: string) => Value): Value {
  return objectValue([...namesOf(body, type)].map((name) => [name, valueOf(name)] as const));
}

function namesOf(body: Body, type: string): ReadonlySet<string> {
  return new Set(blocksOf(body, type).map(nameOf));
}

function pluginType(block: Block): 'graph' | 'quality' {
  const attribute = attributeOf(block.body, 'type');
  const value = attribute && evaluate(attribute.expression, LITERALS_ONLY).value;
  return value?.kind === 'string' && value.text === 'quality' ? 'quality' : 'graph';
}

function nameOf(block: Block): string {
  return block.labels[0]?.value ?? '';
}
