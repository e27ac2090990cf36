import { attributeOf, blocksOf } from './block-reader.ts';
import { Findings } from './findings.ts';
import { objectValue, stringValue, UNKNOWN, type Block, type Body, type Expression, type Scope, type Value } from './hcl/index.ts';
import { imageTag } from './image.ts';
import { namedOutputsOf } from './outputs.ts';
import { resolveAll, type Definition } from './resolve.ts';
import { Sources } from './sources.ts';

/** Blocks whose reference is a text with a slash: `resource.deps` is `resource/deps`. */
const NAMED = ['resource', 'prompt', 'policy', 'provider', 'agent_template'];
const WITH_OUTPUTS = ['shell', 'agent'];
const COMPOSITES = ['pipeline', 'group'];

/** What agent templates leave open stays as it is written, whether its `$` is doubled or not. */
const PLACEHOLDERS: readonly (readonly [string, readonly string[]])[] = [
  ['work_item', ['id', 'slug']],
  ['plan', ['id']],
  ['workstream', ['id']],
  ['factory', ['name']],
  ['workflow', ['name']],
];

/** The scope of general attributes: what `seen` has, and an object for each kind of block that can be referred to. */
export function generalScope(body: Body, seen: Scope, findings: Findings): Scope {
  const objects = new Map<string, Value>([
    ...PLACEHOLDERS.map(([root, names]) => [root, placeholders(root, names)] as const),
    ['input', inputs(body)],
    ['plugin', plugins(body)],
    ...NAMED.map((type) => [type, eachOf(body, type, (name) => stringValue(`${type}/${name}`))] as const),
    ...COMPOSITES.map((type) => [type, eachOf(body, type, (name) => stringValue(`${type}.${name}`))] as const),
    ...WITH_OUTPUTS.map((type) => [type, eachOf(body, type, (_, block) => outputs(block))] as const),
  ]);
  const scope: Scope = { variables: objects, functions: new Map(), parent: seen };
  objects.set('image', images(body, scope, findings));
  return scope;
}

function placeholders(root: string, names: readonly string[]): Value {
  return objectValue(names.map((name) => [name, stringValue(`\${${root}.${name}}`)] as const));
}

function eachOf(body: Body, type: string, valueOf: (name: string, block: Block) => Value): Value {
  return objectValue(blocksOf(body, type).map((block) => [nameOf(block), valueOf(nameOf(block), block)] as const));
}

function inputs(body: Body): Value {
  const kinds = new Map<string, [string, Value][]>();
  for (const { labels } of blocksOf(body, 'input')) {
    const [kind, name] = labels;
    if (kind === undefined || name === undefined) continue;
    const named = kinds.get(kind.value) ?? [];
    named.push([name.value, stringValue(`${kind.value}/${name.value}`)]);
    kinds.set(kind.value, named);
  }
  return objectValue([...kinds].map(([kind, named]) => [kind, objectValue(named)] as const));
}

function plugins(body: Body): Value {
  return eachOf(body, 'plugin', (name, block) => {
    const keys = literalKeys(attributeOf(block.body, 'sources')?.expression);
    return objectValue(keys.map((key) => [key, stringValue(`plugin/${name}/${key}`)] as const));
  });
}

/** The keys of an object that is written out, without evaluating it. */
function literalKeys(expression: Expression | undefined): readonly string[] {
  if (expression?.kind !== 'object') return [];
  return expression.items.flatMap(({ key, literalKey }) => {
    if (literalKey && key.kind === 'variable') return [key.name];
    if (key.kind !== 'template') return [];
    return key.parts.every((part) => part.kind === 'text') ? [key.parts.map((part) => part.value).join('')] : [];
  });
}

function outputs(block: Block): Value {
  const named = namedOutputsOf(attributeOf(block.body, 'outputs'));
  return objectValue([['outputs', objectValue(named.map(({ name, path }) => [name, stringValue(path)] as const))]]);
}

/** Tags may be made of the tags of other images, so they come in an order in which each is known before it is used. */
function images(body: Body, general: Scope, findings: Findings): Value {
  const blocks = new Map(blocksOf(body, 'image').map((block) => [nameOf(block), block]));
  const tags = new Map<string, Value>();
  const scope: Scope = { variables: new Map([['image', { kind: 'object', entries: tags }]]), functions: new Map(), parent: general };
  resolveAll([...blocks].map(([name, block]) => definitionOf(name, block)), {
    dependency: ([root, name]) => (root === 'image' ? name : undefined),
    circular: ({ name, span }) => findings.error(span, `target ${JSON.stringify(`image/${name}`)} tag could not be resolved`),
    unresolved: (name) => tags.set(name, objectValue([['tag', UNKNOWN]])),
    evaluate: ({ name }) => {
      const tag = tagOf(blocks.get(name), scope);
      if (tag !== undefined) tags.set(name, objectValue([['tag', stringValue(tag)]]));
      return tag;
    },
  });
  return objectValue(tags);
}

/** What the tag is made of, as one expression. */
function definitionOf(name: string, block: Block): Definition {
  const found = ['image', 'tags'].map((attribute) => attributeOf(block.body, attribute)?.expression);
  const { start, end } = block.header;
  return { name, span: block.header, expression: { kind: 'tuple', items: found.filter((each) => each !== undefined), start, end } };
}

/** Nothing after a fault, which is told when the block itself is read. */
function tagOf(block: Block | undefined, scope: Scope): string | undefined {
  const unheard = new Findings(new Sources());
  const tag = block && imageTag(block, { general: scope, findings: unheard });
  return unheard.hasErrors ? undefined : tag;
}

function nameOf(block: Block): string {
  return block.labels[0]?.value ?? '';
}
