import fc from 'fast-check';

/** Texts that are sound by construction, and texts that random edits have most likely broken. */

const NAMES = ['a', 'b', 'count', 'build-release', '_x', 'größe', 'x1', 'in', 'if', 'é'];
/** A mark that opens a sequence before a brace is kept away from whatever comes next. */
const WORDS = [
  'x',
  'some text',
  'ünïcode 🇩🇪',
  'e\u0301',
  '👩‍👩‍👧‍👦',
  ' ',
  '  two  ',
  '#no',
  '//no',
  '$ ',
  '%-',
  "it's",
  'a{}',
  '~',
];
const ESCAPES = ['\\n', '\\t', '\\r', '\\"', '\\\\', '\\u00e9', '\\U0001F600', '$${', '%%{', '$${x}'];
export const OPERATORS = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||'];
const NUMBERS = ['0', '1', '42', '1.5', '0.001', '12e2', '3E-1', '2e+1', '9007199254740993'];

const name = fc.constantFrom(...NAMES);
const number = fc.constantFrom(...NUMBERS);
const pad = fc.constantFrom('', ' ', '  ', '\t', '/* c */', ' /* c\n */ ');
/** Within brackets newlines and one-line comments are space, too. */
const widePad = fc.oneof(pad, fc.constantFrom('\n', '\n\n  ', ' # c\n', ' // c\n'));

const { expression, heredoc } = fc.letrec<{
  expression: string;
  template: string;
  heredoc: string;
  traversal: string;
  sequence: string;
  part: string;
  line: string;
}>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'expression' },
    { arbitrary: number, weight: 3 },
    { arbitrary: fc.constantFrom('true', 'false', 'null'), weight: 1 },
    { arbitrary: name, weight: 3 },
    { arbitrary: tie('traversal'), weight: 3 },
    { arbitrary: tie('template'), weight: 4 },
    { arbitrary: wrapped('(', tie('expression'), ')'), weight: 1 },
    { arbitrary: joined(fc.constantFrom('-', '!', '- ', '!!'), tie('expression')), weight: 1 },
    { arbitrary: joined(tie('expression'), fc.constantFrom(...OPERATORS).map(spaced), tie('expression')), weight: 3 },
    { arbitrary: joined(tie('expression'), ' ? ', tie('expression'), ' : ', tie('expression')), weight: 1 },
    { arbitrary: wrapped('[', commaList(tie('expression')), ']'), weight: 2 },
    { arbitrary: object(tie('expression')), weight: 2 },
    { arbitrary: forExpression(tie('expression')), weight: 1 },
    { arbitrary: call(tie('expression')), weight: 2 },
    { arbitrary: joined('f(\n', tie('heredoc'), '\n)'), weight: 1 },
  ),
  traversal: joined(
    fc.oneof(name, wrapped('(', tie('expression'), ')'), call(tie('expression'))),
    many(
      fc.oneof(
        name.map((step) => `.${step}`),
        // A number before a dot and a splat before a splat would read as something else.
        fc.constantFrom('.0.a', '.12[0]', '[*]', '.*[0]', '.*.b.0[1]'),
        wrapped('[', tie('expression'), ']'),
      ),
      3,
    ),
  ),
  template: wrapped('"', many(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom(...ESCAPES), tie('sequence')), 4), '"'),
  sequence: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'expression' },
    joined(fc.constantFrom('${', '${~ '), tie('expression'), fc.constantFrom('}', ' ~}')),
    joined('%{ if ', tie('expression'), fc.constantFrom(' }', ' ~}'), tie('part'), '%{ endif }'),
    joined('%{if ', tie('expression'), '}', tie('part'), '%{ else }', tie('part'), '%{~endif~}'),
    joined('%{ for k, v in ', tie('expression'), ' }', tie('part'), '%{ endfor }'),
  ),
  part: fc.oneof({ maxDepth: 3, depthIdentifier: 'expression' }, fc.constantFrom('', 'x', ' y '), tie('sequence')),
  heredoc: fc
    .tuple(fc.constantFrom('<<', '<<-'), fc.constantFrom('EOT', 'e-1', 'É'), fc.array(tie('line'), { maxLength: 5 }), indent())
    .map(([open, marker, lines, space]) => `${open}${marker}\n${lines.map((line) => `${line}\n`).join('')}${space}${marker}`),
  line: fc
    .tuple(indent(), fc.array(fc.oneof(fc.constantFrom('x', 'a b', '\\n', 'é', '$${x}', '"q"', '$ %.'), tie('sequence')), { maxLength: 3 }))
    .map(([space, parts]) => space + parts.join('')),
}));

export { expression as expressionText };

function indent(): fc.Arbitrary<string> {
  return fc.constantFrom('', '  ', '    ', '\t', ' \t ', '\u00a0 ');
}

function spaced(operator: string): string {
  return ` ${operator} `;
}

