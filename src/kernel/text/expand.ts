const SPECIAL = '*#$@!?-0123456789';
const NAME = /[A-Za-z0-9_]+/y;

/**
 * Replaces `$NAME` and `${NAME}` by what `lookup` gives (nothing for `undefined`), with the rules of Go's
 * `os.Expand`: one-character special names (`$1`, `$?`, `$$`) are names too, `$(` stays, a broken `${` is dropped.
 */
export function expandVariables(text: string, lookup: (name: string) => string | undefined): string {
  let result = '';
  let offset = 0;
  const lastClose = text.lastIndexOf('}');
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', offset)) {
    const { name, width } = variableAt({ text, start: dollar + 1, lastClose });
    result += text.slice(offset, dollar);
    if (name !== '') result += lookup(name) ?? '';
    if (name === '' && width === 0) result += '$';
    offset = dollar + 1 + width;
  }
  return result + text.slice(offset);
}

interface Reference {
  readonly name: string;
  /** Characters after the `$` that belong to the reference. */
  readonly width: number;
}

interface Place {
  readonly text: string;
  readonly start: number;
  /** Of the whole text, so that many open braces without an end are not each looked through to the end. */
  readonly lastClose: number;
}

function variableAt({ text, start, lastClose }: Place): Reference {
  const first = text.charAt(start);
  if (first === '{') return bracedVariable({ text, start, lastClose });
  if (first !== '' && SPECIAL.includes(first)) return { name: first, width: 1 };
  const name = nameAt(text, start);
  return { name, width: name.length };
}

function bracedVariable({ text, start, lastClose }: Place): Reference {
  const first = text.charAt(start + 1);
  if (first !== '' && SPECIAL.includes(first) && text.charAt(start + 2) === '}') return { name: first, width: 3 };
  if (lastClose < start) return { name: '', width: 1 };
  const close = text.indexOf('}', start);
  if (close === start + 1) return { name: '', width: 2 };
  return { name: text.slice(start + 1, close), width: close - start + 1 };
}

function nameAt(text: string, start: number): string {
  NAME.lastIndex = start;
  return NAME.exec(text)?.[0] ?? '';
}
