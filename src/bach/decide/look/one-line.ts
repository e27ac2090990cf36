/** A text of several lines as one, for a row or an item of a list. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}
