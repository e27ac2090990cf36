import type { Command } from 'commander';

interface LaterWords {
  readonly commands?: readonly string[];
  readonly options?: readonly string[];
}

const EVERYWHERE = ['--profile'];

/** What bach has by its reference and this release has not, by the words of the command that it stands behind. */
const LATER: Readonly<Record<string, LaterWords>> = {
  '': {
    commands: [
      'affected',
      'artifacts',
      'backend',
      'explain',
      'factory',
      'graph',
      'init',
      'plan',
      'provenance',
      'quality',
      'reference',
      'report',
    ],
  },
  run: { options: ['--dry-run', '-d', '--force', '--yes', '-y', '--log-only'] },
  list: { options: ['--aliases', '-a', '--generated'] },
  runs: { commands: ['inspect'] },
};

export function isLaterCommand(word: string, command: Command): boolean {
  return laterWords(command).commands?.includes(word) ?? false;
}

/** The option of a later release that `flag` is, or that a cluster such as `-dy` begins with. */
export function laterOption(flag: string, command: Command): string | undefined {
  const option = flag.startsWith('--') ? flag : flag.slice(0, 2);
  const { options = [] } = laterWords(command);
  const everywhere = isOfBach(command) ? EVERYWHERE : [];
  return everywhere.includes(option) || options.includes(option) ? option : undefined;
}

function laterWords(command: Command): LaterWords {
  return isOfBach(command) ? (LATER[wordsOf(command).join(' ')] ?? {}) : {};
}

function isOfBach(command: Command): boolean {
  return command.parent === null ? /\bbach$/.test(command.name()) : isOfBach(command.parent);
}

/** `['runs', 'list']`; none for the program itself. */
function wordsOf(command: Command): readonly string[] {
  return command.parent === null ? [] : [...wordsOf(command.parent), command.name()];
}
