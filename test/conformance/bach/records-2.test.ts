import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { daily, execute, NOW, placeAt, recordRuns, stateOf } from '../../bach/store/recorded-runs.ts';
import { TIME } from './support.ts';

const FILE = `shell "ok" {
  shell = "echo fine > made.txt"
  outputs = ["made.txt"]
}
shell "bad" { shell = "seq 1 30; exit 2" }
shell "tooled" {
  command = ["true"]
  tools = [{ name = "no-such-tool", version = "2", fix = "install it" }]
}
shell "session" {
  command = ["true"]
  preflights = [{ name = "login", kind = "session", command = ["false"], fix = "log in" }]
}
`;

/** Long ago for the clock of every machine. */
const OLD = 2000;

async function run(project: BachProject, ...targets: readonly string[]): Promise<string> {
  return runIdIn((await project.bach(['run', ...targets])).stdout);
}

interface Inspected {
  readonly [key: string]: unknown;
  readonly targets: readonly object[];
  readonly failed_targets: readonly { readonly log_excerpt: readonly string[] }[];
}

async function inspected(project: BachProject, id: string): Promise<Inspected> {
  return JSON.parse((await project.bach(['runs', 'inspect', '--json', id])).stdout) as Inspected;
}

describe('bach runs inspect', () => {
  test('[bach-runs-inspect] a run without a failed target', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/ok');
    const { exit, stdout, stderr } = await project.bach(['runs', 'inspect', id]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const [first, failed, ...rest] = stdout.split('\n');
    expect([first, failed]).toEqual([`run ${id} success target=shell/ok`, 'failed targets: none']);
    expect(rest).toEqual(['succeeded targets:', expect.stringMatching(/^- shell\/ok status=success duration=\S+ log=\S+$/), '']);
  });

  test('[bach-runs-inspect-failed] a failed target in a line', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/bad');
    const stdout = `run ${id} failed target=shell/bad\nfailed targets:\n- shell/bad status=failed exit=2 log=.bach/runs/${id}/shell__bad.log\n`;
    expect(await project.bach(['runs', 'inspect', id])).toEqual({ exit: 0, stdout, stderr: '' });
  });

  test('[bach-runs-inspect-json] the keys of the document, and of its targets', async () => {
    const project = bachProject(FILE);
    const document = await inspected(project, await run(project, 'shell/ok'));
    expect(Object.keys(document)).toEqual(['run_id', 'requested_target', 'status', 'started_at', 'finished_at', 'log_dir', 'targets', 'failed_targets', 'quality', 'suggested_fixes']);
    expect(document['started_at']).toMatch(new RegExp(`^${TIME}$`));
    expect(document.targets.map(Object.keys)).toEqual([['target', 'status', 'operation', 'log_path', 'artifacts', 'quality', 'agent_reports', 'policy_evaluations']]);
    expect(document.targets).toMatchObject([{ artifacts: expect.arrayContaining(['made.txt']) as unknown }]);
  });

  test('[bach-runs-inspect-arrays] nothing is an empty list', async () => {
    const project = bachProject(FILE);
    const quality = { reports: [], failed_gates: [] };
    expect(await inspected(project, await run(project, 'shell/ok'))).toMatchObject({ failed_targets: [], suggested_fixes: [], quality });
    const { failed_targets: failed } = await inspected(project, await run(project, 'shell/bad'));
    expect(failed).toMatchObject([{ exit_code: 2, preflight_failures: [], missing_tools: [], quality, agent_reports: [], policy_evaluations: [] }]);
  });

  test('[bach-runs-inspect-excerpt] the last 20 lines of a failed log', async () => {
    const project = bachProject(FILE);
    const { failed_targets: failed } = await inspected(project, await run(project, 'shell/bad'));
    expect(failed[0]?.log_excerpt).toEqual([...Array.from({ length: 19 }, (_, index) => `${index + 12}`), 'exit status 2']);
  });

  test('[bach-runs-inspect-requirements] declared tools and preflights that failed, with their fixes', async () => {
    const project = bachProject(FILE);
    expect(await inspected(project, await run(project, 'shell/tooled'))).toMatchObject({
      failed_targets: [{ status: 'failed', missing_tools: [{ name: 'no-such-tool', version: '2', fix: 'install it' }], preflight_failures: [] }],
      suggested_fixes: ['install it'],
    });
    const id = await run(project, 'shell/session');
    expect(await inspected(project, id)).toMatchObject({
      failed_targets: [{ status: 'preflight-failed', missing_tools: [], preflight_failures: [{ name: 'login', kind: 'session', fix: 'log in' }] }],
      suggested_fixes: ['log in'],
    });
    expect((await project.bach(['runs', 'inspect', id])).stdout).toMatch(/\nsuggested fixes:\n- log in\n$/);
  });

  test('[bach-runs-inspect-unknown] a run that is not recorded', async () => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['runs', 'inspect', '--json', 'x']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^not found: run "x"\n/);
  });

  test('[bach-runs-inspect-cached, bach-logs-cached] a cached target, and the run that made its result', async () => {
    const project = bachProject(FILE);
    const maker = await run(project, 'shell/ok');
    const logPath = `.bach/runs/${maker}/shell__ok.log`;
    const [id = ''] = await recordRuns(placeAt(project.folder), [{ startedAt: NOW, targets: [{ target: 'shell/ok', status: 'cached', logPath }] }]);
    const line = async () => (await project.bach(['runs', 'inspect', id])).stdout.trimEnd().split('\n').at(-1);
    expect(await line()).toBe(`- shell/ok (cached) made by run ${maker}`);
    expect((await project.bach(['logs', id])).stdout).toMatch(new RegExp(`^==> shell/ok \\(cached\\) ${logPath} <==\n\\S+ run=${maker} target=shell/ok\n`));
    execute(project.folder, `DELETE FROM runs WHERE id = '${maker}'`);
    expect(await line()).toBe('- shell/ok (cached)');
  });
});

