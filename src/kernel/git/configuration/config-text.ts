/** One setting of a configuration file, as git names it: section and key in lower case, the subsection as written. */
export interface Setting {
  readonly section: string;
  readonly subsection: string | undefined;
  readonly key: string;
  /** `undefined` for a key without `=`, which means true. */
  readonly value: string | undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' };

const BLANKS = [' ', '\t', '\r'];

/**
 * The settings of a git configuration file, in their order, by git's own grammar; `undefined` where git would refuse
 * the file. Read by us, since no git may run in a repository before its configuration was looked at.
 */
export function parseConfig(text: string): readonly Setting[] | undefined {
  const reader = new ConfigReader(text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n'));
  return reader.readAll();
}

/** As git writes it: `branch.main.remote`. */
export function settingName({ section, subsection, key }: Setting): string {
  if (section === '' && subsection === undefined) return key;
  return [section, ...(subsection === undefined ? [] : [subsection]), key].join('.');
}

class ConfigReader {
  readonly #text: string;
  #at = 0;
  #section: Pick<Setting, 'section' | 'subsection'> = { section: '', subsection: undefined };

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): readonly Setting[] | undefined {
    const settings: Setting[] = [];
    for (;;) {
      this.#take(/[ \t\r\n]*/y);
      if (this.#at >= this.#text.length) return settings;
      const found = this.#readOne();
      if (found === 'refused') return undefined;
      if (found !== 'none') settings.push(found);
    }
  }

  #readOne(): Setting | 'none' | 'refused' {
    if (this.#take(/[#;][^\n]*/y) !== undefined) return 'none';
    if (this.#text.charAt(this.#at) === '[') return this.#readSection() ? 'none' : 'refused';
    const key = this.#take(/[A-Za-z][A-Za-z0-9-]*/y)?.toLowerCase();
    if (key === undefined) return 'refused';
    this.#take(/[ \t]*/y);
    if (this.#take(/=/y) === undefined) {
      return this.#take(/\n|$/y) === undefined ? 'refused' : { ...this.#section, key, value: undefined };
    }
    const value = this.#readValue();
    return value === undefined ? 'refused' : { ...this.#section, key, value };
  }

  #readSection(): boolean {
    const plain = this.#take(/\[[A-Za-z0-9.-]+\]/y);
    if (plain !== undefined) {
      // The old form: `[branch.main]`, all in lower case.
      const [section = '', ...rest] = plain.slice(1, -1).toLowerCase().split('.');
      this.#section = { section, subsection: rest.length === 0 ? undefined : rest.join('.') };
      return true;
    }
    const named = this.#take(/\[[A-Za-z0-9.-]+[ \t\r]+"(?:[^"\\\n]|\\[^\n])*"\]/y);
    if (named === undefined) return false;
    const quote = named.indexOf('"');
    const subsection = named.slice(quote + 1, -2).replaceAll(/\\(.)/g, '$1');
    this.#section = { section: named.slice(1, quote).trim().toLowerCase(), subsection };
    return true;
  }

  /** Up to the end of the line: blanks outside quotes shrink at both ends, comments end it, `\` joins lines. */
  #readValue(): string | undefined {
    let value = '';
    let blanks = '';
    let quoted = false;
    for (;;) {
      const character = this.#text.charAt(this.#at);
      this.#at += 1;
      if (character === '' || character === '\n') return quoted ? undefined : value;
      if (!quoted && BLANKS.includes(character)) {
        if (value !== '') blanks += character;
        continue;
      }
      if (!quoted && (character === ';' || character === '#')) {
        this.#take(/[^\n]*/y);
        continue;
      }
      if (character === '"') {
        value += blanks;
        blanks = '';
        quoted = !quoted;
        continue;
      }
      const plain = character === '\\' ? this.#readEscape() : character;
      if (plain === undefined) return undefined;
      value += blanks + plain;
      blanks = '';
    }
  }

  #readEscape(): string | undefined {
    const next = this.#text.charAt(this.#at);
    this.#at += 1;
    return next === '\n' || next === '' ? '' : ESCAPES[next];
  }

  /** Advances past what the sticky pattern finds right here; `undefined` when it finds nothing here. */
  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
