import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { bachProject } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { printedBy, refusalOf, shell } from './support.ts';

/** Each flag of the reference's list, as help shows it, and the verbs that have it; nobody else takes it. */
const FLAGS: readonly (readonly [help: string, flag: readonly string[], verbs: readonly string[]])[] = [
  ['-a, --aliases', ['--aliases'], ['list']],
  ['--generated', ['--generated'], ['list']],
  ['--runs-limit <n>', ['--runs-limit', '3'], ['runs list', 'artifacts']],
  ['--target <target>', ['--target', 'shell/a'], ['runs list', 'artifacts', 'logs x']],
  ['--status <status>', ['--status', 'failed'], ['runs list', 'artifacts']],
  ['--since <duration|time>', ['--since', '24h'], ['runs list', 'artifacts']],
  ['--artifact <path>', ['--artifact', 'log'], ['runs list', 'artifacts']],
  ['--failed', ['--failed'], ['logs x']],
  ['--last <n>', ['--last', '3'], ['logs x']],
  ['--errors', ['--errors'], ['logs x']],
  ['-d, --dry-run', ['--dry-run'], ['run', 'init', 'runs prune']],
  ['-p, --provider <name>', ['--provider', 'opencode'], ['init']],
  ['--force', ['--force'], ['run']],
  ['-y, --yes', ['--yes'], ['run']],
  ['--env-file <path>', ['--env-file', 'own.env'], ['run']],
  ['--log-only', ['--log-only'], ['run']],
  ['-j, --jobs <n>', ['--jobs', '2'], ['run']],
  ['--format <form>', ['--format', 'json'], ['graph']],
];

const GLOBAL = ['-f, --file <path>', '--var <name=value>', '--profile <name>', '-v, --verbose', '--json', '--version'];

const VERBS = ['run', 'list', 'explain shell/a', 'graph', 'affected a', 'provenance a', 'artifacts', 'validate', 'runs list', 'runs inspect x', 'runs prune', 'logs x', 'reference', 'init'];

async function helpOf(line: string): Promise<string> {
  const verb = line.split(' ').filter((word) => !['x', 'a', 'shell/a'].includes(word));
  return (await runCli(bach, [...verb, '--help'], { cwd: temporaryFolder() })).stdout;
}

/** The flags of a help page, each without what stands for its value. */
const flagsIn = (page: string): readonly string[] => [...page.matchAll(/^ {2}((?:-\w, )?--[\w-]+)/gm)].map(([, flag = '']) => flag);

const named = (help: string): string => help.replace(/ <.*$/, '');

describe('the flags of the reference', () => {
  test.each(FLAGS)('[bach-flag-list] %s is in the help of its verbs, and of no other', async (help, _, verbs) => {
    for (const verb of VERBS) expect([verb, flagsIn(await helpOf(verb)).includes(named(help))]).toEqual([verb, verbs.includes(verb)]);
  });

  test.each(FLAGS)('[bach-flag-list] %s is refused by every other verb', async (_, flag, verbs) => {
    const project = bachProject(shell('a', 'touch ran'));
    for (const verb of VERBS.filter((each) => !verbs.includes(each))) {
      expect(await refusalOf(project, 2, ...verb.split(' '), ...flag)).toContain(flag[0]);
    }
  });

  test.each(GLOBAL)('[bach-flag-list] %s is in the help of every verb', async (help) => {
    for (const verb of VERBS) expect([verb, flagsIn(await helpOf(verb)).includes(named(help))]).toEqual([verb, true]);
  });

  test('[bach-global-flags-all] --profile, --verbose, -v and --version before the verb', async () => {
    const project = bachProject(`profile "p" {\n  env {\n    WHO = "profile"\n  }\n}\n${shell('a', 'echo $WHO', 'quiet = true')}`);
    for (const flag of ['-v', '--verbose']) {
      expect(await printedBy(project, '--profile', 'p', flag, 'run', 'shell/a')).toContain(' [shell/a] profile\n');
      expect(await printedBy(project, flag, 'list')).toMatch(/^TARGET /);
    }
    expect(await printedBy(project, '--version', 'run', 'shell/a')).toBe('bach dev\n');
  });
});
