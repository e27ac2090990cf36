import type { Command, CommanderError } from 'commander';
import type { DroverError } from '../kernel/errors/index.ts';
import { didYouMean, nearest } from '../kernel/text/index.ts';
import { wrongUsage } from './errors.ts';
import { isLaterCommand } from './later-words.ts';

const COUNT_ERRORS = new Set(['commander.missingArgument', 'commander.excessArguments']);

/** Says what is wrong with a command line, in our words and with the nearest thing that exists. */
export function usageError(error: CommanderError, command: Command): DroverError {
  return wrongUsage({ message: messageFor(error, command), remedy: remedyFor(error, command) }, error);
}

function messageFor(error: CommanderError, command: Command): string {
  if (error.code === 'commander.unknownOption') return unknownOption(quoted(error), command);
  if (error.code === 'commander.unknownCommand') return unknownCommand(command);
  if (error.code === 'commander.optionMissingArgument') return `option ${quoted(error)} needs a value`;
  if (COUNT_ERRORS.has(error.code)) return wrongCount(command);
  if (error.code === 'commander.invalidArgument') return wrongChoice(quoted(error), command);
  return error.message.replace(/^error: /, '');
}

function remedyFor(error: CommanderError, command: Command): string {
  const help = `see ${commandLine(command)} --help`;
  if (COUNT_ERRORS.has(error.code)) return `usage: ${commandLine(command)} ${command.usage()}`;
  const [word = ''] = command.args;
  if (error.code !== 'commander.unknownCommand' || !looksLikeTarget(word)) return help;
  return `to run a target: ${commandLine(command)} run ${word}; ${help}`;
}

/** The parser names the culprit first between quotes; of what it says about a choice, other quotes follow. */
function quoted(error: CommanderError): string {
  return /'(.*)' is invalid for argument '/s.exec(error.message)?.[1] ?? /'(.*)'/s.exec(error.message)?.[1] ?? '';
}

/** No command has two arguments of which one is a choice. */
function wrongChoice(given: string, command: Command): string {
  const [argument] = command.registeredArguments;
  return `invalid ${argument?.name()} ${JSON.stringify(given)}: expected one of ${argument?.argChoices?.join(', ')}`;
}

/** Names are compared without their dashes, which would make any two of them look alike. */
function unknownOption(given: string, command: Command): string {
  const [flag = given] = given.split('=', 1);
  const word = flag.replace(/^-+/, '');
  const suggestion = commandNamed(word, command) ?? optionNear(word, command);
  if (suggestion === flag) return `option ${JSON.stringify(flag)} takes no value, got ${JSON.stringify(given.slice(flag.length + 1))}`;
  const message = `unknown option ${JSON.stringify(flag)}`;
  return suggestion === undefined ? message : `${message}; did you mean ${JSON.stringify(suggestion)}?`;
}

function commandNamed(word: string, command: Command): string | undefined {
  return command.commands.some((child) => child.name() === word) ? `${commandLine(command)} ${word}` : undefined;
}

function optionNear(word: string, command: Command): string | undefined {
  const known = ancestry(command).flatMap(({ options }) => options.map((option) => option.name()));
  const found = nearest(word, [...known, 'help']);
  return found === undefined ? undefined : `--${found}`;
}

function unknownCommand(command: Command): string {
  const [word = ''] = command.args;
  if (isLaterCommand(word, command)) return `command ${JSON.stringify(word)} is not in this release of bach`;
  const names = command.commands.map((child) => child.name());
  return `unknown command ${JSON.stringify(word)}${didYouMean(word, names)}`;
}

function looksLikeTarget(word: string): boolean {
  return /^[\w-]+[/.][\w./@-]+$/.test(word);
}

function wrongCount(command: Command): string {
  const expected = command.registeredArguments.length;
  const received = command.args.map((word) => JSON.stringify(word)).join(' ');
  const wanted = expected === 0 ? 'no arguments' : `${expected} argument${expected === 1 ? '' : 's'}`;
  return `${commandLine(command)}: expected ${wanted}, got ${received === '' ? 'none' : received}`;
}

function commandLine(command: Command): string {
  return ancestry(command)
    .map((each) => each.name())
    .reverse()
    .join(' ');
}

/** The command and those above it, nearest first. */
function ancestry(command: Command): readonly Command[] {
  return command.parent === null ? [command] : [command, ...ancestry(command.parent)];
}
