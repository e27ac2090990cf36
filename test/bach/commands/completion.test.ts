import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fishScript } from '../../../src/bach/commands/completion-fish.ts';
import { bashScript, zshScript } from '../../../src/bach/commands/completion-posix.ts';
import type { CommandWords, FlagWords } from '../../../src/bach/commands/completion-words.ts';
import { RUN_STATUSES } from '../../../src/bach/model/index.ts';
import { bach } from '../../../src/cli/bach-program.ts';
import { runCli } from '../../support/cli.ts';
import { testNeeding } from '../../support/needs.ts';
import { temporaryFolder } from '../../support/temp.ts';

const FILE: FlagWords = { names: ['-f', '--file'], purpose: 'load this', value: 'files' };
const HELP: FlagWords = { names: ['-h', '--help'], purpose: "the page that's asked for", value: undefined };

function command(path: readonly string[], more: Partial<CommandWords> = {}): CommandWords {
  return { path, purpose: `do ${path.join(' ')}`, flags: [FILE, HELP], operand: undefined, commands: [], ...more };
}

const JOBS: FlagWords = { names: ['-j', '--jobs'], purpose: 'how many', value: 'other' };
const TARGET: FlagWords = { names: ['--target'], purpose: 'one', value: 'targets' };
const PROFILE: FlagWords = { names: ['--profile'], purpose: 'a layer', value: 'profiles' };
const STATUS: FlagWords = { names: ['--status'], purpose: 'how it ended', value: 'statuses' };
const FORMAT: FlagWords = { names: ['--format'], purpose: 'how', value: ['json', 'mermaid'] };

const PROGRAM = command([], {
  commands: [
    command(['run'], { flags: [JOBS, PROFILE, FILE, HELP], operand: 'targets-and-aliases' }),
    command(['runs'], { commands: [command(['runs', 'list'], { flags: [TARGET, STATUS, FILE, HELP] }), command(['runs', 'inspect'], { operand: 'runs' })] }),
    command(['graph'], { flags: [FORMAT, FILE, HELP] }),
    command(['affected'], { operand: 'files' }),
    command(['completion'], { operand: ['bash', 'zsh'] }),
    command(['reference'], { operand: 'other' }),
  ],
});

/** A `bach` that lists these lines and notes how it was called. */
function stubIn(folder: string, listed: string): string {
  const path = join(folder, 'bach');
  writeFileSync(join(folder, 'listed'), listed);
  writeFileSync(path, `#!/bin/sh\nprintf '%s|' "$@" >> "${folder}/calls"\ncat "${folder}/listed"\necho noise >&2\n`);
  chmodSync(path, 0o755);
  return path;
}

interface Completing {
  readonly listed?: string;
  /** The words before the cursor are all but the last one. */
  readonly words: readonly string[];
  readonly cwd?: string;
}

const LISTED = 'group/ci\nshell/lint\nshell/test\n';
const COMMANDS = ['run', 'runs', 'graph', 'affected', 'completion', 'reference'];

/** What bash offers, each as it would be put on the command line. */
function inBash({ words, listed = LISTED, cwd }: Completing) {
  const folder = cwd ?? temporaryFolder();
  stubIn(folder, listed);
  writeFileSync(join(folder, 'script'), bashScript(PROGRAM));
  const drive = 'source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bach bach "${!#}" x; printf "%s\\n" "${COMPREPLY[@]}"';
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: folder };
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', drive, 'bash', ...words], { cwd: folder, env, encoding: 'utf8' });
  const calls = existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '';
  return { offered: stdout.split('\n').filter((line) => line !== ''), stderr, calls };
}

