/** What the value of an option, or a word behind a command, is; `other` cannot be offered, a list is offered as it is. */
export type WordKind = 'targets' | 'files' | 'other' | readonly string[];

export interface FlagWords {
  /** `-j`, `--jobs`. */
  readonly names: readonly string[];
  readonly purpose: string;
  /** None for a switch. */
  readonly value: WordKind | undefined;
}

/** One command as a shell completes it. */
export interface CommandWords {
  /** The words that call it, behind the name of the program, for which there are none. */
  readonly path: readonly string[];
  readonly purpose: string;
  /** Its own and those it shares. */
  readonly flags: readonly FlagWords[];
  /** What may stand behind it. */
  readonly operand: WordKind | undefined;
  readonly commands: readonly CommandWords[];
}

export function everyCommand(program: CommandWords): readonly CommandWords[] {
  return [program, ...program.commands.flatMap(everyCommand)];
}

/** How the tables of a script name a command: `runs list`; empty for the program itself. */
export function keyOf({ path }: CommandWords): string {
  return path.join(' ');
}

/** The word that calls it behind the command above. */
export function wordOf({ path }: CommandWords): string {
  return path.at(-1) ?? '';
}
