import { describe, expect, test } from 'vitest';
import { evaluate, type Scope } from '../../../../../src/bach/model/hcl/values/index.ts';
import { evaluateText, SCOPE } from '../../../../support/hcldec/evaluate-text.ts';
import { valueOf } from '../../../../support/hcldec/value-of.ts';

interface Case {
  /** The expression; what a diagnostic points at stands between « and ». */
  readonly text: string;
  readonly summary: string;
  readonly detail: string;
}

const CASES: Readonly<Record<string, readonly Case[]>> = {
  names: [
    { text: '«nmae»', summary: 'Unknown variable', detail: 'there is no variable named "nmae"; did you mean "name"?' },
    { text: '1 + «elsewhere».a.b[0]', summary: 'Unknown variable', detail: 'there is no variable named "elsewhere"' },
    { text: '[for entry in items : «entri»]', summary: 'Unknown variable', detail: 'there is no variable named "entri"; did you mean "entry"?' },
  ],
  'names from inside a loop': [
    { text: '[for x in items : «nmae»]', summary: 'Unknown variable', detail: 'there is no variable named "nmae"; did you mean "name"?' },
    {
      text: '[for x in items : «jion»(x)]',
      summary: 'Call to unknown function',
      detail: 'there is no function named "jion"; did you mean "join"? the functions are join, version, need',
    },
  ],
  numbers: [
    { text: '«1e999999999»', summary: 'Invalid number literal', detail: '1e999999999 is too large or too small to be held' },
    { text: '1 + «1e-9999»', summary: 'Invalid number literal', detail: '1e-9999 is too large or too small to be held' },
    { text: '«1 / 0»', summary: 'Operation failed', detail: 'division by zero: the right operand of / is 0' },
    { text: '2 * («5 % (1 - 1)»)', summary: 'Operation failed', detail: 'division by zero: the right operand of % is 0' },
    {
      text: '«1e2000 * 1e2000»',
      summary: 'Operation failed',
      detail: 'the result of * is a number too large or too small to be held',
    },
    {
      text: '«1e-2000 / 1e2000»',
      summary: 'Operation failed',
      detail: 'the result of / is a number too large or too small to be held',
    },
  ],
  operands: [
    { text: '«"x"» + 1', summary: 'Invalid operand', detail: 'the left operand of + is the string "x"; a number is expected' },
    { text: '1 - «true»', summary: 'Invalid operand', detail: 'the right operand of - is the bool true; a number is expected' },
    { text: '1 * «nothing»', summary: 'Invalid operand', detail: 'the right operand of * is null; a number is expected' },
    { text: '«[]» < 1', summary: 'Invalid operand', detail: 'the left operand of < is a tuple; a number is expected' },
    { text: '-«"abc"»', summary: 'Invalid operand', detail: 'the operand of - is the string "abc"; a number is expected' },
    { text: '!«5»', summary: 'Invalid operand', detail: 'the operand of ! is the number 5; a bool is expected' },
    { text: '!«null»', summary: 'Invalid operand', detail: 'the operand of ! is null; a bool is expected' },
    { text: '«"yes"» && true', summary: 'Invalid operand', detail: 'the left operand of && is the string "yes"; a bool is expected' },
    { text: 'false || «{}»', summary: 'Invalid operand', detail: 'the right operand of || is an object; a bool is expected' },
  ],
  conditionals: [
    { text: '«nothing» ? 1 : 2', summary: 'Null condition', detail: 'the condition is null; true or false is expected' },
    { text: '«"maybe"» ? 1 : 2', summary: 'Incorrect condition type', detail: 'the condition is the string "maybe"; a bool is expected' },
    { text: '"%{ if «3» }a%{ endif }"', summary: 'Incorrect condition type', detail: 'the condition is the number 3; a bool is expected' },
    {
      text: 'yes ? «1 : true»',
      summary: 'Inconsistent conditional result types',
      detail: 'the true result is number and the false result bool; they need one type',
    },
    {
      text: '!yes ? «[1] : { a = "x" }»',
      summary: 'Inconsistent conditional result types',
      detail: 'the true result is tuple([number]) and the false result object({a = string}); they need one type',
    },
    {
      text: 'yes ? «{ a = [], aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa = 1 } : 1»',
      summary: 'Inconsistent conditional result types',
      detail: `the true result is object({a = tuple([]), ${'a'.repeat(57)}… and the false result number; they need one type`,
    },
  ],
  templates: [
    {
      text: '"a ${«nothing»} b"',
      summary: 'Invalid template interpolation value',
      detail: 'the value to insert is null; a string is expected',
    },
    {
      text: '"a ${«items»} b"',
      summary: 'Invalid template interpolation value',
      detail: 'the value to insert is a tuple; a string is expected',
    },
    {
      text: '"%{ for x in items }${«{ a = x }»}%{ endfor }"',
      summary: 'Invalid template interpolation value',
      detail: 'the value to insert is an object; a string is expected',
    },
    {
      text: '"%{ for x in «name» }${x}%{ endfor }"',
      summary: 'Iteration over non-iterable value',
      detail: "the collection of 'for' is the string \"ada\"; a tuple or an object is expected",
    },
  ],
  attributes: [
    {
      text: 'nothing.«a»',
      summary: 'Attempt to get attribute from null value',
      detail: 'a null value has no attributes, so none named "a"',
    },
    { text: 'name.«size»', summary: 'Unsupported attribute', detail: 'the string "ada" has no attributes, so none named "size"' },
    {
      text: 'people.«name»',
      summary: 'Unsupported attribute',
      detail: 'a tuple has no attributes, so none named "name"; take one element of the tuple or all by [*]',
    },
    {
      text: 'point.y.«zz»',
      summary: 'Unsupported attribute',
      detail: 'this object has no attribute named "zz"; did you mean "z"?',
    },
    {
      text: 'point.«missing».deeper[1]',
      summary: 'Unsupported attribute',
      detail: 'this object has no attribute named "missing"; it has x, y',
    },
    { text: '{}.«a»', summary: 'Unsupported attribute', detail: 'this object has no attribute named "a"; it is empty' },
    {
      text: '{ for i, x in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] : "entry-${i}" => x }.«other»',
      summary: 'Unsupported attribute',
      detail:
        'this object has no attribute named "other"; it has entry-0, entry-1, entry-10, entry-2, entry-3, entry-4, entry-5, entry-6, entry-7, entry-8, …',
    },
    {
      text: 'map.«other»',
      summary: 'Missing map element',
      detail: 'this map has no element with the key "other"; it has k',
    },
  ],
  indices: [
    { text: 'nothing[«0»]', summary: 'Attempt to index null value', detail: 'a null value has no elements, so none at the number 0' },
    { text: 'items[«null»]', summary: 'Invalid index', detail: 'the key is null; a string or a whole number is expected' },
    { text: 'items[«"first"»]', summary: 'Invalid index', detail: 'the key is the string "first"; a number is expected' },
    { text: 'items[«1.5»]', summary: 'Invalid index', detail: 'the key is the number 1.5; a whole number is expected' },
    { text: 'items[«-1»]', summary: 'Invalid index', detail: 'the key is the number -1; elements are counted from 0' },
    { text: 'items[«3»]', summary: 'Invalid index', detail: 'the key is the number 3; there are 3 elements, counted from 0' },
    { text: 'items[«1e30»]', summary: 'Invalid index', detail: `the key is the number 1${'0'.repeat(30)}; there are 3 elements, counted from 0` },
    { text: 'list.«7»', summary: 'Invalid index', detail: 'the key is the number 7; there are 2 elements, counted from 0' },
    { text: 'point[«[]»]', summary: 'Invalid index', detail: 'the key is a tuple; a string is expected' },
    { text: 'point[«"w"»]', summary: 'Invalid index', detail: 'this object has no attribute named "w"; it has x, y' },
    { text: 'map[«"other"»]', summary: 'Invalid index', detail: 'this map has no element with the key "other"; it has k' },
    { text: 'name[«0»]', summary: 'Invalid index', detail: 'the string "ada" has no elements, so none at the number 0' },
  ],
  splats: [
    {
      text: '«null_tuple»[*].a',
      summary: 'Splat of null value',
      detail: 'the value before the splat is a null tuple; a sequence that is not null is expected',
    },
    {
      text: 'items[*][«"k"»]',
      summary: 'Invalid index',
      detail: 'the string "a" has no elements, so none at the string "k"',
    },
  ],
  loops: [
    {
      text: '[for x in «nothing» : x]',
      summary: 'Iteration over null value',
      detail: "the collection of 'for' is null; a tuple or an object is expected",
    },
    {
      text: '[for x in «5» : x]',
      summary: 'Iteration over non-iterable value',
      detail: "the collection of 'for' is the number 5; a tuple or an object is expected",
    },
    {
      text: '[for x in items : x if «nothing»]',
      summary: 'Condition is null',
      detail: "the 'if' clause is null; a bool is expected",
    },
    {
      text: '[for x in items : x if «x»]',
      summary: "Invalid 'for' condition",
      detail: "the 'if' clause is the string \"a\"; a bool is expected",
    },
    {
      text: '[for x in [] : x if «[x]»]',
      summary: "Invalid 'for' condition",
      detail: "the 'if' clause is a tuple; a bool is expected",
    },
    { text: '{ for x in items : «null» => x }', summary: 'Invalid object key', detail: 'the key is null; a string is expected' },
    { text: '{ for x in items : «[x]» => x }', summary: 'Invalid object key', detail: 'the key is a tuple; a string is expected' },
    {
      text: '{ for x in ["a", "b", "a", "b"] : «x» => 1 }',
      summary: 'Duplicate object key',
      detail: 'two elements give the key "a"; write ... after the value to group them',
    },
  ],
  objects: [
    { text: '{ «(nothing)» = 1 }', summary: 'Null value as key', detail: 'the key is null; a string is expected' },
    { text: '{ «([1])» = 1 }', summary: 'Incorrect key type', detail: 'the key is a tuple; a string is expected' },
    {
      text: '{ «point.x» = 1 }',
      summary: 'Ambiguous attribute key',
      detail: 'a key with a point or an index is either a reference, in parentheses, or a text, in quotes',
    },
    {
      text: '{ «items[0]» = 1 }',
      summary: 'Ambiguous attribute key',
      detail: 'a key with a point or an index is either a reference, in parentheses, or a text, in quotes',
    },
    {
      text: '{ «point.y["z"]» = 1 }',
      summary: 'Ambiguous attribute key',
      detail: 'a key with a point or an index is either a reference, in parentheses, or a text, in quotes',
    },
  ],
  calls: [
    {
      text: '«jion»("-")',
      summary: 'Call to unknown function',
      detail: 'there is no function named "jion"; did you mean "join"? the functions are join, version, need',
    },
    {
      text: '«environment»("HOME")',
      summary: 'Call to unknown function',
      detail: 'there is no function named "environment"; the functions are join, version, need',
    },
    {
      text: 'need("a"«)»',
      summary: 'Not enough function arguments',
      detail: '"need" takes 2 arguments and got 1; a value for "kind" is missing',
    },
    {
      text: 'join(«)»',
      summary: 'Not enough function arguments',
      detail: '"join" takes at least 1 argument and got 0; a value for "separator" is missing',
    },
    { text: 'version(«1», 2)', summary: 'Too many function arguments', detail: '"version" takes 0 arguments and got 2' },
    {
      text: 'need(«items»...)',
      summary: 'Too many function arguments',
      detail: '"need" takes 2 arguments and got 3',
    },
    {
      text: 'need("a", «null»)',
      summary: 'Invalid function argument',
      detail: 'the argument "kind" of "need" is null; a value is expected',
    },
    {
      text: 'join("-", «[1]»)',
      summary: 'Invalid function argument',
      detail: 'the argument "parts" of "join" is not usable: a tuple is not a string',
    },
    {
      text: 'join("-", «[[1]]»...)',
      summary: 'Invalid function argument',
      detail: 'the argument "parts" of "join" is not usable: a tuple is not a string',
    },
    {
      text: 'join("-", «null»...)',
      summary: 'Invalid expanding argument value',
      detail: 'the argument before ... is null; a tuple is expected',
    },
    {
      text: 'join(«name»...)',
      summary: 'Invalid expanding argument value',
      detail: 'the argument before ... is the string "ada"; a tuple is expected',
    },
    { text: '"${«need("none", "x")»}!"', summary: 'Error in function call', detail: '"need": there is nothing to read' },
    { text: 'need("a", «"odd"»)', summary: 'Invalid function argument', detail: '"need": the kind "odd" is not known' },
    { text: 'need(«["a", "odd"]»...)', summary: 'Invalid function argument', detail: '"need": the kind "odd" is not known' },
  ],
};

