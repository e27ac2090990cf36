import { Argument, type Command } from 'commander';
import type { AskedKind, CompletionInput, ProjectInput, Shell } from '../bach/commands/index.ts';
import type { BachVerbs } from './bach-verbs.ts';
import { verbCall } from './call.ts';
import { describe, type Choose } from './command-line.ts';
import { commandWords } from './command-words.ts';

interface WordCommands {
  /** How the user calls the program. */
  readonly name: string;
  readonly verbs: BachVerbs;
  readonly choose: Choose;
  /** What the options before the command say. */
  readonly project: () => ProjectInput;
}

interface SharedOptions {
  readonly file: string;
  readonly json?: boolean;
}

/** In the words of `ASKED_KINDS`, which only the verb loads. */
const KINDS: readonly AskedKind[] = ['targets', 'targets-and-aliases', 'profiles', 'runs'];

const SHELLS: readonly Shell[] = ['bash', 'zsh', 'fish'];

/** The commands that explain bach, begin with it, or help to type it; none of them runs anything of a Bachfile. */
export function addWordCommands(program: Command, commands: WordCommands): void {
  addReference(program, commands);
  addInit(program, commands);
  addCompletion(program, commands);
  addComplete(program, commands);
}

function addReference(program: Command, { name, verbs, choose }: WordCommands): void {
  describe(program.command('reference [query...]'), {
    purpose: 'List the topics of the reference, or print what matches.',
    example: `${name} reference shell-targets`,
  }).action((words: readonly string[]) => {
    choose(verbCall({ load: verbs.reference, input: { words }, json: shared(program).json === true }));
  });
}

function addInit(program: Command, { name, verbs, choose }: WordCommands): void {
  describe(program.command('init'), {
    purpose: 'Make a first Bachfile, and an AGENTS.md beside it.',
    example: `${name} init --dry-run`,
  })
    .option('-d, --dry-run', 'only say what would be created')
    .option('-p, --provider <name>', 'have opencode write the files')
    // The verb says better than a count what is wrong with words that stand here.
    .allowExcessArguments(true)
    .action((own: { readonly dryRun?: boolean; readonly provider?: string }, command: Command) => {
      const { file, json = false } = shared(program);
      const input = { file, dryRun: own.dryRun ?? false, provider: own.provider, words: command.args };
      choose(verbCall({ load: verbs.init, input, json, stoppable: true }));
    });
}

function addCompletion(program: Command, { name, verbs, choose }: WordCommands): void {
  describe(program.command('completion'), {
    purpose: 'Print a script that has a shell complete commands and targets.',
    example: `source <(${name} completion bash)`,
  })
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: CompletionInput['shell']) => {
      const input = { shell, program: commandWords(program) };
      choose(verbCall({ load: verbs.completion, input, json: shared(program).json === true }));
    });
}

/** Only scripts use it, so that no help page lists it. */
function addComplete(program: Command, { name, verbs, choose, project }: WordCommands): void {
  describe(program.command('complete', { hidden: true }), {
    purpose: 'Print what the script of a shell offers, one name on each line.',
    example: `${name} complete runs`,
  })
    .addArgument(new Argument('<kind>').choices(KINDS))
    .action((kind: AskedKind) => {
      const input = { ...project(), kind };
      choose(verbCall({ load: verbs.complete, input, json: input.json, settings: 'tell' }));
    });
}

function shared(program: Command): SharedOptions {
  return program.opts<SharedOptions>();
}
