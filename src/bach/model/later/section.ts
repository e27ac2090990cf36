import { AttributeReader, type AttributeScope } from '../attribute-reader.ts';
import { stringOf, stringsOf, type Reading } from '../expressions.ts';
import { traversalOf, wordsOf, type Block, type Expression } from '../hcl/index.ts';
import { referencesOf, type Reference } from '../references.ts';
import type { BlockSchema } from '../schema.ts';
import { namedBlocks, type NamedBlock } from './named-blocks.ts';

/** What stands between a block and its attribute in messages: `plan.path`, `deploy "staging" target`. */
type Joint = ' ' | '.';

interface Naming {
  /** Begins each message about the block: `agent_template "planner"`. */
  readonly subject: string;
  readonly joint?: Joint;
}

/** What a number is as text; other texts are numbers to JavaScript too. */
const NUMBER = /^[-+]?[\d.]+(e[-+]?\d+)?$/i;

/** A block with the blocks inside it, and attributes that may be required or be names of other blocks. */
export class Section extends AttributeReader {
  readonly scope: AttributeScope;
  readonly #joint: Joint;

  constructor(block: Block, scope: AttributeScope, { subject, joint = ' ' }: Naming) {
    super(block, subject, scope);
    this.scope = scope;
    this.#joint = joint;
  }

  /** A block inside this one; its messages begin with ours and the word. */
  inner(block: Block, word: string, joint: Joint = ' '): Section {
    return new Section(block, this.scope, { subject: `${this.subject} ${word}`, joint });
  }

  /** A block inside this one whose messages do not name it. */
  within(block: Block): Section {
    return new Section(block, this.scope, { subject: this.subject, joint: this.#joint });
  }

  blocks(type: string, schema: BlockSchema): readonly NamedBlock[] {
    return namedBlocks(this.block.body, type, { schema, findings: this.scope.findings });
  }

  /** The one block of a type; a second one is told as one `thing` too many. */
  only(type: string, schema: BlockSchema, thing = `${type} block`): Block | undefined {
    const [first, second] = this.blocks(type, schema);
    if (second !== undefined) this.fault(second.block.header, `must have at most one ${thing}`);
    return first?.block;
  }

  /** As `text`, with nothing where it is not set or faulty. */
  textOf(name: string): string | undefined {
    const attribute = this.given(name);
    return attribute && stringOf(attribute.expression, this.reading(name));
  }

  /** As `words`, with nothing where they are not set or faulty. */
  listOf(name: string): readonly string[] | undefined {
    const attribute = this.given(name);
    return attribute && stringsOf(attribute.expression, this.reading(name));
  }

  /** Nothing where it is not set or faulty. */
  number(name: string): number | undefined {
    const text = this.textOf(name);
    if (text === undefined) return undefined;
    const number = NUMBER.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(number)) return number;
    this.attributeFault(name, Number.isNaN(number) ? 'must be a number' : 'is too large');
    return undefined;
  }

  /** As `text`, empty for nothing; one that is missing or empty is told, as `fault` where that is given. */
  required(name: string, fault?: string): string {
    const text = this.textOf(name);
    if (text !== undefined && text !== '') return text;
    if (this.isFaulty(name, text)) return '';
    if (fault === undefined) this.attributeFault(name, 'is required');
    else this.fault(this.placeOf(name), fault);
    return '';
  }

  /** That an attribute of which this was read is set and could not be read: its fault was told. */
  isFaulty(name: string, read: unknown): boolean {
    return read === undefined && this.given(name) !== undefined;
  }

  /** One of some words; another one is told as `fault`. */
  choice<Word extends string>(name: string, words: readonly Word[], fault: string): Word | undefined {
    const text = this.textOf(name);
    const word = words.find((each) => each === text);
    if (text !== undefined && word === undefined) this.attributeFault(name, fault);
    return word;
  }

  /** The name in `provider.name`, also as a string; `root` is its first word. */
  reference(name: string, root: string): Reference | undefined {
    const attribute = this.given(name);
    if (attribute === undefined) return undefined;
    const { expression } = attribute;
    const [first, second, ...more] = wordsIn(expression);
    if (first === root && second !== undefined && more.length === 0) return { name: second, span: expression };
    const text = first === root ? '' : stringOf(expression, this.reading(name));
    if (text === undefined) return undefined;
    const plain = text.startsWith(`${root}/`) || text.startsWith(`${root}.`) ? text.slice(root.length + 1) : text;
    if (plain !== '') return { name: plain, span: expression };
    this.attributeFault(name, `must be a reference such as ${root}.name`);
    return undefined;
  }

  /** A list of target references; faulty entries are told and left out, doubles too. */
  targets(name: string): readonly Reference[] {
    const attribute = this.given(name);
    if (attribute === undefined) return [];
    const { subject, findings } = this.reading(name);
    const found = referencesOf(attribute.expression, subject, findings);
    return found.filter(({ name: one }, index) => found.findIndex((other) => other.name === one) === index);
  }

  attributeFault(name: string, what: string): void {
    this.scope.findings.error(this.placeOf(name), `${this.reading(name).subject} ${what}`);
  }

  override reading(name: string): Reading {
    return { ...super.reading(name), subject: `${this.subject}${this.#joint}${name}` };
  }
}

function wordsIn(expression: Expression): readonly string[] {
  const traversal = traversalOf(expression);
  return traversal === undefined ? [] : wordsOf(traversal);
}
