import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { execute, giveAway, NOW, placeAt, recordRuns } from '../store/recorded-runs.ts';

const FILE = `shell "ok" {
  shell = "echo fine > made.txt"
  outputs = ["made.txt"]
}
shell "bad" {
  depends_on = [shell.ok]
  shell = "seq 1 30; exit 2"
}
shell "tooled" {
  shell = "true"
  tools = [{ name = "go", version = "1.22", fix = "install go" }, { name = "gofmt" }, { name = "make", fix = "install make" }]
  preflights = [{ name = "login", kind = "session", command = ["false"], fix = "log in" }, { kind = "vpn", command = ["false"] }]
}
shell "again" {
  shell = "true"
  tools = [{ name = "go", version = "1.22", fix = "install go" }]
}
group "ci" { targets = [shell.bad] }
`;

interface Document {
  readonly [key: string]: unknown;
  readonly targets: readonly { readonly target: string }[];
  readonly failed_targets: readonly { readonly log_excerpt: readonly string[] }[];
}

async function documentOf(project: BachProject, id: string): Promise<Document> {
  const { exit, stdout, stderr } = await project.bach(['runs', 'inspect', '--json', id]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return JSON.parse(stdout) as Document;
}

async function textOf(project: BachProject, id: string): Promise<readonly string[]> {
  const { exit, stdout, stderr } = await project.bach(['runs', 'inspect', id]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

const NOTHING = { quality: { reports: [], failed_gates: [] }, agent_reports: [], policy_evaluations: [] };
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown;

describe('bach runs inspect', () => {
  test('a run that succeeded', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    expect(await textOf(project, id)).toEqual([
      `run ${id} success target=shell/ok`,
      'failed targets: none',
      'succeeded targets:',
      expect.stringMatching(new RegExp(`^- shell/ok status=success duration=(\\d+ms|\\d+(\\.\\d+)?s) log=\\.bach/runs/${id}/shell__ok\\.log$`)),
    ]);
    const log = `.bach/runs/${id}/shell__ok.log`;
    expect(await documentOf(project, id)).toEqual({
      run_id: id,
      requested_target: 'shell/ok',
      status: 'success',
      started_at: TIME,
      finished_at: TIME,
      log_dir: `.bach/runs/${id}`,
      targets: [
        { target: 'shell/ok', status: 'success', operation: 'sh -c echo fine > made.txt', log_path: log, artifacts: [log, `.bach/runs/${id}/shell__ok`, 'made.txt'], ...NOTHING },
      ],
      failed_targets: [],
      quality: NOTHING.quality,
      suggested_fixes: [],
    });
  });

  test('a run that failed although its command succeeded says why', async () => {
    const project = bachProject('shell "x" {\n  shell = "echo rolled back"\n  fail_when { output_contains = "rolled back" }\n}\n');
    const id = runIdIn((await project.bach(['run', 'shell/x'])).stdout);
    expect((await textOf(project, id)).slice(2)).toEqual([
      `- shell/x status=failed exit=0 log=.bach/runs/${id}/shell__x.log`,
      '  target "shell/x" fail_when matched: output_contains "rolled back"',
    ]);
  });

  test('a run that failed: its targets by name, the end of their logs', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'group/ci'])).stdout);
    const log = `.bach/runs/${id}/shell__bad.log`;
    const [head, title, ...failed] = await textOf(project, id);
    expect([head, title]).toEqual([`run ${id} failed target=group/ci`, 'failed targets:']);
    expect(failed[0]).toMatch(/^- group\/ci status=failed exit=- log=-$/);
    expect(failed.filter((line) => line.startsWith('- '))[1]).toBe(`- shell/bad status=failed exit=2 log=${log}`);
    const document = await documentOf(project, id);
    expect(document.targets.map(({ target }) => target)).toEqual(['group/ci', 'shell/bad', 'shell/ok']);
    expect(document.failed_targets).toMatchObject([
      { target: 'group/ci', status: 'failed', artifacts: [], preflight_failures: [], missing_tools: [], log_excerpt: [] },
      { target: 'shell/bad', status: 'failed', exit_code: 2, operation: 'sh -c seq 1 30; exit 2', log_path: log, ...NOTHING },
    ]);
    expect(document.failed_targets[1]?.log_excerpt).toEqual([...Array.from({ length: 19 }, (_, index) => `${index + 12}`), 'exit status 2']);
  });

  test('what ended a target that has no exit code', async () => {
    const project = bachProject('shell "slow" {\n  shell = "exec sleep 30"\n  timeout = "50ms"\n}\n');
    const id = runIdIn((await project.bach(['run', 'shell/slow'])).stdout);
    expect((await textOf(project, id)).at(-1)).toBe('  target "shell/slow" timed out after 50ms');
  });

  test('how long each target took that succeeded, and where its log is', async () => {
    const project = bachProject(FILE);
    const ended = { target: 'shell/ok', status: 'success' as const, startedAt: NOW, finishedAt: NOW + 61_234_567_890n, logPath: '.bach/runs/x/shell__ok.log' };
    const targets = [ended, { ...ended, target: 'group/ci', finishedAt: NOW + 999_999n, logPath: '' }, { ...ended, target: 'shell/back', finishedAt: NOW - 1n }];
    const [id = ''] = await recordRuns(placeAt(project.folder), [{ targets }]);
    expect((await textOf(project, id)).slice(1)).toEqual([
      'failed targets: none',
      'succeeded targets:',
      '- group/ci status=success duration=0s log=-',
      '- shell/back status=success duration=0s log=.bach/runs/x/shell__ok.log',
      '- shell/ok status=success duration=1m1.234s log=.bach/runs/x/shell__ok.log',
    ]);
  });

  test('what is running, while it runs', async () => {
    const project = bachProject(FILE);
    const [id = ''] = await recordRuns(placeAt(project.folder), [{ status: 'running', finishedAt: undefined, targets: [{ target: 'shell/ok', status: 'running', finishedAt: undefined }] }]);
    mkdirSync(project.at('.bach/runs', id), { recursive: true });
    const lock = tryLock(project.at('.bach/runs', id, 'run.lock'));
    expect(lock).not.toBe('held');
    expect((await textOf(project, id)).slice(1)).toEqual(['failed targets: none', 'running targets:', '- shell/ok log=-']);
    if (lock !== 'held') lock.release();
  });

  test('a run that is on, and one that was interrupted', async () => {
    const project = bachProject(FILE);
    const [id = ''] = await recordRuns(placeAt(project.folder), [{ status: 'running', finishedAt: undefined, targets: [{ target: 'shell/ok', status: 'running' }] }]);
    const document = await documentOf(project, id);
    expect(document).toMatchObject({ status: 'interrupted', targets: [{ target: 'shell/ok', status: 'interrupted' }], failed_targets: [] });
    expect(document).not.toHaveProperty('finished_at');
    expect((await textOf(project, id)).slice(1)).toEqual(['failed targets: none', 'interrupted targets:', '- shell/ok log=-']);
  });

  test('a cached target names the run that made its result as long as that is recorded', async () => {
    const project = bachProject(FILE);
    const log = '.bach/runs/20260601T000000.000000000Z/shell__ok.log';
    const targets = [{ target: 'shell/ok', status: 'cached' as const, logPath: log }];
    const [, id = ''] = await recordRuns(placeAt(project.folder), [{ id: '20260601T000000.000000000Z' }, { startedAt: NOW, targets }]);
    expect(await textOf(project, id)).toEqual([`run ${id} success target=shell/test`, 'failed targets: none', 'cached targets:', '- shell/ok (cached) made by run 20260601T000000.000000000Z']);
    expect((await documentOf(project, id)).targets).toMatchObject([{ status: 'cached', log_path: log, made_by_run: '20260601T000000.000000000Z' }]);

    execute(project.folder, "DELETE FROM runs WHERE id = '20260601T000000.000000000Z'");
    expect((await textOf(project, id)).at(-1)).toBe('- shell/ok (cached)');
    expect((await documentOf(project, id)).targets[0]).not.toHaveProperty('made_by_run');
  });

  test('tools and preflights that failed, as they are declared, and what to do about them', async () => {
    const project = bachProject(FILE);
    const tools = '- go for shell/again, shell/tooled: probe failed: no\nidea (version: 1.22); install go';
    const preflights = '- login for shell/tooled: probe failed: exit status 1; log in\n- vpn for shell/tooled: probe failed: exit status 1';
    const [id = ''] = await recordRuns(placeAt(project.folder), [
      {
        status: 'failed',
        targets: [
          { target: 'shell/again', status: 'failed', operation: 'required tool check', message: tools },
          { target: 'shell/bad', status: 'failed', operation: 'go for shell/tooled', message: tools },
          { target: 'shell/gone', status: 'failed', operation: 'required tool check', message: tools },
          { target: 'shell/tooled', status: 'preflight-failed', operation: 'credential/session preflight', message: preflights },
        ],
      },
    ]);
    const { failed_targets: failed, suggested_fixes: fixes } = await documentOf(project, id);
    const none = { missing_tools: [], preflight_failures: [] };
    expect(failed).toMatchObject([
      { ...none, missing_tools: [{ name: 'go', version: '1.22', fix: 'install go' }] },
      { target: 'shell/bad', ...none },
      { target: 'shell/gone', ...none },
      { ...none, preflight_failures: [{ name: 'login', kind: 'session', fix: 'log in' }, { name: '', kind: 'vpn', fix: '' }] },
    ]);
    expect(fixes).toEqual(['install go', 'log in']);
    const lines = await textOf(project, id);
    expect(lines.slice(-3)).toEqual(['suggested fixes:', '- install go', '- log in']);
    expect(lines).toContain('  - vpn for shell/tooled: probe failed: exit status 1');
  });

  test('a run that ended with its check of tools', async () => {
    const project = bachProject('shell "x" {\n  command = ["true"]\n  tools = [{ name = "no-such-tool", version = "2", fix = "install it" }, { name = "sh" }]\n}\n');
    const id = runIdIn((await project.bach(['run', 'shell/x'])).stdout);
    const { failed_targets: failed, suggested_fixes: fixes } = await documentOf(project, id);
    expect(failed).toMatchObject([{ target: 'shell/x', operation: 'required tool check', missing_tools: [{ name: 'no-such-tool', version: '2', fix: 'install it' }], preflight_failures: [] }]);
    expect(failed[0]?.log_excerpt.join('\n')).toContain('required tool check failed: no-such-tool');
    expect(fixes).toEqual(['install it']);
  });

  test('secrets in a log that a killed run left are masked, and long lines cut', async () => {
    const project = bachProject(FILE);
    project.write('.env', 'API_KEY=from-the-file-4711\n');
    const id = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    project.write(`.bach/runs/${id}/shell__bad.log`, `from-the-file-4711 end\n${'x'.repeat(5000)}\n`);
    const [first, long] = (await documentOf(project, id)).failed_targets[0]?.log_excerpt ?? [];
    expect(first).toBe('****************** end');
    expect(long).toBe(`${'x'.repeat(2000)}…`);
  });

  test('a log that is gone is said', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    rmSync(project.at('.bach/runs', id), { recursive: true });
    const { exit, stdout, stderr } = await project.bach(['runs', 'inspect', '--json', id]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: `the log of shell/bad is gone: .bach/runs/${id}/shell__bad.log\n` });
    expect((JSON.parse(stdout) as Document).failed_targets[0]?.log_excerpt).toEqual([]);
  });

  test('a log that the user may not read', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    const argv = ['runs', 'inspect', '--json', id];
    // Loads the verb: the ordinary user may have no right to read it here.
    await project.bach(argv);
    chmodSync(project.at(`.bach/runs/${id}/shell__bad.log`), 0o000);
    giveAway(project.folder);
    const { exit, stdout, stderr } = await asOrdinaryUser(() => project.bach(argv));
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^cannot read \S+shell__bad\.log: permission denied\n.+\n$/);
  });
});
