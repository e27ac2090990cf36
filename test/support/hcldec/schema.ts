import type { Body, Block, Expression } from '../../../src/bach/model/hcl/ast.ts';
import {
  ANY,
  BOOL,
  evaluate,
  mapOf,
  NUMBER,
  objectOf,
  STRING,
  type Scope,
  type Type,
  type Value,
} from '../../../src/bach/model/hcl/values/index.ts';

/** What a body is decoded to: as much of hcldec as the conformance cases use. */
export type Schema =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Schema> }
  | { readonly kind: 'attr'; readonly name: string; readonly type: Type }
  | { readonly kind: 'block'; readonly type: string; readonly nested: Schema }
  | { readonly kind: 'block_map'; readonly type: string; readonly labels: readonly string[]; readonly nested: Schema };

export const NO_NAMES: Scope = { variables: new Map(), functions: new Map() };

/** Reads the one block of an `.hcldec` file. */
export function readSchema(body: Body): Schema {
  return schemaOf(onlyBlock(body));
}

function schemaOf(block: Block): Schema {
  const label = block.labels[0]?.value;
  switch (block.type) {
    case 'literal':
      return { kind: 'literal', value: constant(attribute(block.body, 'value')) };
    case 'object':
      return { kind: 'object', members: new Map(block.body.blocks.map((each) => [labelOf(each), schemaOf(each)])) };
    case 'attr':
      return { kind: 'attr', name: labelOf(block), type: readType(attribute(block.body, 'type')) };
    case 'block':
      return { kind: 'block', type: label ?? word(attribute(block.body, 'block_type')), nested: nestedOf(block) };
    case 'block_map':
      return { kind: 'block_map', type: labelOf(block), labels: words(attribute(block.body, 'labels')), nested: nestedOf(block) };
    default:
      throw new TypeError(`the runner does not know the hcldec block ${block.type}`);
  }
}

/** A type as hcldec and the expected results write it: `any`, `string`, `map(number)`, `object({a = bool})`. */
export function readType(expression: Expression): Type {
  if (expression.kind === 'variable') return namedType(expression.name);
  const argument = expression.kind === 'call' ? expression.arguments[0] : undefined;
  if (expression.kind !== 'call' || argument === undefined) throw new TypeError(`no type: ${expression.kind}`);
  if (expression.name === 'map') return mapOf(readType(argument));
  if (expression.name !== 'object' || argument.kind !== 'object') throw new TypeError(`no type: ${expression.name}`);
  return objectOf(argument.items.map(({ key, value }) => [key.kind === 'variable' ? key.name : word(key), readType(value)]));
}

function namedType(name: string): Type {
  const found = new Map([
    ['any', ANY],
    ['string', STRING],
    ['number', NUMBER],
    ['bool', BOOL],
  ]).get(name);
  if (found === undefined) throw new TypeError(`no type: ${name}`);
  return found;
}

/** The value of an expression that uses no names. */
export function constant(expression: Expression): Value {
  const { value, diagnostics } = evaluate(expression, NO_NAMES);
  if (diagnostics.length > 0) throw new TypeError(JSON.stringify(diagnostics));
  return value;
}

function nestedOf(block: Block): Schema {
  return schemaOf(onlyBlock(block.body));
}

function onlyBlock(body: Body): Block {
  const [block, ...more] = body.blocks;
  if (block === undefined || more.length > 0) throw new TypeError(`one block is expected, not ${body.blocks.length}`);
  return block;
}

function attribute(body: Body, name: string): Expression {
  const found = body.attributes.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`the attribute ${name} is missing`);
  return found.expression;
}

function labelOf(block: Block): string {
  const [label] = block.labels;
  if (label === undefined) throw new TypeError(`the hcldec block ${block.type} needs a label`);
  return label.value;
}

function word(expression: Expression): string {
  const value = constant(expression);
  if (value.kind !== 'string') throw new TypeError(`a string is expected, not ${value.kind}`);
  return value.text;
}

function words(expression: Expression): readonly string[] {
  if (expression.kind !== 'tuple') throw new TypeError(`a tuple is expected, not ${expression.kind}`);
  return expression.items.map(word);
}
