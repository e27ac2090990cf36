import type { Argument, Command, Option } from 'commander';
import type { CommandWords, FlagWords, WordKind } from '../bach/commands/index.ts';

/** The commands that a program declares, for the completion of a shell. */
export function commandWords(command: Command): CommandWords {
  const [operand] = command.registeredArguments;
  return {
    path: pathOf(command),
    purpose: command.description(),
    flags: [...optionsOf(command).map(flagOf), HELP],
    operand: operand === undefined ? undefined : kindOf(operand.name(), operand),
    commands: command.createHelp().visibleCommands(command).map(commandWords),
  };
}

const HELP: FlagWords = { names: ['-h', '--help'], purpose: 'print this page', value: undefined };

function pathOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** Its own, and those of the commands above, which may stand behind it too. */
function optionsOf(command: Command): readonly Option[] {
  const own = command.options.filter(({ hidden }) => !hidden);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent).filter(({ long }) => long !== '--version')];
}

function flagOf(option: Option): FlagWords {
  const names = [option.short, option.long].filter((name) => name !== undefined);
  const placeholder = /<(.*)>/.exec(option.flags)?.[1];
  const value = placeholder === undefined ? undefined : (VALUES[option.long ?? ''] ?? kindOf(placeholder, option));
  return { names, purpose: option.description, value };
}

/** What their placeholders do not tell. */
const VALUES: Readonly<Record<string, WordKind>> = {
  '--format': ['mermaid', 'json'],
  '--profile': 'profiles',
  '--provider': ['opencode'],
  '--status': 'statuses',
  // Of what is recorded, aliases are no names.
  '--target': 'targets',
};

/** What may stand there, by the word that the help page has for it. */
function kindOf(placeholder: string, { argChoices }: Pick<Option | Argument, 'argChoices'>): WordKind {
  if (argChoices !== undefined) return argChoices;
  if (/^targets?$/.test(placeholder)) return 'targets-and-aliases';
  if (placeholder === 'run-id') return 'runs';
  return /^(path|file)s?$/.test(placeholder) ? 'files' : 'other';
}
