import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { changeState, rowsOf, until } from './support.ts';

const FILE = 'shell "ok" { shell = "echo out; echo err >&2" }\nshell "bad" { shell = "exit 3" }\nshell "nothing" {}\n';

const modeOf = (path: string) => statSync(path).mode & 0o777;

async function run(project: BachProject, ...targets: readonly string[]): Promise<string> {
  return runIdIn((await project.bach(['run', ...targets])).stdout);
}

describe('the database', () => {
  test('[bach-state-place] private, below the root', async () => {
    const project = bachProject(FILE);
    await run(project, 'shell/ok');
    expect([modeOf(project.at('.bach')), modeOf(project.at('.bach/state.db'))]).toEqual([0o700, 0o600]);
  });

  test('[bach-state-links] a link on the way to it', async () => {
    const project = bachProject('shell "x" { shell = "touch ran" }\n');
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, project.at('.bach'));
    const { exit, stdout } = await project.bach(['run', 'shell/x']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect([readdirSync(elsewhere), existsSync(project.at('ran'))]).toEqual([[], false]);
  });

  test('[bach-state-mode] WAL, and rows that go with their run', async () => {
    const project = bachProject(FILE);
    await run(project, 'shell/ok');
    expect(rowsOf(project, 'PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    for (const table of ['target_runs', 'artifacts']) {
      expect(rowsOf(project, `PRAGMA foreign_key_list(${table})`)).toMatchObject([{ table: 'runs', from: 'run_id', on_delete: 'CASCADE' }]);
    }
  });

  test('[bach-state-tables] tables and columns', async () => {
    const project = bachProject(FILE);
    await run(project, 'shell/ok');
    const columns = (table: string) => rowsOf(project, `PRAGMA table_info(${table})`).map(({ name }) => name);
    expect(columns('runs')).toEqual(expect.arrayContaining(['id', 'target', 'dry_run', 'force', 'status', 'started_at', 'finished_at', 'log_dir']));
    expect(columns('target_runs')).toEqual(
      expect.arrayContaining(['run_id', 'target', 'status', 'started_at', 'finished_at', 'log_path', 'operation', 'exit_code']),
    );
    expect(columns('artifacts')).toEqual(expect.arrayContaining(['id', 'run_id', 'target', 'kind', 'path', 'value', 'created_at']));
    expect(rowsOf(project, 'SELECT count(*) > 0 AS migrated FROM bach_schema_migrations')).toEqual([{ migrated: 1 }]);
  });

  test('[bach-state-values, bach-exit-code-recorded] of two runs', async () => {
    const project = bachProject(FILE);
    await run(project, 'shell/ok', 'shell/nothing');
    await run(project, 'shell/bad');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/) as unknown;
    const common = { dry_run: 0, force: 0, started_at: time, finished_at: time };
    expect(rowsOf(project, 'SELECT target, status, dry_run, force, started_at, finished_at FROM runs ORDER BY id')).toEqual([
      { ...common, target: 'shell/ok shell/nothing', status: 'success' },
      { ...common, target: 'shell/bad', status: 'failed' },
    ]);
    expect(rowsOf(project, 'SELECT target, operation, exit_code FROM target_runs ORDER BY target')).toEqual([
      { target: 'shell/bad', operation: 'sh -c exit 3', exit_code: 3 },
      { target: 'shell/nothing', operation: '', exit_code: null },
      { target: 'shell/ok', operation: 'sh -c echo out; echo err >&2', exit_code: 0 },
    ]);
  });
});

