import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';
import { printedBy, refusalOf, until } from './support.ts';

/** A project whose plugin is a script, and that has a target to add to. */
function plugged(script: string, more = ''): BachProject {
  const project = bachProject(`plugin "p" {\n  command = ["sh", "plugin.sh"]\n${more}}\nshell "gen" { shell = "echo gen >> order" }\nshell "use" { shell = "echo use >> order" }\n`);
  project.write('plugin.sh', script);
  return project;
}

const emits = (document: unknown): string => `cat <<'END'\n${JSON.stringify(document)}\nEND\n`;

const ADDS = emits({ inputs: { api: ['a.ts'] }, targets: { 'shell.use': { depends_on: ['shell.gen'], inputs: ['gen.ts', 'plugin/p/api'] } } });

describe('what a graph plugin adds', () => {
  test('[bach-plugin-graph] dependencies that are run, inputs that are affected', async () => {
    const project = plugged(ADDS);
    await printedBy(project, 'run', 'shell/use');
    expect(project.read('order')).toBe('gen\nuse\n');
    expect(await printedBy(project, 'affected', 'gen.ts')).toBe('shell/use 1 gen.ts\n');
    expect(await printedBy(project, 'affected', 'a.ts')).toBe('shell/use 1 a.ts\n');
  });

  test.each([
    ['run -d shell/use', '[shell/gen] sh -c echo gen >> order'],
    ['list', 'shell/use'],
    ['explain shell/use', 'Depends on:\n  - shell/gen\nInputs:\n  - gen.ts\n'],
    ['graph', 'depends_on'],
    ['affected gen.ts', 'shell/use 1 gen.ts'],
    ['provenance gen.ts', 'consumed_by:\n  - shell/use\n'],
  ])('[bach-plugin-verbs] bach %s', async (line, shows) => {
    const project = plugged(`touch asked\n${ADDS}`);
    expect(await printedBy(project, ...line.split(' '))).toContain(shows);
    expect(existsSync(project.at('asked'))).toBe(true);
  });

  test('[bach-plugin-quiet] nothing printed, and nothing to run', async () => {
    const project = plugged('true\n');
    project.write('Bachfile', `${project.read('Bachfile')}plugin "idle" { sources = { api = ["a"] } }\n`);
    expect(await printedBy(project, 'list')).toBe('shell/gen\nshell/use\n');
    expect(await printedBy(project, 'graph')).not.toContain('depends_on');
  });

  test('[bach-plugin-quality-idle] a quality plugin waits for its report', async () => {
    const project = bachProject('plugin "q" {\n  type = "quality"\n  shell = "touch asked"\n}\nshell "x" { shell = "true" }\n');
    await printedBy(project, 'list');
    await printedBy(project, 'run', 'shell/x');
    expect(existsSync(project.at('asked'))).toBe(false);
  });
});

describe('what a graph plugin is given', () => {
  const TELLS = 'printf "%s\\n" "$BACH_PLUGIN_NAME" "$BACH_PROJECT_ROOT" "$BACH_PLUGIN_INPUTS" "$BACH_PLUGIN_SOURCES" "$MODE" "$PARENT" > "$BACH_PROJECT_ROOT/told"\n';

  test('[bach-plugin-environment] its name, the root, inputs by line, sources as JSON, its env above that of the process', async () => {
    const project = plugged(TELLS, '  inputs = ["b", input.file.set]\n  sources = { s = ["x", "y"] }\n  env = ["MODE=strict"]\n');
    project.write('Bachfile', `${project.read('Bachfile')}input "file" "set" { srcs = ["c", "a"] }\n`);
    const env = { PATH: process.env['PATH'] ?? '', MODE: 'loose', PARENT: 'here' };
    expect((await project.bach(['list'], { env })).exit).toBe(0);
    const [name, root, ...rest] = project.read('told').split('\n');
    expect([name, root]).toEqual(['p', project.folder]);
    expect(rest.slice(0, 3).toSorted()).toEqual(['a', 'b', 'c']);
    expect(rest.slice(3)).toEqual(['{"s":["x","y"]}', 'strict', 'here', '']);
  });

  test('[bach-plugin-workdir] its folder, from the root', async () => {
    const project = bachProject('plugin "p" {\n  shell = "pwd > where"\n  workdir = "sub"\n}\nshell "x" {}\n');
    project.write('sub/.keep', '');
    await printedBy(project, 'list');
    expect(project.read('sub/where')).toBe(`${project.at('sub')}\n`);
  });
});

describe('a graph plugin that does not do its part', () => {
  test.each([
    ['echo why >&2; exit 3\n', 'plugin "p" failed: exit status 3\nwhy\n'],
    ['kill -9 $$\n', 'plugin "p" failed: ended by SIGKILL\n'],
  ])('[bach-plugin-failed] %j', async (script, told) => {
    for (const line of [['run', 'shell/gen'], ['list']]) {
      const project = plugged(script);
      expect(await refusalOf(project, 1, ...line)).toContain(told);
      expect([existsSync(project.at('.bach')), existsSync(project.at('order'))]).toEqual([false, false]);
    }
  });

  test.each(['echo garbage\n', emits([]), emits({ targets: [] })])('[bach-plugin-garbage] %j', async (script) => {
    expect(await refusalOf(plugged(script), 1, 'list')).toContain('plugin "p" emitted invalid JSON: ');
  });

  test('[bach-plugin-bounds] one that floods is ended', async () => {
    expect(await refusalOf(plugged('exec yes\n'), 1, 'run', 'shell/gen')).toMatch(/^plugin "p" failed: it printed more than \d+ bytes\n/);
  });

  test('[bach-plugin-bounds] one that hangs is ended by a stop, with what it started', async () => {
    const project = plugged('sleep 600 & echo $! > child; wait\n');
    const signals = new FakeSignals();
    const ended = project.bach(['run', 'shell/gen'], { signals });
    await Promise.race([ended, until(() => existsSync(project.at('child')) && project.read('child') !== '')]);
    signals.send('SIGINT');
    expect((await ended).exit).toBe(130);
    const child = Number(project.read('child'));
    expect(child).toBeGreaterThan(1);
    expect(!existsSync(`/proc/${child}`) || / Z /.test(readFileSync(`/proc/${child}/stat`, 'utf8'))).toBe(true);
  });
});