describe('bach artifacts', () => {
  const placesIn = (stdout: string) => stdout.split('\n').slice(0, -1).map((line) => line.split(' ').at(-1));

  test('[bach-artifacts-list] the form of a line: a path, or a value where there is none', async () => {
    const project = bachProject(FILE);
    const artifacts = [{ target: 'image/app', kind: 'image-tag' as const, path: '', value: 'example/app:1' }];
    const [id = ''] = await recordRuns(placeAt(project.folder), [{ artifacts }]);
    const stdout = `${id} image-tag    image/app                2026-06-08T12:00:00Z example/app:1\n`;
    expect(await project.bach(['artifacts'])).toEqual({ exit: 0, stdout, stderr: '' });
  });

  test('[bach-artifacts-run] of one run, or of all with the newest first', async () => {
    const project = bachProject(FILE);
    const [first, second] = [await run(project, 'shell/ok'), await run(project, 'shell/bad')];
    const idsIn = (stdout: string) => [...new Set(stdout.split('\n').slice(0, -1).map((line) => line.split(' ')[0]))];
    expect(idsIn((await project.bach(['artifacts'])).stdout)).toEqual([second, first]);
    expect(idsIn((await project.bach(['artifacts', first])).stdout)).toEqual([first]);
  });

  test('[bach-artifacts-limit] ten, or as many as asked for', async () => {
    const project = bachProject(FILE);
    const artifacts = Array.from({ length: 12 }, (_, index) => ({ target: 'shell/ok', kind: 'artifact' as const, path: `file-${index}` }));
    await recordRuns(placeAt(project.folder), [{ artifacts }]);
    const count = async (...argv: readonly string[]) => placesIn((await project.bach(['artifacts', ...argv])).stdout).length;
    expect([await count(), await count('--runs-limit', '3'), await count('--runs-limit', '0')]).toEqual([10, 3, 12]);
  });

  test('[bach-artifacts-filters] by target, status, age and a part of the path', async () => {
    const project = bachProject(FILE);
    await run(project, 'shell/ok');
    await run(project, 'shell/bad');
    const places = async (...argv: readonly string[]) => placesIn((await project.bach(['artifacts', ...argv])).stdout).map((place) => place?.replace(/^.*\//, ''));
    expect(await places('--target', 'shell/ok')).toEqual(['shell__ok.log', 'shell__ok', 'made.txt']);
    expect(await places('--status', 'failed')).toEqual(['shell__bad.log', 'shell__bad']);
    expect(await places('--artifact', 'made')).toEqual(['made.txt']);
    expect(await places('--since', '24h')).toHaveLength(5);
    expect(await places('--since', '-24h')).toEqual([]);
  });
});

describe('what is kept', () => {
  test('[bach-retention, bach-runs-prune] the newest 50, and all that is younger than 14 days', async () => {
    const project = bachProject(FILE);
    const old = await recordRuns(placeAt(project.folder), daily(60, OLD));
    const young = await run(project, 'shell/ok');
    const { exit, stdout } = await project.bach(['runs', 'prune']);
    expect(exit).toBe(0);
    // The run itself removed the oldest one.
    expect(stdout.trimEnd().split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      ...old.slice(1, 11).toReversed().map((id) => `removed ${id}`),
      'removed 10',
    ]);
    expect(stateOf(project.folder)).toEqual({ rows: [...old.slice(11), young], folders: [...old.slice(11), young] });
  });

  test('[bach-retention-named] what a row names', async () => {
    const project = bachProject(FILE);
    const [named = '', maker = '', ...rest] = await recordRuns(placeAt(project.folder), daily(54, OLD));
    const user = rest.at(-1) ?? '';
    execute(project.folder, `CREATE TABLE names (run_id TEXT); INSERT INTO names VALUES ('${named}');
      INSERT INTO target_runs (run_id, target, status, started_at, log_path) VALUES ('${user}', 'shell/ok', 'cached', '', '.bach/runs/${maker}/shell__ok.log')`);
    await project.bach(['runs', 'prune']);
    expect(stateOf(project.folder).rows).toEqual([named, maker, ...rest.slice(2)]);
  });

  test('[bach-retention-running] a run that a process holds', async () => {
    const project = bachProject(FILE);
    const [held = '', ended = ''] = await recordRuns(placeAt(project.folder), daily(52, OLD));
    execute(project.folder, `UPDATE runs SET status = 'running', finished_at = '' WHERE id IN ('${held}', '${ended}')`);
    const lock = tryLock(project.at('.bach/runs', held, 'run.lock'));
    await project.bach(['runs', 'prune']);
    if (lock !== 'held') lock.release();
    expect(stateOf(project.folder).rows.slice(0, 2)).not.toContain(ended);
    expect(stateOf(project.folder).rows).toContain(held);
  });

  test('[bach-runs-prune-dry-run] what would go is said and stays', async () => {
    const project = bachProject(FILE);
    const ids = await recordRuns(placeAt(project.folder), daily(51, OLD));
    const { stdout } = await project.bach(['runs', 'prune', '--dry-run']);
    expect(stdout).toMatch(new RegExp(`^would remove ${ids[0] ?? ''} `));
    expect(stateOf(project.folder)).toEqual({ rows: ids, folders: ids });
  });
});

test('[bach-records-printed] each command line about recorded runs as it is printed', async () => {
  const project = bachProject(FILE);
  await recordRuns(placeAt(project.folder), [{ id: '20260608T120000.000000000Z' }]);
  for (const line of ['bach artifacts', 'bach artifacts 20260608T120000.000000000Z', 'bach runs inspect 20260608T120000.000000000Z', 'bach runs inspect --json 20260608T120000.000000000Z']) {
    expect(await project.bach(line.split(' ').slice(1))).toMatchObject({ exit: 0, stderr: '' });
  }
});
