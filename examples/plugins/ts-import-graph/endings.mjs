/** Behind `sought`, looked for from `at`; the end of the text where it does not come. */
export function endOf(sought, text, at) {
  const found = text.indexOf(sought, at);
  return found < 0 ? text.length : found + sought.length;
}

/** Behind the quote that closes the one at `at`; `undefined` where its line ends before. */
export function endOfString(text, at) {
  const quote = text[at];
  for (let next = at + 1; next < text.length; next += 1) {
    const letter = text[next];
    if (letter === quote) return next + 1;
    if (letter === '\n') return undefined;
    if (letter === '\\') next += 1;
  }
  return undefined;
}

/** Behind the slash that closes the one at `at`; `undefined` where its line ends before. */
export function endOfRegularExpression(text, at) {
  let isInClass = false;
  for (let next = at + 1; next < text.length; next += 1) {
    const letter = text[next];
    if (letter === '/' && !isInClass) return next + 1;
    if (letter === '\n') return undefined;
    if (letter === '[') isInClass = true;
    if (letter === ']') isInClass = false;
    if (letter === '\\') next += 1;
  }
  return undefined;
}

/** Behind the next `${` or closing backtick of a template, in which `at` lies. */
export function endOfTemplatePart(text, at) {
  for (let next = at; next < text.length; next += 1) {
    const letter = text[next];
    if (letter === '`') return next + 1;
    if (letter === '$' && text[next + 1] === '{') return next + 2;
    if (letter === '\\') next += 1;
  }
  return text.length;
}
