import { RUN_STATUSES } from '../model/index.ts';

/** What only the project knows: a script asks `bach complete` for it. History knows no aliases. */
export const ASKED_KINDS = ['targets', 'targets-and-aliases', 'profiles', 'runs'] as const;

export type AskedKind = (typeof ASKED_KINDS)[number];

/** What the value of an option, or a word behind a command, is; `other` cannot be offered, a list is offered as it is. */
export type WordKind = AskedKind | 'statuses' | 'files' | 'other' | readonly string[];

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

/** The words that can stand there, where they are known beforehand. */
export function listOf(kind: WordKind): readonly string[] | undefined {
  if (kind === 'statuses') return RUN_STATUSES;
  return typeof kind === 'string' ? undefined : kind;
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