describe('what a run reads as', () => {
  test('[bach-status-running] until it ends', async () => {
    const project = bachProject('shell "x" { shell = "touch ready; while [ ! -e go ]; do sleep 0.05; done" }\n');
    const ended = project.bach(['run', 'shell/x']);
    await until(() => existsSync(project.at('ready')));
    expect((await project.bach(['runs', 'list', '--status', 'running'])).stdout).toMatch(/ running  run {10}shell\/x .* finished=- /);
    await until(() => rowsOf(project, 'SELECT status FROM target_runs').length > 0);
    expect(rowsOf(project, 'SELECT status, finished_at FROM target_runs')).toEqual([{ status: 'running', finished_at: '' }]);
    project.write('go', '');
    expect((await ended).exit).toBe(0);
    expect((await project.bach(['runs', 'list', '--status', 'running'])).stdout).toBe('');
  });

  test('[bach-status-interrupted] when its process is gone', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/ok');
    changeState(project, "UPDATE runs SET status = 'running', finished_at = ''; UPDATE target_runs SET status = 'running', finished_at = ''");
    expect((await project.bach(['runs', 'list', '--status', 'interrupted'])).stdout).toMatch(new RegExp(`^${id} interrupted `));
    expect((await project.bach(['runs', 'list', '--status', 'running'])).stdout).toBe('');
    expect((await project.bach(['logs', id])).stdout).toContain('==> shell/ok (interrupted) ');
    expect(rowsOf(project, 'SELECT status FROM runs UNION ALL SELECT status FROM target_runs')).toEqual([{ status: 'running' }, { status: 'running' }]);
  });
});

describe('files of a run', () => {
  test('[bach-run-id] a moment, and each its own', async () => {
    const project = bachProject(FILE);
    const before = new Date(Date.now() - 1000).toISOString();
    const ids = await Promise.all(Array.from({ length: 4 }, () => run(project, 'shell/nothing')));
    expect(new Set(ids).size).toBe(4);
    // Digits alone, to the nanosecond, so that moments compare as texts.
    const digits = (moment: string) => moment.replaceAll(/\D/g, '').padEnd(23, '0');
    for (const id of ids) {
      expect(id).toMatch(/^\d{8}T\d{6}\.\d{9}Z$/);
      const [row] = rowsOf(project, `SELECT started_at FROM runs WHERE id = '${id}'`);
      const moments = [before, id, String(row?.['started_at'])].map(digits);
      expect(moments).toEqual(moments.toSorted());
    }
  });

  test('[bach-run-folder, bach-log-private] beside the database', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/ok');
    const folder = project.at('.bach/runs', id);
    expect(readdirSync(folder).toSorted()).toEqual(['shell__ok', 'shell__ok.log']);
    expect(modeOf(`${folder}/shell__ok.log`)).toBe(0o600);
  });

  test('[bach-file-names] of a name with signs', async () => {
    const project = bachProject('shell "a/b c:d\\\\e" { command = ["true"] }\n');
    const id = await run(project, 'shell/a/b c:d\\e');
    expect(readdirSync(project.at('.bach/runs', id)).toSorted()).toEqual(['shell__a__b_c_d__e', 'shell__a__b_c_d__e.log']);
  });

  test('[bach-log-header, bach-log-content] a log', async () => {
    const project = bachProject(FILE);
    const id = await run(project, 'shell/ok');
    const [header, ...rest] = project.read(`.bach/runs/${id}/shell__ok.log`).split('\n');
    expect(header).toMatch(new RegExp(`^\\[\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z\\] run=${id} target=shell/ok$`));
    expect(rest).toEqual(['sh -c echo out; echo err >&2', 'out', 'err', '']);
  });

  test('[bach-artifacts] by kind', async () => {
    const project = bachProject(
      'shell "x" {\n  shell = "cd $(RUN_DIRECTORY); mkdir deep; touch a.txt b.json deep/c.log"\n  outputs = ["made.yaml", "gone.txt"]\n}\n',
    );
    mkdirSync(project.at('sub'));
    project.write('made.yaml', '');
    const id = await run(project, 'shell/x');
    const below = `.bach/runs/${id}/shell__x`;
    expect(rowsOf(project, 'SELECT kind, path FROM artifacts ORDER BY path')).toEqual([
      { kind: 'run-directory', path: below },
      { kind: 'log', path: `${below}.log` },
      { kind: 'artifact', path: `${below}/a.txt` },
      { kind: 'manifest', path: `${below}/b.json` },
      { kind: 'log', path: `${below}/deep/c.log` },
      { kind: 'manifest', path: 'made.yaml' },
    ]);
  });
});
