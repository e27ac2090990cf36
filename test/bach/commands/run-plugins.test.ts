import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';

/** A project with a plugin that prints what is given, and a target that it adds to. */
function withPlugin(script: string, more = ''): BachProject {
  const plugin = `plugin "p" {\n  command = ["sh", "plugin.sh"]\n${more}}\n`;
  const project = bachProject(`${plugin}shell "gen" { shell = "echo gen" }\nshell "use" {\n  shell = "echo use"\n}\n`);
  project.write('plugin.sh', script);
  return project;
}

const emits = (document: unknown): string => `cat <<'END'\n${JSON.stringify(document)}\nEND\n`;

describe('what a graph plugin emits', () => {
  test('becomes part of the graph', async () => {
    const project = withPlugin(emits({ targets: { 'shell.use': { depends_on: ['shell.gen'] } } }));
    const { exit, stdout } = await project.bach(['run', 'shell/use']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/\[shell\/gen\] gen[^]*\[shell\/use\] use/);
  });

  test('may name inputs that targets refer to', async () => {
    const uses = 'shell "test" {\n  shell = "true"\n  inputs = [plugin.p.tests]\n}\n';
    const project = bachProject(`plugin "p" {\n  shell = "printf '{\\"inputs\\":{\\"tests\\":[\\"a.ts\\"]}}'"\n  sources = {\n    tests = ["*.ts"]\n  }\n}\n${uses}`);
    expect((await project.bach(['run', '-d', 'shell/test'])).exit).toBe(0);
  });

  test('is asked for with name, root, inputs, sources and what the block adds', async () => {
    const script = 'printf "%s\\n" "$BACH_PLUGIN_NAME" "$BACH_PROJECT_ROOT" "$BACH_PLUGIN_INPUTS" "$BACH_PLUGIN_SOURCES" "$MODE" "$(pwd)" > told\n';
    const project = withPlugin(script, '  inputs = ["b", "a"]\n  sources = {\n    s = ["x", "y"]\n  }\n  env = ["MODE=strict"]\n');
    expect((await project.bach(['run', 'shell/gen'])).exit).toBe(0);
    expect(project.read('told').split('\n').slice(0, -1)).toEqual(['p', project.folder, 'b', 'a', '{"s":["x","y"]}', 'strict', project.folder]);
  });

  test('is not asked for where the Bachfile is only checked', async () => {
    const project = withPlugin('touch asked; exit 1\n');
    expect((await project.bach(['validate'])).exit).toBe(0);
    expect(existsSync(project.at('asked'))).toBe(false);
  });
});

describe('a graph plugin that does not do its part', () => {
  test.each([
    ['fails', 'echo why >&2; exit 3\n', 'plugin "p" failed: exit status 3\nwhy\n'],
    ['is ended', 'kill -9 $$\n', 'plugin "p" failed: ended by SIGKILL\n'],
    ['prints garbage', 'echo garbage\n', 'plugin "p" emitted invalid JSON: '],
    ['floods', 'exec yes\n', 'plugin "p" failed: it printed more than 16777216 bytes\n'],
    ['names a target that is not there', emits({ targets: { 'shell.gone': {} } }), 'plugin "p" referenced missing target "shell/gone"'],
  ])('%s: the project is refused, and nothing runs', async (_, script, told) => {
    const project = withPlugin(script);
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/gen']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain(told);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('is not there at all', async () => {
    const { exit, stderr } = await bachProject('plugin "p" {\n  command = ["nonesuch"]\n}\nshell "a" { shell = "true" }\n').bach(['run', 'shell/a']);
    expect(exit).toBe(1);
    expect(stderr).toContain('plugin "p" failed: command not found: nonesuch');
  });

  test('hangs: a stop ends it and what it started', async () => {
    const project = withPlugin('sleep 600 & echo $! > child; wait\n');
    const signals = new FakeSignals();
    const run = project.bach(['run', 'shell/gen'], { signals });
    while (!existsSync(project.at('child')) || project.read('child') === '') await new Promise((resolve) => setTimeout(resolve, 20));
    signals.send('SIGINT');
    expect(await run).toMatchObject({ exit: 130, stderr: expect.stringContaining('stopped by SIGINT') });
    const pid = Number(project.read('child'));
    expect(pid).toBeGreaterThan(1);
    expect(!existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))).toBe(true);
  });

  test('several are told together', async () => {
    const { stderr } = await bachProject('plugin "p" { shell = "exit 1" }\nplugin "q" { shell = "exit 2" }\nshell "a" { shell = "true" }\n').bach(['run', 'shell/a']);
    expect(stderr).toContain('plugin "p" failed: exit status 1\nplugin "q" failed: exit status 2\n');
  });
});
