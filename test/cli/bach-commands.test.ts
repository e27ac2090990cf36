import { describe, expect, test } from 'vitest';
import { parseBach } from '../../src/cli/bach-commands.ts';
import type { Program } from '../../src/cli/host.ts';
import { perform } from '../../src/cli/perform.ts';
import { runCli } from '../support/cli.ts';
import { stubVerbs, type Called } from './fixtures/stub-verbs.ts';

async function bach(line: string | readonly string[]) {
  const called: Called[] = [];
  const program: Program = (argv, host) =>
    perform(() => parseBach(argv, { name: 'bach', verbs: stubVerbs(called), width: undefined }), host);
  const argv = typeof line === 'string' ? line.split(' ').filter((word) => word !== '') : line;
  return { ...(await runCli(program, argv)), called };
}

const common = { file: 'Bachfile', vars: [], profiles: [], json: false, verbose: false };
const pair = (name: string, value: string) => ({ name, value });
const run = { ...common, targets: [], jobs: undefined, envFile: undefined, dryRun: false, force: false, yes: false, logOnly: false };
const list = { ...common, aliases: false, generated: false };
const runsList = { ...common, limit: 10 };
const logs = { ...common, runId: 'R', failed: false, last: 20, errors: false };

describe('what each verb is given', () => {
  test.each([
    ['run', 'run', run],
    ['run a b', 'run', { ...run, targets: ['a', 'b'] }],
    ['run -j 4 a', 'run', { ...run, jobs: 4, targets: ['a'] }],
    ['run -j4 a', 'run', { ...run, jobs: 4, targets: ['a'] }],
    ['run --jobs=4 --env-file x.env', 'run', { ...run, jobs: 4, envFile: 'x.env' }],
    ['run -- -odd', 'run', { ...run, targets: ['-odd'] }],
    ['run --dry-run --force --yes --log-only a', 'run', { ...run, targets: ['a'], dryRun: true, force: true, yes: true, logOnly: true }],
    ['run a -dy', 'run', { ...run, targets: ['a'], dryRun: true, yes: true }],
    ['-f B run a', 'run', { ...run, file: 'B', targets: ['a'] }],
    ['run a -f B', 'run', { ...run, file: 'B', targets: ['a'] }],
    ['run -j 2 -f B a', 'run', { ...run, jobs: 2, file: 'B', targets: ['a'] }],
    ['--file=B validate', 'validate', { ...common, file: 'B' }],
    ['--var a=1 list --var b=x=y', 'list', { ...list, vars: [pair('a', '1'), pair('b', 'x=y')] }],
    ['list --var a= --var a=2', 'list', { ...list, vars: [pair('a', ''), pair('a', '2')] }],
    ['-v list', 'list', { ...list, verbose: true }],
    ['list --verbose', 'list', { ...list, verbose: true }],
    ['--profile a list -a --profile=b', 'list', { ...list, profiles: ['a', 'b'], aliases: true }],
    ['list --generated', 'list', { ...list, generated: true }],
    ['runs inspect R', 'runsInspect', { ...common, runId: 'R' }],
    ['artifacts', 'artifacts', { ...common, limit: 10 }],
    ['artifacts R --target shell/a', 'artifacts', { ...common, limit: 10, runId: 'R', target: 'shell/a' }],
    ['run a -v', 'run', { ...run, targets: ['a'], verbose: true }],
    ['runs list -v', 'runsList', { ...runsList, verbose: true }],
    ['runs list', 'runsList', runsList],
    ['runs list --runs-limit 0', 'runsList', { ...runsList, limit: 0 }],
    ['runs list --target shell/a --status failed', 'runsList', { ...runsList, target: 'shell/a', status: 'failed' }],
    ['runs list --since 24h --artifact dist', 'runsList', { ...runsList, since: '24h', artifact: 'dist' }],
    ['logs R', 'logs', logs],
    ['logs R --failed --errors --last 0', 'logs', { ...logs, failed: true, errors: true, last: 0 }],
    ['logs --target shell/a R', 'logs', { ...logs, target: 'shell/a' }],
  ])('bach %s', async (line, verb, input) => {
    const { called, exit, stdout } = await bach(line);
    expect(called).toEqual([{ verb, input }]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${verb} text\n` });
  });

  test.each([
    '--json list',
    'list --json',
    'runs list --json',
    '--json runs list',
    'logs R --json',
    'validate --json',
    'run a --json',
  ])('bach %s prints the document', async (line) => {
    const { called, stdout } = await bach(line);
    expect(stdout).toBe(`{\n  "verb": "${called[0]?.verb}"\n}\n`);
    expect(called[0]?.input).toMatchObject({ json: true });
  });
});

describe('what is refused, with exit code 2 and nothing on standard output', () => {
  test.each([
    ['shell/test', 'unknown command "shell/test"', 'to run a target: bach run shell/test; see bach --help'],
    ['shell.test', 'unknown command "shell.test"', 'to run a target: bach run shell.test; see bach --help'],
    ['lst', 'unknown command "lst"; did you mean "list"?', 'see bach --help'],
    ['help', 'unknown command "help"', 'see bach --help'],
    ['runs lst', 'unknown command "lst"; did you mean "list"?', 'see bach runs --help'],
    ['runs help', 'unknown command "help"', 'see bach runs --help'],
    ['lst --help', 'unknown command "lst"; did you mean "list"?', 'see bach --help'],
    ['--list', 'unknown option "--list"; did you mean "bach list"?', 'see bach --help'],
    ['--jsn list', 'unknown option "--jsn"; did you mean "--json"?', 'see bach --help'],
    ['list --force', 'unknown option "--force"', 'see bach list --help'],
    ['runs list -a', 'unknown option "-a"', 'see bach runs list --help'],
    ['run --job=4', 'unknown option "--job"; did you mean "--jobs"?', 'see bach run --help'],
    ['logs R --lats 3', 'unknown option "--lats"; did you mean "--last"?', 'see bach logs --help'],
    ['logs', 'bach logs: expected 1 argument, got none', 'usage: bach logs [options] <run-id>'],
    ['logs a b', 'bach logs: expected 1 argument, got "a" "b"', 'usage: bach logs [options] <run-id>'],
    ['list a', 'bach list: expected no arguments, got "a"', 'usage: bach list [options]'],
    ['validate a', 'bach validate: expected no arguments, got "a"', 'usage: bach validate [options]'],
    ['runs list a', 'bach runs list: expected no arguments, got "a"', 'usage: bach runs list [options]'],
    ['list --var x', 'invalid --var "x": expected name=value', 'correct the value of --var'],
    ['list --var =x', 'invalid --var "=x": expected name=value', 'correct the value of --var'],
    ['list --var', 'option --var <name=value> needs a value', 'see bach --help'],
    ['list -f', 'option -f, --file <path> needs a value', 'see bach --help'],
    ['run -j', 'option -j, --jobs <n> needs a value', 'see bach run --help'],
    ['run -j x', 'invalid --jobs "x": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['run -j 0', 'invalid --jobs "0": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['run -j 0x10', 'invalid --jobs "0x10": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['run -j 1e3', 'invalid --jobs "1e3": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['run -j 1.5', 'invalid --jobs "1.5": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['run -j 9999999999999999', 'invalid --jobs "9999999999999999": expected a whole number, 1 or more', 'correct the value of --jobs'],
    ['runs list --runs-limit -1', 'invalid --runs-limit "-1": expected a whole number, 0 or more', 'correct the value of --runs-limit'],
    ['logs R --last -3', 'invalid --last "-3": expected a whole number, 0 or more', 'correct the value of --last'],
    ['run --yes=1', 'option "--yes" takes no value, got "1"', 'see bach run --help'],
    ['--json=true list', 'option "--json" takes no value, got "true"', 'see bach --help'],
    ['run --env-file=', 'invalid --env-file "": expected a path', 'correct the value of --env-file'],
    ['list --file=', 'invalid --file "": expected a path', 'correct the value of --file'],
    ['completion tcsh', 'invalid shell "tcsh": expected one of bash, zsh, fish', 'see bach completion --help'],
    ["completion it's", 'invalid shell "it\'s": expected one of bash, zsh, fish', 'see bach completion --help'],
    ['logs R --last=', 'invalid --last "": expected a whole number, 0 or more', 'correct the value of --last'],
  ])('bach %s', async (line, message, remedy) => {
    expect(await bach(line)).toEqual({ called: [], exit: 2, stdout: '', stderr: `${message}\n${remedy}\n` });
  });

  test.each(['=', '=x', 'x', ''])('bach list --var %j: a pair needs a name and a sign', async (given) => {
    const { called, exit, stderr } = await bach(['list', '--var', given]);
    expect({ called, exit }).toEqual({ called: [], exit: 2 });
    expect(stderr).toMatch(/^invalid --var ".*": expected name=value\n/);
  });

  test('a word with quotes, spaces or control characters is named without harm', async () => {
    const { stderr } = await bach(['a\x1b[2J\n"b"']);
    expect(stderr).toBe('unknown command "a\\u001b[2J\\n\\"b\\""\nsee bach --help\n');
  });
});

describe('what a later release brings is refused by its name', () => {
  test.each(['factory', 'plan', 'quality', 'report'])('bach %s', async (word) => {
    const told = `command "${word}" is not in this release of bach\nsee bach --help\n`;
    for (const rest of [[], ['x', '--format', 'json'], ['--help']]) {
      expect(await bach([word, ...rest])).toEqual({ called: [], exit: 2, stdout: '', stderr: told });
    }
  });

  test('only where bach itself has it: elsewhere it is a word as any other', async () => {
    expect((await bach('runs plan')).stderr).toBe('unknown command "plan"\nsee bach runs --help\n');
  });
});

describe('version', () => {
  test.each(['--version', 'list --version', '--version run', '-f x --version'])('bach %s', async (line) => {
    const { called, exit, stdout, stderr } = await bach(line);
    expect({ called, exit, stdout, stderr }).toEqual({ called: [], exit: 0, stdout: 'bach dev\n', stderr: '' });
  });
});
