const ESCAPE = '\x1b';
const RESET = '\x1b[0m';
/** No real colour is longer. */
const LONGEST_COLOUR = 64;
const COLOUR_PARAMETERS = /^[0-9;:]*$/;
const STRING_OPENERS = /[\]PX^_]/;
/** What a person sees as it is; the same characters that a safe line keeps. */
// oxlint-disable-next-line no-control-regex -- finding control characters is what this file is for
const PLAIN = /^[^\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]*$/;

/**
 * Where the stream stands: in text; after ESC; in a control sequence; in a string for the terminal; after ESC in one.
 */
type State = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape';

export interface SafeStream {
  /** What of the chunk may be shown by now. Bytes are taken as UTF-8. */
  push(chunk: Uint8Array | string): string;
  /** The rest, with colours switched off; a sequence without its end is dropped. */
  flush(): string;
}

/**
 * A stream of foreign text as a terminal may show it, however it is cut into chunks: lines, tabs and, if wanted,
 * colours stay. A carriage return begins a new line, so that nothing is hidden by what overwrites it. Nothing is kept
 * of a sequence but what a colour can have; a string for the terminal ends with its line at the latest.
 */
export function createSafeStream(options: { readonly colour: boolean }): SafeStream {
  return new SafeText(options);
}

class SafeText implements SafeStream {
  readonly #colour: boolean;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #state: State = 'text';
  #sequence = '';
  #returned = false;
  #coloured = false;

  constructor({ colour }: { readonly colour: boolean }) {
    this.#colour = colour;
  }

  push(chunk: Uint8Array | string): string {
    return this.#take(typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }));
  }

  flush(): string {
    const rest = this.#take(this.#decoder.decode()) + this.#resetColour();
    this.#state = 'text';
    this.#returned = false;
    return rest;
  }

  #take(text: string): string {
    if (this.#state === 'text' && !this.#returned && !this.#coloured && PLAIN.test(text)) return text;
    let shown = '';
    for (const character of text) shown += this.#step(character);
    return shown;
  }

  #step(character: string): string {
    switch (this.#state) {
      case 'text':
        return this.#inText(character);
      case 'escape':
        return this.#afterEscape(character);
      case 'sequence':
        return this.#inSequence(character);
      case 'string':
        return this.#inString(character);
      case 'string-escape':
        return character === '\\' ? this.#enter('text') : this.#afterEscape(character);
    }
  }

  #inText(character: string): string {
    if (character === '\r') {
      this.#returned = true;
      return '';
    }
    const start = this.#returned && character !== '\n' ? this.#newLine() : '';
    this.#returned = false;
    if (character === '\n') return this.#newLine();
    if (character === ESCAPE) return start + this.#enter('escape');
    return PLAIN.test(character) ? start + character : start;
  }

  #afterEscape(character: string): string {
    if (character === '[') return this.#enter('sequence');
    if (STRING_OPENERS.test(character)) return this.#enter('string');
    // Characters between ESC and the last one of a sequence.
    if (character >= ' ' && character <= '/') return this.#enter('escape');
    this.#enter('text');
    return character >= '0' && character <= '~' ? '' : this.#inText(character);
  }

  #inSequence(character: string): string {
    if (character >= ' ' && character <= '?') {
      // One too many is enough to know that it is no colour.
      if (this.#sequence.length <= LONGEST_COLOUR) this.#sequence += character;
      return '';
    }
    const parameters = this.#sequence;
    this.#enter('text');
    if (character < '@' || character > '~') return this.#inText(character);
    const isColour = character === 'm' && parameters.length <= LONGEST_COLOUR && COLOUR_PARAMETERS.test(parameters);
    if (!isColour || !this.#colour) return '';
    this.#coloured = true;
    return `${ESCAPE}[${parameters}m`;
  }

  #inString(character: string): string {
    if (character === ESCAPE) return this.#enter('string-escape');
    if (character === '\x07' || character === '\x9c') return this.#enter('text');
    if (character !== '\n') return '';
    this.#enter('text');
    return this.#newLine();
  }

  #enter(state: State): string {
    this.#state = state;
    this.#sequence = '';
    return '';
  }

  #newLine(): string {
    return `${this.#resetColour()}\n`;
  }

  #resetColour(): string {
    const reset = this.#coloured ? RESET : '';
    this.#coloured = false;
    return reset;
  }
}
