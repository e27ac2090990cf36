import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { linesOf, printedBy, rowsOf, runIdOf, shell } from './support.ts';

/** A target that needs something and says when it ran. */
function needing(name: string, needs: string): string {
  return shell(name, 'touch ran', needs);
}

describe('tools', () => {
  test.each([
    ['that is not there', '{ name = "x", command = ["nonesuch", "-v"] }', 'x for shell/a: probe command "nonesuch" missing from PATH'],
    ['that prints why it failed', '{ name = "x", command = ["sh", "-c", "echo too old; echo really >&2; exit 4"] }', 'x for shell/a: probe failed: too old\nreally'],
    ['that fails in silence', '{ name = "x", command = ["sh", "-c", "exit 4"], version = "2+", fix = "get it" }', 'x for shell/a: probe failed: exit status 4 (version: 2+); get it'],
  ])('[bach-tools-probe] a probe %s', async (_, tool, told) => {
    const project = bachProject(needing('a', `tools = [${tool}]`));
    const { exit, stderr } = await project.bach(['run', 'shell/a']);
    expect(exit).toBe(1);
    expect(stderr).toContain(`required tool checks failed:\n- ${told}\n`);
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('[bach-tools-version] a version that does not fit is no failure', async () => {
    const project = bachProject(needing('a', 'tools = [{ name = "sh", command = ["echo", "1.0"], version = "99+" }]'));
    await printedBy(project, 'run', 'shell/a');
    expect(existsSync(project.at('ran'))).toBe(true);
  });

  test('[bach-tools-before-headers] no header of a pipeline stands above a missing tool', async () => {
    const { stdout } = await bachProject(`${needing('a', 'tools = [{ name = "nonesuch" }]')}pipeline "p" { steps = [shell.a] }\n`).bach(['run', 'pipeline/p']);
    expect(linesOf(stdout)[0]).toMatch(/^run \S+ failed target=pipeline\/p /);
    expect(stdout).not.toContain('pipeline: shell/a');
  });

  test.each(['tools = [{ name = "nonesuch" }]', 'preflights = [{ kind = "login", command = ["false"] }]'])(
    '[bach-requirements-union] aggregates and pipelines need what is beneath them: %s',
    async (needs) => {
      const file = `${needing('deep', needs)}shell "first" { shell = "touch first" }\nshell "all" { depends_on = [shell.first, shell.deep] }\npipeline "p" { steps = [shell.first, shell.all] }\n`;
      for (const name of ['shell/all', 'pipeline/p']) {
        const project = bachProject(file);
        const { exit, stderr } = await project.bach(['run', name]);
        expect(exit).toBe(1);
        expect(stderr).toContain(' for shell/deep: ');
        expect([existsSync(project.at('first')), existsSync(project.at('ran'))]).toEqual([false, false]);
      }
    },
  );
});

describe('preflights', () => {
  test('[bach-preflights-label] by name, else by kind', async () => {
    const project = bachProject(needing('a', 'preflights = [{ kind = "login", command = ["false"] }, { name = "session", kind = "cloud", command = ["false"] }]'));
    const { stderr } = await project.bach(['run', 'shell/a']);
    expect(stderr).toContain(
      'credential/session preflights failed:\n- login for shell/a: probe failed: exit status 1\n- session for shell/a: probe failed: exit status 1\n',
    );
  });

  test('[bach-excerpt-requirements] the excerpt tells what was missing', async () => {
    const { stdout } = await bachProject(needing('a', 'preflights = [{ name = "session", command = ["false"], fix = "log in" }]')).bach(['run', 'shell/a']);
    const lines = linesOf(stdout);
    expect(lines[2]).toBe('failure excerpt (shell/a):');
    expect(lines.at(-1)).toBe('credential/session preflight failed: session: probe failed: exit status 1; log in');
  });

  test('[bach-logs-failed-kinds] logs --failed shows it', async () => {
    const project = bachProject(`${needing('a', 'preflights = [{ name = "session", command = ["false"] }]')}${shell('b', 'true')}`);
    const id = await runIdOf(project, 'shell/a', 'shell/b');
    expect(await printedBy(project, 'logs', id, '--failed')).toMatch(/^==> shell\/a \(preflight-failed\) /);
    expect(rowsOf(project, 'SELECT target FROM target_runs')).toEqual([{ target: 'shell/a' }]);
  });
});
