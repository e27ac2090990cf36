import { didYouMean } from '../../../kernel/text/index.ts';
import { milliseconds } from '../durations.ts';
import { stringMapOf } from '../expressions.ts';
import type { Factory, ProviderTrigger } from '../later.ts';
import { checkIdentifier } from './identifier.ts';
import { MANUAL_SCHEMA, ROUTE_SCHEMA, TRIGGER_SCHEMA, TRIGGERS_SCHEMA } from './schemas.ts';
import type { Section } from './section.ts';

const DEFAULT_POLL_INTERVAL_MS = 1000 * 60 * 5;
/** A provider asked more often than this would be asked for nothing else. */
const SHORTEST_POLL_INTERVAL_MS = 1000;

type Triggers = Pick<Factory, 'manualTrigger' | 'providerTriggers'>;

/** The block `triggers` of a factory that has these workflows; without one nothing starts work. */
export function triggersOf(factory: Section, workflows: ReadonlySet<string>): Triggers {
  const block = factory.only('triggers', TRIGGERS_SCHEMA);
  if (block === undefined) return { manualTrigger: false, providerTriggers: [] };
  const triggers = factory.within(block);
  const manual = triggers.only('manual', MANUAL_SCHEMA, 'manual trigger');
  return { manualTrigger: manual !== undefined, providerTriggers: providerTriggers(triggers, workflows) };
}

function providerTriggers(triggers: Section, workflows: ReadonlySet<string>): readonly ProviderTrigger[] {
  const decoded = new Map<string, ProviderTrigger>();
  for (const { name, block } of triggers.blocks('provider', TRIGGER_SCHEMA)) {
    const title = `provider trigger ${JSON.stringify(name)}`;
    const found = providerTrigger(triggers.inner(block, title), name, workflows);
    if (decoded.has(name)) triggers.fault(block.header, `has duplicate ${title}`);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}

function providerTrigger(trigger: Section, name: string, workflows: ReadonlySet<string>): ProviderTrigger {
  checkIdentifier(trigger);
  return {
    name,
    command: commandOf(trigger),
    pollIntervalMs: pollInterval(trigger),
    config: configOf(trigger),
    routes: routesOf(trigger, workflows),
  };
}

function commandOf(trigger: Section): ProviderTrigger['command'] {
  const words = trigger.listOf('command');
  const [program = '', ...rest] = words ?? [];
  if (program === '' && !trigger.isFaulty('command', words)) trigger.attributeFault('command', 'is required');
  return [program, ...rest];
}

function pollInterval(trigger: Section): number {
  const text = trigger.text('poll_interval');
  if (text === '') return DEFAULT_POLL_INTERVAL_MS;
  const duration = milliseconds(text);
  if (duration !== undefined) return Math.max(duration, SHORTEST_POLL_INTERVAL_MS);
  trigger.attributeFault('poll_interval', `is not a valid duration: ${JSON.stringify(text)}; want one such as 30s, 5m or 1h`);
  return DEFAULT_POLL_INTERVAL_MS;
}

/** A number or a boolean is taken as its text. */
function configOf(trigger: Section): ProviderTrigger['config'] {
  const attribute = trigger.given('config');
  return (attribute && stringMapOf(attribute.expression, trigger.reading('config'))) ?? new Map();
}

function routesOf(trigger: Section, workflows: ReadonlySet<string>): ProviderTrigger['routes'] {
  const blocks = trigger.blocks('route', ROUTE_SCHEMA);
  if (blocks.length === 0 && workflows.size > 1) {
    trigger.fault(trigger.block.header, 'requires route rules because the factory has multiple workflows');
  }
  const labels = new Set<string>();
  return blocks.map(({ block }) => {
    const route = trigger.inner(block, 'route', '.');
    const label = route.required('label');
    const workflow = route.required('workflow');
    if (label !== '' && labels.has(label)) {
      trigger.fault(route.placeOf('label'), `has duplicate route label ${JSON.stringify(label)}`);
    }
    labels.add(label);
    if (workflow !== '' && !workflows.has(workflow)) tellUnknownWorkflow(route, workflow, workflows);
    return { label, workflow };
  });
}

function tellUnknownWorkflow(route: Section, workflow: string, workflows: ReadonlySet<string>): void {
  const hint = didYouMean(workflow, workflows);
  route.attributeFault('workflow', `${JSON.stringify(workflow)} is not a declared workflow${hint}`);
}
