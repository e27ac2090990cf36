import { onOneLine } from '../../kernel/text/index.ts';
import { climbsOut, parseReference, type GraphAdditions, type TargetAdditions } from '../model/index.ts';

/** What a graph plugin printed, or what is wrong with it, as a sentence that begins with the plugin. */
export type PluginDocument = { readonly additions: GraphAdditions } | { readonly fault: string };

/** Carries what is wrong to the one place where the plugin's name is put before it. */
class Refusal {
  readonly fault: string;

  constructor(fault: string) {
    this.fault = fault;
  }
}

/**
 * Reads what a graph plugin printed: nothing, or `{ inputs: { name: [paths] }, targets: { "type.name": { depends_on,
 * inputs } } }`. Fields that are not known are left alone; those that are must have their form.
 */
export function readPluginDocument(plugin: string, printed: string): PluginDocument {
  try {
    return { additions: additionsIn(plugin, printed) };
  } catch (error) {
    if (error instanceof Refusal) return { fault: `plugin ${JSON.stringify(plugin)} ${error.fault}` };
    throw error;
  }
}

function additionsIn(plugin: string, printed: string): GraphAdditions {
  const document = printed.trim() === '' ? {} : objectAt('the document', parsed(printed));
  const inputs = Object.entries(objectAt('inputs', document['inputs']));
  const targets = Object.entries(objectAt('targets', document['targets']));
  return {
    plugin,
    inputs: new Map(inputs.map(([name, paths]) => [`plugin/${plugin}/${name}`, pathsAt(`inputs ${JSON.stringify(name)}`, paths)])),
    targets: new Map(targets.map(([name, value]) => [targetName(name), targetAdditions(name, value)])),
  };
}

function parsed(printed: string): unknown {
  try {
    return JSON.parse(printed) as unknown;
  } catch (error) {
    // It quotes what was printed, line ends and all.
    throw new Refusal(`emitted invalid JSON: ${onOneLine(error instanceof Error ? error.message : String(error))}`);
  }
}

function targetName(text: string): string {
  const reference = parseReference(text);
  if ('name' in reference) return reference.name;
  throw new Refusal(`target ${JSON.stringify(text)}: ${reference.message}`);
}

function targetAdditions(name: string, value: unknown): TargetAdditions {
  const where = `target ${JSON.stringify(name)}`;
  const fields = objectAt(where, value);
  const dependsOn = stringsAt(`${where} depends_on`, fields['depends_on']).map((text) => {
    const reference = parseReference(text);
    if ('name' in reference) return reference.name;
    throw new Refusal(`${where} depends_on: ${reference.message}`);
  });
  return { dependsOn, inputs: pathsAt(`${where} inputs`, fields['inputs']) };
}

function pathsAt(where: string, value: unknown): readonly string[] {
  const paths = stringsAt(where, value);
  const outside = paths.find(climbsOut);
  if (outside !== undefined) throw new Refusal(`${where}: ${JSON.stringify(outside)} must stay under the project root`);
  return paths;
}

/** A field that is missing, or null, is an empty one. */
function objectAt(where: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw new Refusal(`emitted invalid JSON: ${where} must be an object`);
}

function stringsAt(where: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const isFit = (item: unknown): item is string => typeof item === 'string' && item !== '' && !item.includes('\0');
  if (Array.isArray(value) && value.every(isFit)) return value;
  throw new Refusal(`emitted invalid JSON: ${where} must be a list of strings that are not empty`);
}
