import { didYouMean } from '../kernel/text/index.ts';
import { textCall, type Call } from './call.ts';
import { wrongUsage } from './errors.ts';
import { versionText } from './version.ts';

const WORDS = ['bach', '--help', '--version'];

const HELP = `Usage: drover [options] <system> [arguments]

Drive coding agents from written work to a commit that has proved itself.

Options:
  --version   print the version
  -h, --help  print this page

Systems:
  bach        run the targets of a Bachfile; the same as the command bach

Example:
  drover bach run shell/test
`;

/** Reads the command line of `drover`; what follows a system's name is that system's own. */
export async function parseDrover(argv: readonly string[], width: number | undefined): Promise<Call> {
  const [word, ...rest] = argv;
  if (word === 'bach') return parseSystem(rest, width);
  if (word === undefined || word === '-h' || word === '--help') return textCall(HELP);
  if (word === '--version') return textCall(versionText('drover'));
  throw wrongUsage({
    message: `unknown ${word.startsWith('-') ? 'option' : 'command'} ${JSON.stringify(word)}${didYouMean(word, WORDS)}`,
    remedy: 'see drover --help',
  });
}

async function parseSystem(argv: readonly string[], width: number | undefined): Promise<Call> {
  const [{ parseBach }, { bachVerbs }] = await Promise.all([import('./bach-commands.ts'), import('./bach-verbs.ts')]);
  return parseBach(argv, { name: 'drover bach', verbs: bachVerbs, width });
}
