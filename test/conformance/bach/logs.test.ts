import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { TIME } from './support.ts';

const FILE = `shell "ok" { shell = "echo fine; echo an ERROR; echo it Failed once; echo fails; echo Panic!; echo done" }
shell "bad" {
  depends_on = [shell.ok]
  shell = "seq 1 30; exit 2"
}
shell "nothing" {}
`;

async function run(project: BachProject, ...targets: readonly string[]): Promise<string> {
  return runIdIn((await project.bach(['run', ...targets])).stdout);
}

describe('bach runs list', () => {
  const idsOf = async (project: BachProject, ...argv: readonly string[]) => {
    const { stdout } = await project.bach(['runs', 'list', ...argv]);
    return stdout.split('\n').slice(0, -1).map((line) => line.split(' ')[0]);
  };

  test('[bach-runs-list] the form of a line', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/nothing');
    const rest = `started=${TIME} finished=${TIME} logs=\\.bach/runs/${id}`;
    expect((await project.bach(['runs', 'list'])).stdout).toMatch(new RegExp(`^${id} success  run          shell/nothing            ${rest}\n$`));
  });

  test('[bach-runs-list-order, bach-runs-limit] the newest ten, or as many as asked for', async () => {
    const project = bachProject(FILE);
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.unshift(await run(project, 'shell/nothing'));
    expect(await idsOf(project)).toEqual(ids.slice(0, 10));
    expect(await idsOf(project, '--runs-limit', '3')).toEqual(ids.slice(0, 3));
    expect(await idsOf(project, '--runs-limit', '0')).toEqual(ids);
  });

  test('[bach-runs-target, bach-runs-status, bach-runs-since, bach-runs-artifact] filters', async () => {
    const project = bachProject(FILE);
    const good = await run(project, 'shell/ok');
    const both = await run(project, 'shell/nothing', 'shell/ok');
    const bad = await run(project, 'shell/bad');
    expect(await idsOf(project, '--target', 'shell/ok')).toEqual([good]);
    expect(await idsOf(project, '--target', 'shell/nothing shell/ok')).toEqual([both]);
    expect(await idsOf(project, '--status', 'failed')).toEqual([bad]);
    expect(await idsOf(project, '--status', 'success')).toEqual([both, good]);
    expect(await idsOf(project, '--artifact', 'shell__bad.l')).toEqual([bad]);
    expect(await idsOf(project, '--since', '24h')).toEqual([bad, both, good]);
    expect(await idsOf(project, '--since', '-24h')).toEqual([]);
    expect(await idsOf(project, '--since', '2020-01-01T00:00:00Z')).toEqual([bad, both, good]);
    expect(await idsOf(project, '--since', '2999-01-01T00:00:00+01:00')).toEqual([]);
  });

  test('[bach-runs-since-invalid] neither an age nor a time', async () => {
    const { exit, stderr } = await bachProject(FILE).bach(['runs', 'list', '--since', 'yesterday']);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('invalid --since "yesterday": use a duration like 24h or an RFC3339 time');
  });
});

describe('bach logs', () => {
  async function recorded() {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/bad', 'shell/nothing');
    const lines = async (...argv: readonly string[]) => (await project.bach(['logs', id, ...argv])).stdout.split('\n').slice(0, -1);
    const header = (name: string, status: string) => `==> shell/${name} (${status}) .bach/runs/${id}/shell__${name}.log <==`;
    return { lines, header };
  }

  test('[bach-logs, bach-logs-last] the end of each log', async () => {
    const { lines, header } = await recorded();
    const all = await lines();
    expect(all.slice(0, 21)).toEqual([header('bad', 'failed'), ...Array.from({ length: 19 }, (_, index) => `${index + 12}`), 'exit status 2']);
    expect(all.slice(21)).toEqual([
      header('ok', 'success'), expect.stringContaining(' target=shell/ok'), expect.stringMatching(/^sh -c echo fine/),
      'fine', 'an ERROR', 'it Failed once', 'fails', 'Panic!', 'done',
    ]);
    expect(await lines('--last', '1')).toEqual([header('bad', 'failed'), 'exit status 2', header('ok', 'success'), 'done']);
  });

  test('[bach-logs-errors] likely errors, and no empty section', async () => {
    const { lines, header } = await recorded();
    expect(await lines('--errors', '--last', '4')).toEqual([header('ok', 'success'), 'an ERROR', 'it Failed once', 'fails', 'Panic!']);
  });

  test('[bach-logs-failed, bach-logs-target] some of the targets', async () => {
    const { lines, header } = await recorded();
    const headers = async (...argv: readonly string[]) => (await lines(...argv)).filter((line) => line.startsWith('==> '));
    expect(await headers('--failed')).toEqual([header('bad', 'failed')]);
    expect(await headers('--target', 'shell/ok')).toEqual([header('ok', 'success')]);
    expect(await headers('--failed', '--target', 'shell/ok')).toEqual([]);
  });

  test('[bach-logs-unknown-run] a run that is not recorded', async () => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['logs', 'x']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^not found: run "x"\n/);
  });
});
