import { Command, CommanderError } from 'commander';
import { textCall, type Call } from './call.ts';
import { fitPage, pageColumns } from './fit-page.ts';
import { usageError } from './usage.ts';
import { versionText } from './version.ts';

/** How the commands of one program look. */
export interface ProgramLook {
  /** How the user calls it: `bach`, `drover bach`, `drover`. */
  readonly name: string;
  /** The program whose version is told. */
  readonly version: string;
  /** Columns of the terminal. */
  readonly width: number | undefined;
}

/** Where an understood command line is left. */
export type Choose = (call: Call) => void;

/**
 * Reads a command line with the commands that `add` declares. Throws what is wrong with it as an error with exit code 2.
 *
 * @example
 * parseWith(argv, { name: 'bach', version: 'bach', width }, (program, choose) => addRun(program, choose));
 */
export function parseWith(argv: readonly string[], look: ProgramLook, add: (program: Command, choose: Choose) => void): Call {
  const written: string[] = [];
  let chosen: Call | undefined;
  const program = emptyProgram(look, (text) => void written.push(text));
  add(program, (call) => (chosen = call));
  try {
    program.parse(helpLast(argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
  }
  return chosen ?? textCall(fitPage(written.join(''), look.width));
}

/** The parser gives a leading `--help` to the program; what was meant is the command behind it. */
function helpLast(argv: readonly string[]): readonly string[] {
  const [first = '', ...rest] = argv;
  return first === '-h' || first === '--help' ? [...rest, first] : argv;
}

function emptyProgram({ name, version, width }: ProgramLook, write: (text: string) => void): Command {
  const columns = (): number => pageColumns(width);
  const widths = { getOutHelpWidth: columns, getErrHelpWidth: columns };
  return new Command(name)
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {}, ...widths })
    .configureHelp({ showGlobalOptions: true, minWidthToWrap: 20 })
    .helpOption('-h, --help', 'print this page')
    .version(versionText(version), '--version', 'print the version');
}

interface Description {
  readonly purpose: string;
  readonly example: string;
}

/** What the help page of a command says, and how its errors are told. */
export function describe(command: Command, { purpose, example }: Description): Command {
  return command
    .description(purpose)
    .helpCommand(false)
    .addHelpText('after', `\nExample:\n  ${example}`)
    .exitOverride((error) => {
      throw endingOf(error, command);
    });
}

/** A help page that was asked for ends the parsing too; the page of a command that does not exist is no answer. */
function endingOf(error: CommanderError, command: Command): Error {
  const [word = '-'] = command.args;
  if (error.code === 'commander.helpDisplayed' && command.commands.length > 0 && !word.startsWith('-')) {
    return usageError(new CommanderError(2, 'commander.unknownCommand', `no help for ${word}`), command);
  }
  // A page is no document: whoever asks for one has to name a command.
  if (error.code === 'commander.help' && command.optsWithGlobals<{ readonly json?: boolean }>().json === true) {
    return usageError(new CommanderError(2, 'drover.noCommand', 'no command is named'), command);
  }
  return error.exitCode === 0 || error.code === 'commander.help' ? error : usageError(error, command);
}
