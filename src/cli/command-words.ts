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
    commands: command.commands.map(commandWords),
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
  return { names, purpose: option.description, value: placeholder === undefined ? undefined : kindOf(placeholder, option) };
}

/** What may stand there, by the word that the help page has for it. */
function kindOf(placeholder: string, { argChoices }: Pick<Option | Argument, 'argChoices'>): WordKind {
  if (argChoices !== undefined) return argChoices;
  if (/^targets?$/.test(placeholder)) return 'targets';
  return /^(path|file)s?$/.test(placeholder) ? 'files' : 'other';
}
