import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';

/** Further verbs that run plugins, with the words that make them print a document. */
const VERBS = [
  ['graph', '--format', 'json'],
  ['affected', '--json', 'x'],
  ['provenance', '--json', 'x'],
  ['explain', '--json', 'shell/use'],
  ['run', '--dry-run', '--json', 'shell/use'],
];
const REMEDY = 'run the command of the plugin by hand to see what it prints; "bach validate" checks the Bachfile without plugins\n';

/** Two plugins, of which only `p` runs the script; a target that would leave a file. */
function withPlugin(script: string): BachProject {
  const plugins = 'plugin "q" { shell = "echo {}" }\nplugin "p" {\n  command = ["sh", "plugin.sh"]\n  sources = { s = ["x"] }\n}\n';
  const project = bachProject(`${plugins}shell "use" {\n  shell  = "touch ran"\n  inputs = [plugin.p.s]\n}\n`);
  project.write('plugin.sh', script);
  return project;
}

const emits = (document: unknown): string => `cat <<'END'\n${typeof document === 'string' ? document : JSON.stringify(document)}\nEND\n`;

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

const pidIn = (project: BachProject, file: string): number => (existsSync(project.at(file)) ? Number(project.read(file)) : 0);

function isGone(pid: number): boolean {
  expect(pid).toBeGreaterThan(1);
  // A zombie is gone: it only waits for its parent.
  return !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

describe('a plugin that does not do its part', () => {
  test.each<[string, string, string | RegExp]>([
    ['ends with a code and says why', 'echo "{}"; echo why >&2; exit 3\n', `plugin "p" failed: exit status 3\nwhy\n${REMEDY}`],
    ['ends with a code and says nothing', 'exit 127\n', `plugin "p" failed: exit status 127\n${REMEDY}`],
    ['is ended by a signal', 'kill -9 $$\n', `plugin "p" failed: ended by SIGKILL\n${REMEDY}`],
    ['prints garbage', 'echo "{ not json"\n', /^plugin "p" emitted invalid JSON: [^\n]+\nrun the command of the plugin by hand[^\n]+\n$/],
    ['prints bytes that are no text', "printf '\\377{}'\n", /^plugin "p" emitted invalid JSON: [^\n]+\nrun the command of the plugin by hand[^\n]+\n$/],
    ['prints a document and then a note', `${emits('{}')}echo done\n`, /^plugin "p" emitted invalid JSON: [^]+\nrun the command of the plugin by hand[^\n]+\n$/],
    ['prints half a document', "printf '{\"inputs\": {'\n", /^plugin "p" emitted invalid JSON: [^\n]+\nrun the command of the plugin by hand[^\n]+\n$/],
    ['prints another document', emits(['a']), `plugin "p" emitted invalid JSON: the document must be an object\n${REMEDY}`],
    ['names a path outside', emits({ inputs: { s: ['../x'] } }), `plugin "p" inputs "s": "../x" must stay under the project root\n${REMEDY}`],
    ['names a target wrongly', emits({ targets: { 'shell/use': {} } }), /^plugin "p" target "shell\/use": obsolete target reference[^\n]+\nrun the command/],
    ['adds to a target that is not there', emits({ targets: { 'shell.usw': {} } }), /^Bachfile:3:1: plugin "p" referenced missing target "shell\/usw"[^\n]*shell\/use[^\n]*\n/],
    ['depends on a target that is not there', emits({ targets: { 'shell.use': { depends_on: ['shell.gone'] } } }), /^Bachfile:3:1: plugin "p" referenced missing target "shell\/gone"/],
  ])('%s: it is named, nothing runs, no document is printed and nothing is written', async (_, script, told) => {
    const project = withPlugin(script);
    const before = readdirSync(project.folder);
    const refused = { exit: 1, stdout: '', stderr: typeof told === 'string' ? told : (expect.stringMatching(told) as string) };
    expect(await project.bach(['list', '--json'])).toEqual(refused);
    expect(await project.bach(['run', 'shell/use'])).toEqual(refused);
    expect(readdirSync(project.folder)).toEqual(before);
  });

  test.each(VERBS)('stops %s %s as well', async (...argv) => {
    const project = withPlugin('exit 3\n');
    expect(await project.bach(argv)).toEqual({ exit: 1, stdout: '', stderr: `plugin "p" failed: exit status 3\n${REMEDY}` });
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('floods standard output: it is ended', async () => {
    const project = withPlugin('echo $$ > pid; exec yes\n');
    expect(await project.bach(['list', '--json'])).toEqual({ exit: 1, stdout: '', stderr: `plugin "p" failed: it printed more than 16777216 bytes\n${REMEDY}` });
    expect(isGone(pidIn(project, 'pid'))).toBe(true);
  });

  test('complains without end: the beginning is told', async () => {
    const { exit, stdout, stderr } = await withPlugin('yes why | head -c 3000000 >&2; exit 3\n').bach(['list', '--json']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^plugin "p" failed: exit status 3\n(why\n){1000}\n?run the command/);
  });

  test('prints a secret of the environment: it is masked', async () => {
    const env = { PATH: process.env['PATH'] ?? '', API_TOKEN: 'a-very-secret-word' };
    const { stderr } = await withPlugin('echo "token $API_TOKEN" >&2; exit 3\n').bach(['list', '--json'], { env });
    expect(stderr).toContain('plugin "p" failed: exit status 3\ntoken *');
    expect(stderr).not.toContain('secret-word');
  });

  test('of several, each is named, and none runs without end because another failed', async () => {
    const project = bachProject('plugin "p" { shell = "exit 1" }\nplugin "q" { shell = "printf no" }\nplugin "r" { shell = "echo {}" }\nshell "use" { shell = "true" }\n');
    const { exit, stdout, stderr } = await project.bach(['list', '--json']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^plugin "p" failed: exit status 1\nplugin "q" emitted invalid JSON: [^\n]+\nrun the command/);
  });

  test('the Bachfile can still be checked', async () => {
    expect((await withPlugin('exit 3\n').bach(['validate', '--json'])).exit).toBe(0);
  });
});

describe('a plugin that hangs', () => {
  afterEach(() => void vi.useRealTimers());

  /** It ignores a polite stop, as does what it started. */
  const STUBBORN = 'trap "" TERM INT\n(trap "" TERM INT; echo $(exec sh -c "echo \\$PPID") > child; while :; do sleep 1; done) &\necho $$ > pid\nwhile :; do sleep 1; done\n';
  const hasBegun = (project: BachProject) => () => pidIn(project, 'pid') > 1 && pidIn(project, 'child') > 1;

  test('is ended after its time, with what it started, however stubborn', async () => {
    const project = withPlugin(STUBBORN);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = project.bach(['list', '--json']);
    await until(hasBegun(project));
    await vi.advanceTimersByTimeAsync(60_000);
    const settled = { isSo: false };
    const ended = result.finally(() => (settled.isSo = true));
    // The pauses before harder means are timers too.
    while (!settled.isSo) {
      await vi.advanceTimersByTimeAsync(1_000);
      await sleep(10);
    }
    expect(await ended).toEqual({ exit: 1, stdout: '', stderr: `plugin "p" failed: timed out after 1m0s\n${REMEDY}` });
    expect([isGone(pidIn(project, 'pid')), isGone(pidIn(project, 'child'))]).toEqual([true, true]);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is ended by %s', async (signal, exit) => {
    const project = withPlugin(STUBBORN);
    const signals = new FakeSignals();
    const result = project.bach(['run', '--dry-run', '--json', 'shell/use'], { signals });
    await until(hasBegun(project));
    signals.send(signal);
    const { stderr, ...rest } = await result;
    expect(rest).toEqual({ exit, stdout: '' });
    expect(stderr).toContain(`stopped by ${signal}`);
    expect([isGone(pidIn(project, 'pid')), isGone(pidIn(project, 'child'))]).toEqual([true, true]);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('only through what it left behind is not waited for', async () => {
    const project = withPlugin(`sleep 600 & echo $! > child\n${emits({ inputs: { s: ['x'] } })}`);
    expect(await project.bach(['affected', 'x'])).toEqual({ exit: 0, stdout: 'shell/use 1 x\n', stderr: '' });
    expect(isGone(pidIn(project, 'child'))).toBe(true);
  });
});
