/* oxlint-disable no-control-regex -- finding control characters is what this file is for */

// Colours and weights only change how text looks; every other sequence may move the cursor or talk to the terminal.
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])/g;
/** No real one is longer. */
const COLOUR = /^\x1b\[[0-9;:]{0,64}m$/;
const CONTROLS_BUT_ESCAPE = /[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;
const STRAY_ESCAPE = /\x1b(?!\[[0-9;:]{0,64}m)/g;
// What turns the order of characters around shows a person another text than the one that is there; the two
// separators end a line for some terminals.
const DIRECTIONS = '\\u202a-\\u202e\\u2066-\\u2069\\u2028\\u2029';
const TURNS = new RegExp(`[${DIRECTIONS}]`, 'g');
const UNSAFE = new RegExp(`[\\x00-\\x08\\x0a-\\x1f\\x7f-\\x9f${DIRECTIONS}]`);
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const RESET = '\x1b[0m';

/** One line as a terminal may show it: colours stay, whatever could move the cursor or reach the terminal goes. */
export function safeLine(text: string): string {
  if (!UNSAFE.test(text)) return text;
  const coloured = withoutControls(lastOverwrite(text).replace(ESCAPES, (sequence) => (COLOUR.test(sequence) ? sequence : '')));
  return coloured.includes('\x1b') ? `${coloured}${RESET}` : coloured;
}

/** The same without colours. */
export function plainLine(text: string): string {
  return UNSAFE.test(text) ? withoutControls(lastOverwrite(text).replace(ESCAPES, '')).replaceAll('\x1b', '') : text;
}

/** A name for the status line: no control, format or broken characters at all. */
export function safeName(text: string): string {
  return text.replace(ESCAPES, '').replace(INVISIBLE, '');
}

/** A carriage return starts the row again, so what came last is what a person would see. */
function lastOverwrite(text: string): string {
  if (!text.includes('\r')) return text;
  return text.split('\r').findLast((part) => part !== '') ?? '';
}

function withoutControls(text: string): string {
  return text.replace(CONTROLS_BUT_ESCAPE, '').replace(TURNS, '').replace(STRAY_ESCAPE, '');
}
