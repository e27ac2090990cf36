import fc from 'fast-check';

/** Literals, quoted templates and heredocs whose value can be told without variables. */

const ATOMS = [
  'a',
  ' ',
  '  ',
  '\t',
  '$',
  '%',
  '$$',
  '${1}',
  '${~ 2}',
  '${3 ~}',
  '${~ 4 ~}',
  '$${x}',
  '%%{y}',
  'é',
  '\u00a0',
  '{',
  '}',
  '#',
];

/** The first letter keeps a lone interpolation from being a number instead of a text. */
const quoted = fc
  .array(fc.constantFrom(...ATOMS, '\\n', '\\t', '\\"', '\\\\', '\\u0301', '\\U0001F600'), { maxLength: 8 })
  .map((atoms) => `"x${apart(atoms)}"`);

const line = fc.array(fc.constantFrom(...ATOMS, '\\n', '"'), { maxLength: 6 }).map(apart);

const heredoc = fc
  .tuple(fc.constantFrom('<<', '<<-'), fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'))
  .map(([open, lines, newline]) => [`${open}E`, ...lines, '  E'].join(newline) + newline);

export const templateSource = fc.oneof(quoted, heredoc);

/** Numbers that fit a double, as digits, fractions and exponents of every form. */
export const numberSource = fc
  .tuple(fc.nat(9_999_999), fc.constantFrom('', '.', '.5', '.0625', '.000'), fc.constantFrom('', 'e0', 'E3', 'e+7', 'e-4'))
  .map(([whole, fraction, exponent]) => `${whole}${fraction === '.' && exponent === '' ? '' : fraction}${exponent}`);

/** Keeps a mark from making a sequence of the brace behind it. */
function apart(atoms: readonly string[]): string {
  return atoms.join('').replaceAll(/([$%])(?=\{(?!1|~|3|x|y))/g, '$1.');
}
