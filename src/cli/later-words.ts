import type { Command } from 'commander';

/** What bach has by its reference and this release has not. */
const LATER = ['factory', 'plan', 'quality', 'report'];

export function isLaterCommand(word: string, command: Command): boolean {
  return isBach(command) && LATER.includes(word);
}

function isBach(command: Command): boolean {
  return command.name() === 'bach' || command.name().endsWith(' bach');
}