for (const [topic, cases] of Object.entries(CASES)) {
  describe(topic, () => {
    test.each(cases)('$text', ({ text, summary, detail }) => {
      const span = { start: text.indexOf('«'), end: text.indexOf('»') - 1 };
      const { diagnostics } = evaluateText(text.replace(/[«»]/g, ''));
      const sentence = detail.charAt(0).toUpperCase() + detail.slice(1) + (/[?…]$/.test(detail) ? '' : '.');
      expect(diagnostics).toEqual([{ severity: 'error', summary, detail: sentence, span }]);
    });
  });
}

describe('after an error', () => {
  test.each<[string, readonly string[]]>([
    ['[missing, 1 / 0, "a${nothing}"]', ['Unknown variable', 'Operation failed', 'Invalid template interpolation value']],
    ['missing1 + missing2', ['Unknown variable', 'Unknown variable']],
    ['{ (missing) = 1 / 0 }', ['Unknown variable', 'Operation failed']],
    ['join(missing, 1 / 0)', ['Unknown variable', 'Operation failed']],
    ['wrong(missing)', ['Unknown variable', 'Call to unknown function']],
    ['"${missing}%{ if 1 }%{ endif }"', ['Unknown variable', 'Incorrect condition type']],
    ['{ for x in items : [x] => missing }', ['Invalid object key', 'Unknown variable']],
  ])('%s reports every cause', (text, summaries) => {
    expect(evaluateText(text).diagnostics.map(({ summary }) => summary)).toEqual(summaries);
  });

  test.each([
    'missing.a.b',
    'missing[0]',
    'items[missing]',
    'missing[*].a',
    'missing + 1 - 2 * 3 == 4',
    '!missing',
    '(missing ? 1 : true) + 2',
    'yes ? missing : [1]',
    '"${missing} and ${1}"',
    '[for x in missing : x.y]',
    '[for x in items : missing.y]',
    '[for x in items : x if missing]',
    '"%{ for x in items }${missing}%{ endfor }"',
    '{ (missing) = 1 }.a',
    'join(missing, "a").b',
    'join("-", missing...)',
    'people[*].name[missing]',
  ])('%s is one error', (text) => {
    expect(evaluateText(text).diagnostics.map(({ summary }) => summary)).toEqual(['Unknown variable']);
  });

  test('what the parser could not read is unknown and silent', () => {
    expect(evaluate({ kind: 'invalid', start: 0, end: 1 }, SCOPE)).toEqual({ value: { kind: 'unknown' }, diagnostics: [] });
    const number = { kind: 'number', text: 'x', start: 0, end: 1 } as const;
    expect(evaluate(number, SCOPE).diagnostics).toMatchObject([{ summary: 'Invalid number literal', detail: 'X is not a number.' }]);
  });

  test('where there are no functions the message says so', () => {
    const empty: Scope = { variables: new Map([['a', valueOf(1)]]), functions: new Map() };
    expect(evaluateText('f(a)', empty).diagnostics).toMatchObject([
      { detail: 'There is no function named "f"; no function can be called here.' },
    ]);
  });
});
