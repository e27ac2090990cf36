import type { AttributeScope } from '../attribute-reader.ts';
import type { Body } from '../hcl/index.ts';
import type { Provider } from '../later.ts';
import { uniqueBlocks, type NamedBlock } from './named-blocks.ts';
import { PROVIDER_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';

export function decodeProviders(body: Body, scope: AttributeScope): readonly Provider[] {
  const blocks = uniqueBlocks(body, 'provider', { schema: PROVIDER_SCHEMA, findings: scope.findings });
  return blocks.map((named) => decodeProvider(named, scope));
}

function decodeProvider({ name, block }: NamedBlock, scope: AttributeScope): Provider {
  const section = new Section(block, scope, { subject: `provider ${JSON.stringify(name)}` });
  const type = typeOf(section);
  const command = section.listOf('command');
  if (type === 'opencode' && section.given('command') !== undefined) {
    section.attributeFault('command', 'is not supported for opencode providers');
  }
  if (type === 'agent') checkCommand(section, command);
  return { name, type: type ?? 'agent', command: command ?? [] };
}

function typeOf(section: Section): Provider['type'] | undefined {
  const fault = 'must be "agent" or "opencode"';
  if (section.given('type') === undefined) section.attributeFault('type', fault);
  return section.choice('type', ['agent', 'opencode'], fault);
}

/** One that could not be read was told already. */
function checkCommand(section: Section, command: readonly string[] | undefined): void {
  if (section.isFaulty('command', command)) return;
  const [program] = command ?? [];
  if (program === undefined) section.attributeFault('command', 'must not be empty');
  if (program === '') section.attributeFault('command', 'must not start with an empty string');
}
