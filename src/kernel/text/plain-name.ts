/** What breaks a line, moves the cursor, or turns the direction of text. */
const MISLEADING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const EACH_MISLEADING = new RegExp(MISLEADING, 'gu');

/** A name as it may stand in a line of ours: as it is, or quoted where it is empty or could pass for something else. */
export function plainName(name: string): string {
  return name !== '' && !MISLEADING.test(name) ? name : onOneLine(JSON.stringify(name));
}

/** A sentence that holds such names, on one line. */
export function onOneLine(text: string): string {
  return text.replaceAll(EACH_MISLEADING, escapeOf);
}

function escapeOf(character: string): string {
  const escaped = JSON.stringify(character).slice(1, -1);
  return escaped === character ? `\\u{${character.codePointAt(0)?.toString(16)}}` : escaped;
}
