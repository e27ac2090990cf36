import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ASKED_KINDS, everyCommand, listOf, type CommandWords } from '../../../src/bach/commands/completion-words.ts';
import type { CompletionInput } from '../../../src/bach/commands/completion.ts';
import { bach } from '../../../src/cli/bach-program.ts';
import { parseBach } from '../../../src/cli/bach-commands.ts';
import { perform } from '../../../src/cli/perform.ts';
import { stubVerbs, type Called } from '../../cli/fixtures/stub-verbs.ts';
import { bachProject, runIdIn } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

const FILE = `profile "shared" {}
profile "staging" {}
profile "prod" {}
shell "test" { command = ["true"] }
shell "two words" { command = ["true"] }
group "ci" { targets = [shell.test] }
alias "old" { target = shell.test }
`;

describe('bach complete', () => {
  test.each([
    ['targets', 'group/ci\nshell/test\nshell/two words\n'],
    ['targets-and-aliases', 'group/ci\nold\nshell/test\nshell/two words\n'],
    ['profiles', 'prod\nshared\nstaging\n'],
    ['runs', ''],
  ])('%s, where nothing has run: a name on each line, and nothing is written', async (kind, stdout) => {
    const project = bachProject(FILE);
    expect(await project.bach(['complete', kind])).toEqual({ exit: 0, stdout, stderr: '' });
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
  });

  test('runs, newest first, of the project that --file names', async () => {
    const project = bachProject(FILE);
    const first = runIdIn((await project.bach(['run', 'shell/test'])).stdout);
    const second = runIdIn((await project.bach(['run', '--force', 'shell/test'])).stdout);
    const before = readdirSync(project.at('.bach')).toSorted();
    const answer = await runCli(bach, ['-f', project.at('Bachfile'), 'complete', 'runs'], { cwd: temporaryFolder() });
    expect(answer).toEqual({ exit: 0, stdout: `${second}\n${first}\n`, stderr: '' });
    expect(readdirSync(project.at('.bach')).toSorted()).toEqual(before);
  });

  test.each([...ASKED_KINDS])('%s: nothing, and no word, where the project cannot tell', async (kind) => {
    const broken = bachProject('shell "x" {\n');
    const damaged = bachProject('');
    damaged.write('.bach/state.db', 'no database');
    for (const cwd of [temporaryFolder(), broken.folder, '/nonexistent']) {
      expect(await runCli(bach, ['complete', kind], { cwd })).toEqual({ exit: 0, stdout: '', stderr: '' });
    }
    expect(await damaged.bach(['complete', kind])).toEqual({ exit: 0, stdout: '', stderr: '' });
  });

  test('no plugin is run', async () => {
    const project = bachProject(`plugin "graph" {\n  type = "graph"\n  command = ["touch", "ran"]\n}\n${FILE}`);
    const { exit, stdout, stderr } = await project.bach(['complete', 'profiles']);
    expect({ exit, stdout, stderr, ran: existsSync(project.at('ran')) }).toEqual({ exit: 0, stdout: 'prod\nshared\nstaging\n', stderr: '', ran: false });
  });

  test('as a document; another kind is wrong usage', async () => {
    const project = bachProject(FILE);
    expect(JSON.parse((await project.bach(['complete', 'profiles', '--json'])).stdout)).toEqual({ profiles: ['prod', 'shared', 'staging'] });
    expect(await project.bach(['complete', 'walls'])).toMatchObject({ exit: 2, stdout: '' });
  });
});

describe('the commands that scripts are made from', () => {
  const commands = new Map<string, CommandWords>();

  beforeAll(async () => {
    const called: Called[] = [];
    await runCli((argv, host) => perform(() => parseBach(argv, { name: 'bach', verbs: stubVerbs(called), width: undefined }), host), ['completion', 'bash']);
    const [{ input } = { input: undefined }] = called;
    const { program } = input as CompletionInput;
    for (const command of everyCommand(program)) commands.set(command.path.join(' '), command);
  });

  test('each name that a project knows is asked for where it can stand', () => {
    const operands = [...commands].flatMap(([name, { operand }]) => (ASKED_KINDS.some((kind) => kind === operand) ? [[name, operand]] : []));
    expect(operands).toEqual([
      ['run', 'targets-and-aliases'],
      ['explain', 'targets-and-aliases'],
      ['runs inspect', 'runs'],
      ['artifacts', 'runs'],
      ['logs', 'runs'],
    ]);
    const valueOf = (name: string, flag: string) => commands.get(name)?.flags.find(({ names }) => names.includes(flag))?.value;
    for (const name of ['', 'run', 'logs']) expect(valueOf(name, '--profile')).toBe('profiles');
    for (const name of ['runs list', 'artifacts', 'logs']) expect(valueOf(name, '--target')).toBe('targets');
  });

  test.each([
    ['runs list', '--status'],
    ['artifacts', '--status'],
    ['graph', '--format'],
    ['init', '--provider'],
  ])('bach %s %s takes each word that is offered', async (name, flag) => {
    const value = commands.get(name)?.flags.find(({ names }) => names.includes(flag))?.value;
    const words = value === undefined ? [] : (listOf(value) ?? []);
    expect(words.length).toBeGreaterThan(0);
    for (const word of words) {
      const folder = temporaryFolder();
      if (name !== 'init') writeFileSync(join(folder, 'Bachfile'), `project "shop" {}\n${FILE}`);
      const argv = [...name.split(' '), flag, word, ...(name === 'init' ? ['--dry-run'] : [])];
      expect(await runCli(bach, argv, { cwd: folder })).toMatchObject({ exit: 0, stderr: '' });
    }
  });

  test('the command that scripts ask is none of those that they offer', () => {
    expect([...commands.keys()]).not.toContain('complete');
  });
});
