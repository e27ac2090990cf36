import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseExpression, parseHcl } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { BROKEN } from '../../../../support/hcl/broken-texts.ts';
import { brokenFile, expressionText, fragments, OPERATORS, soundFile } from '../../../../support/hcl/generator.ts';
import { referenceShape } from '../../../../support/hcl/reference-shape.ts';
import { askReference, type Answers } from '../../../../support/hcl/reference.ts';
import { shapeOf } from '../../../../support/hcl/shape.ts';
import { EXPRESSIONS } from '../../../../support/hcl/sound-expressions.ts';
import { TEXTS } from '../../../../support/hcl/template-texts.ts';
import { numberSource, templateSource } from '../../../../support/hcl/text-generator.ts';
import { plainText } from '../../../../support/hcl/trees.ts';

const SEED = 20_260_412;

const sound = samples(soundFile, 250);
const broken = [...samples(brokenFile, 1400), ...samples(fragments, 800)].filter(isAffordable);
const expressions = [...samples(expressionText, 400), ...pairsOfOperators()];
const templates = samples(templateSource, 700);
const numbers = samples(numberSource, 300);

/** Rows of the tables that the other tests use. */
const rows = Object.entries(BROKEN).flatMap(([summary, list]) => list.map(([text, place]) => ({ text, place, summary })));
const shapes = EXPRESSIONS.map(([text]) => text);
const texts = TEXTS.map(([source]) => source);

let reference: Answers;

/** One process answers all, and its start is most of the time that this file takes. */
beforeAll(async () => {
  const values = [...templates, ...texts, ...numbers].map(asFile);
  const files = [...sound, ...broken, ...rows.map(({ text }) => text), ...values];
  reference = await askReference(files, [...expressions, ...shapes]);
});

describe('our parser and the reference', () => {
  test('take the same sound files', () => {
    expect(sound.map((text) => ({ text, ours: ours(text), theirs: theirs(text) }))).toEqual(
      sound.map((text) => ({ text, ours: 'accepted', theirs: 'accepted' })),
    );
  });

  test('refuse the same broken files, with the first error at the same place under the same words', () => {
    const differing = broken.filter((text) => ours(text) !== theirs(text));
    expect(differing.map((text) => ({ text, ours: ours(text), theirs: theirs(text) }))).toEqual([]);
    const refused = broken.filter((text) => theirs(text) !== 'accepted').length;
    expect(refused).toBeGreaterThan(broken.length / 2);
    expect(refused).toBeLessThan(broken.length);
  });

  test('build trees of the same shape', () => {
    expect(expressions.map((text) => [text, shapeOf(parseExpression(text).expression)])).toEqual(
      expressions.map((text) => [text, shapeOfTheirs(text)]),
    );
  });

  test('read the same text in quotes and heredocs', () => {
    const mine = templates.map((source) => ({ source, text: printed(plainText(parseExpression(source).expression)) }));
    expect(mine).toEqual(templates.map((source) => ({ source, text: valueOf(source) })));
  });

  test('read the same numbers', () => {
    const mine = numbers.map((source) => ({ source, value: numberOf(source) }));
    expect(mine).toEqual(numbers.map((source) => ({ source, value: valueOf(source) })));
  });
});

describe('the tables of the other tests agree with the reference', () => {
  test('about the first error', () => {
    const told = rows.map(({ text }) => {
      const [, place, summary] = /^(\S+) (.*)$/.exec(theirs(text)) ?? [];
      return { text, place, summary };
    });
    expect(told).toEqual(rows);
  });

  test('about shapes', () => {
    expect(shapes.map((text) => [text, shapeOfTheirs(text)])).toEqual(EXPRESSIONS);
  });

  test('about texts', () => {
    expect(texts.map((source) => valueOf(source))).toEqual(TEXTS.map(([, text]) => printed(text)));
  });
});

function samples(source: fc.Arbitrary<string>, count: number): readonly string[] {
  return fc.sample(source, { numRuns: count, seed: SEED });
}

/** Every operator before every other, so that each precedence is seen. */
function pairsOfOperators(): readonly string[] {
  return OPERATORS.flatMap((left) => OPERATORS.map((right) => `a ${left} b ${right} c`));
}

/** The reference spells numbers out when it turns a file into JSON, so it would not come back from a huge one. */
function isAffordable(text: string): boolean {
  return !/[eE][+-]?\d{4}/.test(text);
}

function asFile(source: string): string {
  return `a = ${source}\n`;
}

function ours(text: string): string {
  const { diagnostics, source } = parseHcl(text);
  const first = diagnostics[0];
  if (first === undefined) return 'accepted';
  const { line, column } = source.position(first.span.start);
  return `${line}:${column} ${first.summary}`;
}

function theirs(text: string): string {
  const answer = reference.files.get(text);
  if (answer?.verdict !== 'rejected') return answer === undefined ? 'not asked' : 'accepted';
  const first = answer.errors[0];
  return `${first?.line}:${first?.column} ${first?.summary}`;
}

function shapeOfTheirs(text: string): string {
  const tree = reference.expressions.get(text);
  return tree === undefined ? 'refused' : referenceShape(tree);
}

function valueOf(source: string): unknown {
  const answer = reference.files.get(asFile(source));
  return answer?.verdict === 'accepted' ? answer.json['a'] : answer;
}

function numberOf(source: string): number | undefined {
  const { expression, diagnostics } = parseExpression(source);
  return expression.kind === 'number' && diagnostics.length === 0 ? Number(expression.text) : undefined;
}

/** The reference prints texts with their sequences escaped again. */
function printed(text: string | undefined): string | undefined {
  return text?.normalize('NFC').replaceAll(/[$%](?=\{)/g, (mark) => mark + mark);
}
