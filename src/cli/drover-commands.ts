import { didYouMean } from '../kernel/text/index.ts';
import { textCall, type Call } from './call.ts';
import type { DeskVerbs } from './desk-verbs.ts';
import { wrongUsage } from './errors.ts';
import { fitPage } from './fit-page.ts';
import { versionText } from './version.ts';

export interface DroverSurface {
  /** Columns of the terminal. */
  readonly width: number | undefined;
  /** The words that start this program again; nothing where it is no process of its own. */
  readonly self?: readonly string[] | undefined;
  /** The verbs of drover's own commands; by default the real ones. */
  readonly verbs?: DeskVerbs;
}

/** Drover's own commands; what stands behind one is read by `desk-commands.ts`, loaded only then. */
const COMMANDS = ['config', 'doctor', 'explain', 'journal', 'selftest'];
const OPTIONS = ['--help', '--version', '--json'];

const HELP = `Usage: drover [options] <command> [arguments]

Have coding agents do written work, and land what passed its checks.

Options:
  --version   print the version
  -h, --help  print this page, or that of the command

Systems:
  bach        run the targets of a Bachfile; the same as the command bach

Commands:
  config      look at the configuration
  doctor      look whether this machine has what drover needs
  explain     say what an error means, by its code
  journal     look at the journals of runs
  selftest    try out on this machine what drover promises

Example:
  drover bach run shell/test
`;

/** Reads the command line of `drover`; what follows a system's name is that system's own. */
export async function parseDrover(argv: readonly string[], surface: DroverSurface): Promise<Call> {
  const [word, ...rest] = optionsLast(argv);
  if (word === 'bach') return parseSystem(rest, surface.width);
  if (word === undefined || asksForHelp(argv)) return textCall(fitPage(HELP, surface.width));
  if (word === '--version') return textCall(versionText('drover'));
  if (COMMANDS.includes(word)) return parseOwn([word, ...rest], surface);
  throw wrongUsage({ message: messageFor(word), remedy: 'see drover --help' });
}

/** Of drover itself: no command is named. */
function asksForHelp(argv: readonly string[]): boolean {
  return argv.every((word) => word.startsWith('-')) && argv.some((word) => ['-h', '--help'].includes(word));
}

function messageFor(word: string): string {
  if (word === '--json') return 'no command is named';
  if (word.startsWith('-')) return `unknown option ${JSON.stringify(word)}${didYouMean(word, OPTIONS)}`;
  return `unknown command ${JSON.stringify(word)}${didYouMean(word, ['bach', ...COMMANDS])}`;
}

/** What was asked before the command is meant for it. */
function optionsLast(argv: readonly string[]): readonly string[] {
  const [first = '', ...rest] = argv;
  const isOption = ['-h', '--help', '--json'].includes(first);
  return isOption && rest.some((word) => !word.startsWith('-')) ? [...optionsLast(rest), first] : argv;
}

async function parseSystem(argv: readonly string[], width: number | undefined): Promise<Call> {
  const [{ parseBach }, { bachVerbs }] = await Promise.all([import('./bach-commands.ts'), import('./bach-verbs.ts')]);
  return parseBach(argv, { name: 'drover bach', verbs: bachVerbs, width });
}

async function parseOwn(argv: readonly string[], { width, self, verbs }: DroverSurface): Promise<Call> {
  const [{ parseDesk }, { deskVerbs }] = await Promise.all([import('./desk-commands.ts'), import('./desk-verbs.ts')]);
  return parseDesk(argv, { verbs: verbs ?? deskVerbs, width, self });
}