function joined(...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> {
  return fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((texts) => texts.join(''));
}

function many(part: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc.array(part, { maxLength }).map((parts) => parts.join(''));
}

function wrapped(open: string, inner: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> {
  return open === '"' ? joined(open, inner, close) : joined(open, widePad, inner, widePad, close);
}

function commaList(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(fc.array(fc.tuple(item, widePad), { maxLength: 3 }), fc.boolean())
    .map(([items, trailing]) => items.map(([text, space]) => text + space).join(', ') + (trailing && items.length > 0 ? ',' : ''));
}

function object(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const key = fc.oneof(
    name.filter((word) => word !== 'for'),
    fc.constantFrom('"k"', '(k)', '1', 'null', '"${k}"', '"a${k}"'),
  );
  const pair = fc
    .tuple(key, fc.constantFrom(' = ', ': ', '='), value, fc.constantFrom(',', '\n', ',\n\n', ' # c\n'))
    .map((parts) => parts.join(''));
  return joined('{', fc.constantFrom('', '\n', ' '), many(pair, 3), '}');
}

function forExpression(part: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const header = joined(fc.constantFrom('for v in ', 'for k, v in\n'), part, ' :', widePad);
  const condition = fc.oneof(fc.constant(''), joined(' if ', part));
  return fc.oneof(
    joined('[', header, part, condition, ']'),
    joined('{', header, part, ' => ', part, fc.constantFrom('', '...'), condition, '}'),
  );
}

function call(argument: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    joined(fc.constantFrom('f', 'max', 'ns::f', 'a::b::c'), '(', widePad, commaList(argument), ')'),
    joined('f(', argument, '...)'),
  );
}

const label = fc.constantFrom('one', '"two"', '"é ü"', '"a\\tb"', '"$${x}"', 'build-release');

const attribute = joined(pad, '=', pad, fc.oneof({ arbitrary: expression, weight: 4 }, { arbitrary: heredoc, weight: 1 }));

/** Names are numbered by the place of the item, so none is set twice. */
type Item = (index: string) => string;

const { item } = fc.letrec<{ item: Item }>((tie) => ({
  item: fc.oneof(
    { maxDepth: 3 },
    { arbitrary: attribute.map((rest): Item => (index) => `a${index} ${rest}`), weight: 4 },
    { arbitrary: fc.constantFrom('', '# c', '// c', '/* c */', '  ').map((text): Item => () => text), weight: 1 },
    { arbitrary: blockOf(fc.array(tie('item'), { maxLength: 3 })), weight: 2 },
    { arbitrary: fc.tuple(labels(), expression).map(([words, value]): Item => () => `one${words} { x = ${oneLine(value)} }`), weight: 1 },
  ),
}));

function labels(): fc.Arbitrary<string> {
  return fc.array(label, { maxLength: 2 }).map((words) => words.map((word) => ` ${word}`).join(''));
}

function blockOf(items: fc.Arbitrary<Item[]>): fc.Arbitrary<Item> {
  return fc
    .tuple(labels(), items)
    .map(([words, inner]) => (index) => `block${words} {\n${inner.map((each, at) => `  ${each(`${index}_${at}`)}\n`).join('')}}`);
}

/** A block in one line may still hold brackets over several, but no text that ends with its line. */
function oneLine(value: string): string {
  return value.includes('<<') ? '1' : value;
}

/** A sound file; some with CRLF, some without a newline at the end. */
export const soundFile = fc
  .tuple(fc.array(item, { maxLength: 6 }), fc.constantFrom('\n', '\n', '\r\n'), fc.constantFrom('', '\ufeff'))
  .map(([items, newline, mark]) => {
    const text = items.map((each, at) => `${each(String(at))}\n`).join('');
    return mark + (newline === '\n' ? text : text.replaceAll('\n', newline));
  });

const FRAGMENTS = [
  'a',
  'b-c',
  '1',
  '2.5',
  '"x"',
  '"${a}"',
  '"',
  '${',
  '%{if a}',
  '%{endif}',
  '%{else}',
  '%{for x in y}',
  '%{endfor}',
  '}',
  '{',
  '[',
  ']',
  '(',
  ')',
  '\n',
  ' ',
  '=',
  ':',
  ',',
  '.',
  '*',
  '...',
  '=>',
  '?',
  '&&',
  '||',
  '!',
  '-',
  '+',
  '/',
  '%',
  '<<E\n',
  '<<-E\n',
  'E\n',
  '#c\n',
  '//c\n',
  '/*',
  '*/',
  '~',
  '~}',
  '${~',
  '\\',
  '\\n',
  '\\u00e9',
  '\\q',
  '$',
  '$$',
  'for x in y',
  'if',
  'true',
  "'",
  '`',
  ';',
  '&',
  '\r',
  '\r\n',
  '\t',
  'é',
  '\u201c',
  '[*]',
  '.*',
  '.0',
  '.0.1',
  'f(',
  'f::g(',
  '::',
  'a = 1\n',
  'b {\n',
  'b { c = 1 }\n',
  '\u0000',
  '1..2',
  '1e5',
];

interface Edit {
  readonly kind: 'insert' | 'delete' | 'cut' | 'copy';
  readonly at: number;
  readonly length: number;
  readonly fragment: string;
}

export const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'delete', 'delete', 'copy', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 8 }),
  fragment: fc.constantFrom(...FRAGMENTS),
});

export function edited(text: string, edits: readonly Edit[]): string {
  return edits.reduce(applied, text).toString();
}

function applied(text: string, { kind, at, length, fragment }: Edit): string {
  const offset = Math.floor(at * text.length);
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  if (kind === 'insert') return before + fragment + after;
  if (kind === 'delete') return before + after.slice(length);
  return kind === 'cut' ? before : before + after.slice(0, length) + before.slice(-length) + after;
}

/** Sound files after a few edits, without what an edit has torn: halves of pairs, and marks that lost their letter. */
export const brokenFile = fc
  .tuple(soundFile, fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) => wholeCharacters(edited(text, edits)));

/** Fragments in no order at all. */
export const fragments = fc
  .tuple(fc.constantFrom('', 'a = ', 'a = [', 'a = "', 'b {\n'), many(fc.constantFrom(...FRAGMENTS), 14))
  .map(([start, rest]) => start + rest);

function wholeCharacters(text: string): string {
  const paired = Buffer.from(text, 'utf8').toString('utf8').replaceAll('\ufffd', '');
  return paired.replaceAll(/(?<![\p{L}\p{Extended_Pictographic}])[\u0301\u200d]/gu, '');
}
