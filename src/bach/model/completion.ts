import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { blocksOf, checkBody, checkLabels } from './block-reader.ts';
import type { Block } from './hcl/index.ts';
import { climbsOut } from './input-paths.ts';
import type { CompletionCheck } from './project.ts';
import { COMPLETION_SCHEMA } from './schema.ts';

/** Reads the `success_when` or `fail_when` blocks of a target, in their order. */
export function completionChecks(
  target: AttributeReader,
  type: 'success_when' | 'fail_when',
  scope: AttributeScope,
): readonly CompletionCheck[] {
  const checks = blocksOf(target.block.body, type).map((block) => checkOf(block, target, scope));
  return checks.filter((check) => check !== undefined);
}

function checkOf(block: Block, target: AttributeReader, scope: AttributeScope): CompletionCheck | undefined {
  checkBody(block.body, COMPLETION_SCHEMA, scope.findings);
  checkLabels(block, COMPLETION_SCHEMA, scope.findings);
  const reader = new AttributeReader(block, `${target.subject} ${block.type}`, scope);
  const [name, second] = COMPLETION_SCHEMA.attributes.filter((each) => isSet(reader, each));
  if (name === undefined || second !== undefined) {
    reader.fault(block.header, 'must set exactly one of output_contains, file_exists, or command');
    return undefined;
  }
  if (name === 'command') return commandCheck(reader);
  const text = reader.text(name);
  if (text === '') return undefined;
  if (name === 'output_contains') return { kind: name, text };
  if (!climbsOut(text)) return { kind: 'file_exists', path: text };
  reader.fault(reader.placeOf(name), `file_exists ${JSON.stringify(text)} must stay under the project root`);
  return undefined;
}

/** An empty text or list is as good as none; what else is wrong with it is told when it is read. */
function isSet(reader: AttributeReader, name: string): boolean {
  const expression = reader.given(name)?.expression;
  if (expression === undefined) return false;
  if (expression.kind === 'template') return expression.parts.length > 0;
  return expression.kind !== 'tuple' || expression.items.length > 0;
}

function commandCheck(reader: AttributeReader): CompletionCheck | undefined {
  const argv = reader.argv('command');
  return argv && { kind: 'command', argv };
}
