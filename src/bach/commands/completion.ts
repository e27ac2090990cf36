import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { fishScript } from './completion-fish.ts';
import { bashScript, zshScript } from './completion-posix.ts';
import type { CommandWords } from './completion-words.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

export interface CompletionInput {
  readonly shell: Shell;
  /** All commands of the program, as the command line declares them. */
  readonly program: CommandWords;
}

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `bach completion <shell>`: a script that the shell reads to complete commands, options and names of targets. */
export function completionVerb({ shell, program }: CompletionInput, _context: VerbContext): Promise<VerbResult> {
  const script = SCRIPTS[shell](program);
  return Promise.resolve({ exit: 0, json: { shell, script }, text: script });
}
