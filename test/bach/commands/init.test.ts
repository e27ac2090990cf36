import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { FakeSignals, runCli, type CliOptions, type CliResult } from '../../support/cli.ts';
import { isRunning } from '../../support/process/workbench.ts';
import { temporaryFolder } from '../../support/temp.ts';

const PATH = process.env['PATH'] ?? '';

interface Setting {
  readonly folder: string;
  readonly at: (...names: readonly string[]) => string;
  readonly init: (...words: readonly string[]) => Promise<CliResult>;
}

function settingIn(folder: string, options: CliOptions = {}): Setting {
  return {
    folder,
    at: (...names) => join(folder, ...names),
    init: (...words) => runCli(bach, ['init', ...words], { cwd: folder, ...options }),
  };
}

/** A folder named `shop`, so that the name of the project is known. */
function setting(name = 'shop', options: CliOptions = {}): Setting {
  const folder = join(temporaryFolder(), name);
  mkdirSync(folder);
  return settingIn(folder, options);
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

describe('plain', () => {
  test('makes both files, which are valid and readable for all', async () => {
    const { folder, at, init } = setting();
    const told = `created ${at('Bachfile')}\ncreated ${at('AGENTS.md')}\n`;
    expect(await init()).toEqual({ exit: 0, stdout: told, stderr: '' });
    expect(read(at('Bachfile'))).toBe('project "shop" {\n  root = "."\n}\n');
    for (const word of ['bach list', 'bach explain', 'bach run --dry-run', 'bach logs']) expect(read(at('AGENTS.md'))).toContain(word);
    expect(statSync(at('Bachfile')).mode & 0o444).toBe(0o444 & ~process.umask());
    expect(readdirSync(folder).toSorted()).toEqual(['AGENTS.md', 'Bachfile']);
    expect((await runCli(bach, ['validate'], { cwd: folder })).stdout).toBe('Bachfile valid: 0 targets, 0 aliases, 0 inputs, 0 profiles\n');
  });

  test.each([
    ['my shop', 'my-shop'],
    ['a"b${c}\\d', 'a-b-c-d'],
    ['Grüße_1.2-x', 'Grüße_1.2-x'],
    ['-"-', 'project'],
    ['${x}', 'x'],
    ['line\nbreak', 'line-break'],
  ])('a folder %j gives the project %j', async (name, project) => {
    const { folder, at, init } = setting(name);
    expect((await init()).exit).toBe(0);
    expect(read(at('Bachfile')).split('\n')[0]).toBe(`project "${project}" {`);
    expect((await runCli(bach, ['validate'], { cwd: folder })).exit).toBe(0);
  });

  test('--file chooses the place, and what stands in the current folder does not matter', async () => {
    const { at, init } = setting();
    mkdirSync(at('sub'));
    writeFileSync(at('Bachfile'), 'mine');
    const { exit, stdout } = await init('--file', 'sub/other.bach');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `created ${at('sub/other.bach')}\ncreated ${at('sub/AGENTS.md')}\n` });
    expect(read(at('sub/other.bach'))).toContain('project "sub"');
    expect(read(at('Bachfile'))).toBe('mine');
  });

  test('a folder that is not there is named, and nothing is made', async () => {
    const { folder, at, init } = setting();
    const { exit, stdout, stderr } = await init('-f', 'gone/Bachfile');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(at('gone/Bachfile'));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('--dry-run says so and writes nothing', async () => {
    const { folder, at, init } = setting();
    const told = `would create ${at('Bachfile')}\nwould create ${at('AGENTS.md')}\n`;
    for (const flag of ['--dry-run', '-d']) expect(await init(flag)).toEqual({ exit: 0, stdout: told, stderr: '' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the documents', async () => {
    const { at, init } = setting();
    const files = [at('Bachfile'), at('AGENTS.md')];
    expect(JSON.parse((await init('--dry-run', '--json')).stdout)).toEqual({ dry_run: true, files });
    expect(JSON.parse((await init('--json')).stdout)).toEqual({ dry_run: false, files });
  });
});

const makeExisting: readonly (readonly [string, (path: string) => void])[] = [
  ['a file', (path) => writeFileSync(path, 'mine')],
  ['a folder', (path) => mkdirSync(path)],
  ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
];

describe('what exists is refused before anything is written', () => {
  test.each(['Bachfile', 'AGENTS.md'].flatMap((name) => makeExisting.map(([what, make]) => [name, what, make] as const)))(
    '%s is %s',
    async (name, _what, make) => {
      for (const words of [[], ['--dry-run'], ['-p', 'opencode'], ['-p', 'opencode', '-d']]) {
        const { folder, at, init } = setting();
        make(at(name));
        const { exit, stdout, stderr } = await init(...words);
        expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
        expect(stderr).toMatch(/^refusing to overwrite existing file /);
        expect(stderr.split('\n')[0]).toBe(`refusing to overwrite existing file ${at(name)}`);
        expect(readdirSync(folder)).toEqual([name]);
        expect(lstatSync(at(name)).isFile() ? read(at(name)) : 'mine').toBe('mine');
      }
    },
  );

  test('both are named', async () => {
    const { at, init } = setting();
    for (const name of ['Bachfile', 'AGENTS.md']) writeFileSync(at(name), 'mine');
    const { stderr } = await init();
    expect(stderr.split('\n').slice(0, 2)).toEqual(['Bachfile', 'AGENTS.md'].map((name) => `refusing to overwrite existing file ${at(name)}`));
  });
});

describe('words that are refused', () => {
  test.each([[['x']], [['x', 'y']], [['x', '--dry-run']], [['--provider', 'opencode', 'x']]])('init %j', async (words) => {
    const { folder, init } = setting();
    const { exit, stdout, stderr } = await init(...words);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toBe('init does not accept positional arguments');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([['foo'], ['OpenCode'], ['']])('init -p %j', async (provider) => {
    const { folder, init } = setting();
    const { exit, stdout, stderr } = await init('-p', provider);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr.split('\n')[0]).toBe(`unsupported: init provider ${JSON.stringify(provider)}`);
    expect(readdirSync(folder)).toEqual([]);
  });
});

const STAGED = '.bach/init/outputs';
const STAGE_BOTH = `printf 'project "made" {}\\n' > ${STAGED}/Bachfile; echo '# Agents' > ${STAGED}/AGENTS.md`;

/** A folder in which `opencode` is this script. */
function provided(script: string, options: CliOptions = {}): Setting {
  const tools = temporaryFolder();
  writeFileSync(join(tools, 'opencode'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(tools, 'opencode'), 0o755);
  return setting('shop', { env: { PATH: `${tools}${delimiter}${PATH}`, HOME: tools }, ...options });
}

function installed({ folder }: Setting): readonly string[] {
  return readdirSync(folder).filter((name) => name !== '.bach').toSorted();
}

describe('--provider opencode', () => {
  test('gets the prompt, and what it stages is installed', async () => {
    const made = provided(`printf '%s|' "$#" "$1" > seen; printf '%s' "$2" > prompt; pwd > where; ${STAGE_BOTH}; echo working; echo louder >&2`);
    const { exit, stdout, stderr } = await made.init('--provider', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `created ${made.at('Bachfile')}\ncreated ${made.at('AGENTS.md')}\n` });
    expect(stderr.split('\n').toSorted()).toEqual(expect.arrayContaining(['louder', 'working']));
    expect(read(made.at('Bachfile'))).toBe('project "made" {}\n');
    expect(read(made.at('AGENTS.md'))).toBe('# Agents\n');
    expect(read(made.at('seen'))).toBe('2|run|');
    expect(read(made.at('where'))).toBe(`${made.folder}\n`);
    const prompt = read(made.at('.bach/init/opencode-prompt.md'));
    expect(read(made.at('prompt'))).toBe(prompt);
    for (const name of ['Bachfile', 'AGENTS.md']) expect(prompt).toContain(`${STAGED}/${name}`);
    expect(statSync(made.at('.bach/init/opencode-prompt.md')).mode & 0o077).toBe(0);
    expect(read(made.at('.bach/init/opencode.log'))).toContain('working');
    expect(existsSync(made.at('.bach/init/init.lock'))).toBe(false);
  });

  test('with --file the staged Bachfile gets the name that was chosen', async () => {
    const made = provided(STAGE_BOTH);
    mkdirSync(made.at('sub'));
    expect((await made.init('-p', 'opencode', '-f', 'sub/x.bach')).exit).toBe(0);
    expect(read(made.at('sub/x.bach'))).toBe('project "made" {}\n');
    expect(existsSync(made.at('sub/AGENTS.md'))).toBe(true);
    expect(read(made.at('sub/.bach/init/opencode-prompt.md'))).toContain('x.bach');
    expect(installed(made)).toEqual(['sub']);
  });

  test('--dry-run tells the command, starts nothing and writes nothing', async () => {
    const made = provided('touch started');
    const told = `would run opencode run <prompt> in ${made.folder}\nexpected outputs: ${STAGED}/Bachfile, ${STAGED}/AGENTS.md\n`;
    expect(await made.init('-p', 'opencode', '--dry-run')).toEqual({ exit: 0, stdout: told, stderr: '' });
    const { provider } = JSON.parse((await made.init('-p', 'opencode', '-d', '--json')).stdout) as { provider: { command: readonly string[] } };
    expect(provider).toMatchObject({ name: 'opencode', root: made.folder, outputs: [`${STAGED}/Bachfile`, `${STAGED}/AGENTS.md`] });
    expect(provider.command.slice(0, 2)).toEqual(['opencode', 'run']);
    expect(readdirSync(made.folder)).toEqual([]);
  });

  test.each([
    ['nothing', ':', `${STAGED}/Bachfile, ${STAGED}/AGENTS.md`],
    ['only the Bachfile', `echo x > ${STAGED}/Bachfile`, `${STAGED}/AGENTS.md`],
    ['only AGENTS.md', `echo x > ${STAGED}/AGENTS.md`, `${STAGED}/Bachfile`],
  ])('staging %s installs nothing', async (_what, script, missing) => {
    const made = provided(script);
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr.split('\n')[0]).toBe(`missing input: init provider completed but staged files are missing: ${missing}`);
    expect(installed(made)).toEqual([]);
  });

  test('what an earlier provider left is not taken for the work of this one', async () => {
    const made = provided(':');
    mkdirSync(made.at(STAGED), { recursive: true });
    for (const name of ['Bachfile', 'AGENTS.md']) writeFileSync(made.at(STAGED, name), 'old');
    expect((await made.init('-p', 'opencode')).stderr).toMatch(/^missing input: /);
    expect(installed(made)).toEqual([]);
  });

  test.each([
    ['an empty file', `${STAGE_BOTH}; : > ${STAGED}/AGENTS.md`, /^invalid input: .*AGENTS\.md, which is empty\n/],
    ['no text', `${STAGE_BOTH}; printf '\\377' > ${STAGED}/Bachfile`, /^invalid input: .*Bachfile, which is not UTF-8\n/],
    ['a link', `${STAGE_BOTH}; rm ${STAGED}/Bachfile; ln -s /etc/hostname ${STAGED}/Bachfile`, /outputs\/Bachfile/],
    ['a folder', `${STAGE_BOTH}; rm ${STAGED}/Bachfile; mkdir ${STAGED}/Bachfile`, /outputs\/Bachfile/],
    ['a pipe', `${STAGE_BOTH}; rm ${STAGED}/Bachfile; mkfifo ${STAGED}/Bachfile`, /outputs\/Bachfile/],
    ['too much', `${STAGE_BOTH}; head -c 1100000 /dev/zero | tr '\\0' x > ${STAGED}/Bachfile`, /outputs\/Bachfile has 1100000 bytes/],
    ['a folder of links', `${STAGE_BOTH}; mv ${STAGED} away; ln -s ../../away ${STAGED}`, /outputs/],
  ])('staging %s installs nothing', async (_what, script, told) => {
    const made = provided(script);
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(told);
    expect(installed(made).filter((name) => name !== 'away')).toEqual([]);
  });

  test.each([
    ['fails', `${STAGE_BOTH}; echo broken; exit 3`, 'init provider opencode failed: exit status 3'],
    ['is killed', `${STAGE_BOTH}; kill -9 $$`, 'init provider opencode failed: ended by SIGKILL'],
  ])('one that %s after staging installs nothing', async (_what, script, told) => {
    const made = provided(script);
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`${told}\n`);
    expect(stderr).toContain(made.at('.bach/init/opencode.log'));
    expect(installed(made)).toEqual([]);
  });

  test('one that is not there is named', async () => {
    const made = setting('shop', { env: { PATH: '/nonexistent' } });
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    // It printed nothing, so that no log is named.
    expect(stderr.split('\n')).toEqual([
      'init provider opencode was not started: command not found: opencode (looked in PATH=/nonexistent)',
      'install opencode into a folder of the PATH; "bach init" without --provider needs no other program',
      '',
    ]);
    expect(installed(made)).toEqual([]);
  });

  test('one that cannot be executed is told with what helps there', async () => {
    const tools = temporaryFolder();
    writeFileSync(join(tools, 'opencode'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const made = setting('shop', { env: { PATH: tools } });
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^init provider opencode was not started: cannot execute \S+opencode: .+\ncorrect the #! line or install the interpreter; "bach init" without --provider needs no other program\n$/);
    expect(installed(made)).toEqual([]);
  });

  test('a file that it writes where ours would go is kept, and nothing of ours is left', async () => {
    const made = provided(`${STAGE_BOTH}; echo theirs > AGENTS.md`);
    const { exit, stdout, stderr } = await made.init('-p', 'opencode');
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(`refusing to overwrite existing file ${made.at('AGENTS.md')}\n`);
    expect(installed(made)).toEqual(['AGENTS.md']);
    expect(read(made.at('AGENTS.md'))).toBe('theirs\n');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends one that hangs with all that it started, and installs nothing', async (signal, exit) => {
    const signals = new FakeSignals();
    const made = provided(`${STAGE_BOTH}; sleep 600 & echo $! > child; wait`, { signals });
    const running = made.init('-p', 'opencode');
    while (!existsSync(made.at('child')) || read(made.at('child')) === '') await new Promise((resolve) => setTimeout(resolve, 10));
    signals.send(signal);
    const ended = await running;
    expect({ exit: ended.exit, stdout: ended.stdout }).toEqual({ exit, stdout: '' });
    expect(ended.stderr).toContain(`stopped by ${signal}; nothing was installed\n`);
    expect(installed(made)).toEqual(['child']);
    const child = Number(read(made.at('child')));
    expect(child).toBeGreaterThan(1);
    expect(isRunning(child)).toBe(false);
  });

  test('a second signal does not wait for one that will not end', async () => {
    const signals = new FakeSignals();
    const made = provided(`trap '' TERM; echo x > ready; while :; do sleep 1; done`, { signals });
    const running = made.init('-p', 'opencode');
    while (!existsSync(made.at('ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
    signals.send('SIGINT');
    signals.send('SIGINT');
    expect((await running).exit).toBe(130);
    expect(installed(made)).toEqual(['ready']);
  });

  test('a stop that comes while it ends well installs nothing either', async () => {
    const signals = new FakeSignals();
    const made = provided(`trap 'exit 0' TERM; ${STAGE_BOTH}; echo x > ready; while :; do sleep 0.05; done`, { signals });
    const running = made.init('-p', 'opencode');
    while (!existsSync(made.at('ready'))) await new Promise((resolve) => setTimeout(resolve, 10));
    signals.send('SIGINT');
    expect((await running).exit).toBe(130);
    expect(installed(made)).toEqual(['ready']);
  });

  test('two at once do not share their files', async () => {
    const made = provided(`while [ ! -e go ]; do sleep 0.02; done; ${STAGE_BOTH}`);
    const first = made.init('-p', 'opencode');
    while (!existsSync(made.at('.bach/init/opencode.log'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const second = await made.init('-p', 'opencode');
    writeFileSync(made.at('go'), '');
    expect({ exit: second.exit, told: second.stderr.split('\n')[0] }).toEqual({ exit: 1, told: `another bach init is at work in ${made.folder}` });
    expect((await first).exit).toBe(0);
    expect(installed(made)).toEqual(['AGENTS.md', 'Bachfile', 'go']);
  });

  test('its output is masked, on the terminal and in its log', async () => {
    const tools = temporaryFolder();
    writeFileSync(join(tools, 'opencode'), `#!/bin/sh\necho "it is $API_TOKEN"; ${STAGE_BOTH}\n`, { mode: 0o755 });
    const made = setting('shop', { env: { PATH: `${tools}${delimiter}${PATH}`, API_TOKEN: 'correct-horse-battery' } });
    const { exit, stderr } = await made.init('-p', 'opencode');
    expect(exit).toBe(0);
    for (const text of [stderr, read(made.at('.bach/init/opencode.log'))]) {
      expect(text).toContain('it is *');
      expect(text).not.toContain('correct-horse');
    }
  });

  test('a .bach that leads elsewhere is not followed', async () => {
    const made = provided('touch started');
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, made.at('.bach'));
    expect((await made.init('-p', 'opencode')).exit).toBe(1);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(existsSync(made.at('started'))).toBe(false);
  });
});