describe('bash', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['bach', ''], COMMANDS],
    [['bach', 'ru'], ['run', 'runs']],
    [['bach', '-'], ['-f', '--file', '-h', '--help']],
    [['bach', 'runs', ''], ['list', 'inspect']],
    [['bach', '-h', 'runs', 'l'], ['list']],
    [['bach', 'runs', 'list', '--'], ['--target', '--status', '--file', '--help']],
    [['bach', 'runs', 'list', '--status', ''], [...RUN_STATUSES]],
    [['bach', 'runs', 'list', '--status', 'f'], ['failed']],
    [['bach', 'run', '--j'], ['--jobs']],
    [['bach', 'graph', '--format', ''], ['json', 'mermaid']],
    [['bach', 'graph', '--format', 'm'], ['mermaid']],
    [['bach', 'graph', '--format', '='], ['json', 'mermaid']],
    [['bach', 'graph', '--format', '=', 'j'], ['json']],
    [['bach', 'completion', ''], ['bash', 'zsh']],
    [['bach', 'run', '-j', ''], []],
    [['bach', 'reference', ''], []],
    [['bach', 'frobnicate', ''], COMMANDS],
  ])('%j: %j, and bach is not started', (words, offered) => {
    expect(inBash({ words })).toEqual({ offered, stderr: '', calls: '' });
  });

  test.each<[readonly string[], readonly string[], string]>([
    [['bach', 'run', ''], ['group/ci', 'shell/lint', 'shell/test'], 'complete|targets-and-aliases|'],
    [['bach', 'run', 'shell/'], ['shell/lint', 'shell/test'], 'complete|targets-and-aliases|'],
    [['bach', 'run', 'group/ci', 'shell/t'], ['shell/test'], 'complete|targets-and-aliases|'],
    [['bach', 'run', '-j', '4', 'g'], ['group/ci'], 'complete|targets-and-aliases|'],
    [['bach', 'run', '-j', '=', '4', 'g'], ['group/ci'], 'complete|targets-and-aliases|'],
    [['bach', 'run', '--', '-'], [], 'complete|targets-and-aliases|'],
    [['bach', 'run', 'list', 'g'], ['group/ci'], 'complete|targets-and-aliases|'],
    [['bach', 'runs', 'list', '--target', 'shell/l'], ['shell/lint'], 'complete|targets|'],
    [['bach', 'runs', 'list', '--target', '=', 'shell/l'], ['shell/lint'], 'complete|targets|'],
    [['bach', 'run', '--profile', 'sh'], ['shell/lint', 'shell/test'], 'complete|profiles|'],
    [['bach', 'run', '--profile', '=', 'g'], ['group/ci'], 'complete|profiles|'],
    [['bach', 'runs', 'inspect', ''], ['group/ci', 'shell/lint', 'shell/test'], 'complete|runs|'],
    [['bach', '-f', 'b/Bachfile', 'run', 'g'], ['group/ci'], '--file=b/Bachfile|complete|targets-and-aliases|'],
    [['bach', 'run', '-fb', 'g'], ['group/ci'], '--file=b|complete|targets-and-aliases|'],
    [['bach', 'run', '--file=a b', 'g'], ['group/ci'], '--file=a b|complete|targets-and-aliases|'],
    [['bach', 'run', '--file', '=', 'b', 'g'], ['group/ci'], '--file=b|complete|targets-and-aliases|'],
  ])('%j: names %j, from bach %s', (words, offered, calls) => {
    expect(inBash({ words })).toEqual({ offered, stderr: '', calls });
  });

  test('a path below the home folder is resolved for bach', () => {
    const folder = temporaryFolder();
    expect(inBash({ words: ['bach', '-f', '~/x', 'run', 'g'], cwd: folder }).calls).toBe(`--file=${folder}/x|complete|targets-and-aliases|`);
  });

  test('files, where a file is meant', () => {
    const folder = temporaryFolder();
    for (const name of ['alpha.bach', 'beta']) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, 'albums'));
    for (const words of [['bach', '-f', 'al'], ['bach', 'affected', 'al'], ['bach', 'run', '--file', '=', 'al']]) {
      expect(inBash({ words, cwd: folder }).offered.toSorted()).toEqual(['albums', 'alpha.bach']);
    }
  });

  test('no target can run anything: names are data, and quoted where they are put in', () => {
    const listed = 'shell/$(touch${IFS}ran)\nshell/`touch${IFS}ran`\nshell/$(touch ran) b\nshell/a;touch${IFS}ran\nshell/*\n';
    const folder = temporaryFolder();
    const { offered, stderr } = inBash({ words: ['bach', 'run', 'shell/'], listed, cwd: folder });
    expect({ count: offered.length, stderr, ran: existsSync(join(folder, 'ran')) }).toEqual({ count: 5, stderr: '', ran: false });
    const { stdout } = spawnSync('bash', ['-c', `printf '%s\\n' ${offered.join(' ')}`], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('shell/$(touch${IFS}ran)\nshell/`touch${IFS}ran`\nshell/$(touch ran) b\nshell/a;touch${IFS}ran\nshell/*\n');
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  test('a bach that fails offers nothing and says nothing', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'script'), bashScript(PROGRAM));
    const drive = 'source ./script; COMP_WORDS=(./none run ""); COMP_CWORD=2; _bach ./none "" run; printf "%s" "${COMPREPLY[@]}"';
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', drive], { cwd: folder, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });
});


describe('shells that are not everywhere', () => {
  const scripts = new Map<string, string>();

  beforeAll(async () => {
    for (const shell of ['bash', 'zsh', 'fish']) scripts.set(shell, (await runCli(bach, ['completion', shell])).stdout);
  });

  test.each([
    ['bash', bashScript, 'complete -F _bach bach\n'],
    ['zsh', zshScript, 'compdef _bach bach; fi\n'],
    ['fish', fishScript, '\n'],
  ] as const)('%s: the script of the real commands ends as it should', (shell, _make, end) => {
    const script = scripts.get(shell) ?? '';
    expect(script.endsWith(end)).toBe(true);
    for (const word of ['validate', 'reference', '--dry-run']) expect(script).toContain(shell === 'fish' ? word.replace(/^--/, '-l ') : word);
  });

  for (const [shell, check] of [['bash', '-n'], ['zsh', '-n'], ['fish', '--no-execute']] as const) {
    testNeeding(shell, `${shell} reads it without a complaint`, () => {
      const path = join(temporaryFolder(), 'script');
      writeFileSync(path, scripts.get(shell) ?? '');
      expect(spawnSync(shell, [check, path], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    });
  }

  testNeeding('fish', 'fish offers commands, options and targets', () => {
    const folder = temporaryFolder();
    stubIn(folder, LISTED);
    writeFileSync(join(folder, 'script'), fishScript(PROGRAM));
    const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: folder };
    const offered = (line: string): readonly string[] => {
      const argv = ['--no-config', '-c', `source ./script; complete -C ${JSON.stringify(line)}`];
      const { stdout } = spawnSync('fish', argv, { cwd: folder, env, encoding: 'utf8' });
      return stdout.split('\n').filter((text) => text !== '').map((text) => text.split('\t')[0] ?? '').toSorted();
    };
    expect(offered('bach ru')).toEqual(['run', 'runs']);
    expect(offered('bach runs ')).toEqual(['inspect', 'list']);
    expect(offered('bach -f x run --j')).toEqual(['--jobs']);
    expect(offered('bach run sh')).toEqual(['shell/lint', 'shell/test']);
    expect(offered('bach runs list --target g')).toEqual(['group/ci']);
    expect(offered('bach runs list --status fa')).toEqual(['failed']);
    expect(offered('bach run --profile sh')).toEqual(['shell/lint', 'shell/test']);
    expect(offered('bach runs inspect gr')).toEqual(['group/ci']);
    expect(offered('bach graph --format ')).toEqual(['json', 'mermaid']);
    // It asks for everything that may stand there, also where an option is typed.
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('complete|');
    expect(calls).toEqual(expect.arrayContaining(['--file=x|', 'targets-and-aliases|', 'targets|', 'profiles|', 'runs|']));
  });

  testNeeding('zsh', 'zsh offers commands, options and targets', () => {
    const folder = temporaryFolder();
    stubIn(folder, LISTED);
    writeFileSync(join(folder, 'script'), zshScript(PROGRAM));
    const env = { PATH: `${folder}${delimiter}${process.env['PATH']}`, HOME: folder };
    // Outside of its editor zsh has none of these.
    const stubs = 'compdef() { : }; compset() { : }; _files() { print files }; compadd() { shift; print -l -- "$@" }';
    const offered = (...words: readonly string[]): readonly string[] => {
      const drive = `${stubs}; source ./script; words=("$@"); CURRENT=$#; f() { _bach }; f`;
      const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', drive, 'zsh', ...words], { cwd: folder, env, encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').filter((text) => text !== '');
    };
    expect(offered('bach', 'ru')).toEqual(COMMANDS);
    expect(offered('bach', 'runs', '')).toEqual(['list', 'inspect']);
    expect(offered('bach', '-f', 'x', 'runs', 'list', '-')).toEqual(['--target', '--status', '-f', '--file', '-h', '--help']);
    expect(offered('bach', '-f', 'a\\ b', 'run', '')).toEqual(['group/ci', 'shell/lint', 'shell/test']);
    expect(offered('bach', 'runs', 'list', '--target=')).toEqual(['group/ci', 'shell/lint', 'shell/test']);
    expect(offered('bach', 'graph', '--format', '')).toEqual(['json', 'mermaid']);
    expect(offered('bach', 'runs', 'list', '--status', '')).toEqual(RUN_STATUSES);
    expect(offered('bach', 'run', '--profile', '')).toEqual(['group/ci', 'shell/lint', 'shell/test']);
    expect(offered('bach', 'runs', 'inspect', '')).toEqual(['group/ci', 'shell/lint', 'shell/test']);
    expect(offered('bach', 'affected', '')).toEqual(['files']);
    expect(offered('bach', 'run', '-j', '')).toEqual([]);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('--file=a b|complete|targets-and-aliases|complete|targets|complete|profiles|complete|runs|');
  });
});

describe('the verb', () => {
  test('prints the script, as text or in a document', async () => {
    const { exit, stdout, stderr } = await runCli(bach, ['completion', 'bash'], { cwd: '/nonexistent' });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const document = await runCli(bach, ['completion', 'bash', '--json']);
    expect(JSON.parse(document.stdout)).toEqual({ shell: 'bash', script: stdout.replace(/\n$/, '') });
  });

  test.each([[[]], [['csh']], [['bash', 'zsh']]])('%j is wrong usage', async (words) => {
    expect(await runCli(bach, ['completion', ...words])).toMatchObject({ exit: 2, stdout: '' });
  });
});
