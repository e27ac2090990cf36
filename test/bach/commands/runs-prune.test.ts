import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { DAY, daily, folderOf, NOW, placeAt, recordRuns, stateOf } from '../store/recorded-runs.ts';

const FILE = 'shell "test" { shell = "true" }\n';
const LEFT_OVER = '20200101T000000.000000000Z';

/** As many days ago as it takes for them to be old for the machine's clock too. */
const OLD = 2000;

/** Two runs that can go, 50 that stay, and a folder without a run. */
async function oldProject(): Promise<{ readonly project: BachProject; readonly ids: readonly string[] }> {
  const project = bachProject(FILE);
  const ids = await recordRuns(placeAt(project.folder), daily(52, OLD));
  folderOf(project.folder, '20000101T000000.000000000Z');
  return { project, ids };
}

function lineOf(verb: string, index: number, ids: readonly string[]): string {
  const started = new Date(Number((NOW - DAY * BigInt(OLD + 51 - index)) / 1_000_000n)).toISOString().replace('.000', '');
  return `${verb} ${ids[index] ?? ''} success target=shell/test started=${started} logs=.bach/runs/${ids[index] ?? ''}`;
}

describe('bach runs prune', () => {
  test.each([
    ['would remove', ['--dry-run'], 52, 53],
    ['would remove', ['-d'], 52, 53],
    ['removed', [], 50, 50],
  ] as const)('%s, with %j', async (verb, argv, rows, folders) => {
    const { project, ids } = await oldProject();
    const { exit, stdout, stderr } = await project.bach(['runs', 'prune', ...argv]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n')).toEqual([
      lineOf(verb, 1, ids),
      lineOf(verb, 0, ids),
      `${verb} .bach/runs/20000101T000000.000000000Z, a folder without a recorded run`,
      `${verb} 2 runs and 1 left-over folders; 50 runs stay`,
    ]);
    const left = stateOf(project.folder);
    expect([left.rows.length, left.folders.length]).toEqual([rows, folders]);
  });

  test.each([[['--dry-run'], true], [[], false]] as const)('the document, with %j', async (argv, dryRun) => {
    const { project, ids } = await oldProject();
    const { exit, stdout, stderr } = await project.bach(['runs', 'prune', '--json', ...argv]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const run = (id = '') => ({ run_id: id, requested_target: 'shell/test', status: 'success', started_at: expect.stringMatching(/Z$/) as unknown, log_dir: `.bach/runs/${id}` });
    expect(JSON.parse(stdout)).toEqual({
      dry_run: dryRun,
      removed: [run(ids[1]), run(ids[0])],
      removed_folders: ['.bach/runs/20000101T000000.000000000Z'],
      kept: 50,
    });
  });

  test('a second time there is nothing', async () => {
    const { project } = await oldProject();
    await project.bach(['runs', 'prune']);
    expect(await project.bach(['runs', 'prune'])).toEqual({ exit: 0, stdout: 'removed 0 runs; 50 runs stay\n', stderr: '' });
  });

  test('a run that was removed is not found, and the others are listed as before', async () => {
    const { project, ids } = await oldProject();
    const list = async () => (await project.bach(['runs', 'list', '--runs-limit', '0'])).stdout.split('\n');
    const before = await list();
    await project.bach(['runs', 'prune']);
    expect(await list()).toEqual([...before.slice(0, 50), '']);
    for (const argv of [['logs', ids[0] ?? ''], ['runs', 'inspect', ids[0] ?? ''], ['artifacts', ids[0] ?? '']]) {
      expect(await project.bach(argv)).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(`not found: run "${ids[0] ?? ''}"`) as unknown });
    }
  });

  test.each([[[]], [['--dry-run']]])('where nothing has run nothing is made and nothing removed, with %j', async (argv) => {
    const project = bachProject(FILE);
    expect(await project.bach(['runs', 'prune', ...argv])).toMatchObject({ exit: 0, stderr: '', stdout: expect.stringMatching(/ 0 runs; 0 runs stay\n$/) as unknown });
    expect(existsSync(project.at('.bach'))).toBe(false);
    // The records are gone, and with them what says whether the logs are needed.
    folderOf(project.folder, LEFT_OVER);
    await project.bach(['runs', 'prune', ...argv]);
    expect(readdirSync(project.at('.bach'))).toEqual(['runs']);
    expect(readdirSync(project.at('.bach/runs'))).toEqual([LEFT_OVER]);
  });

  test('two at once', async () => {
    const { project, ids } = await oldProject();
    const both = await Promise.all([project.bach(['runs', 'prune', '--json']), project.bach(['runs', 'prune', '--json'])]);
    expect(both.map(({ exit, stderr }) => ({ exit, stderr }))).toEqual([{ exit: 0, stderr: '' }, { exit: 0, stderr: '' }]);
    const removed = both.flatMap(({ stdout }) => (JSON.parse(stdout) as { removed: { run_id: string }[] }).removed.map((run) => run.run_id));
    expect(removed.toSorted()).toEqual(ids.slice(0, 2));
    expect(stateOf(project.folder)).toEqual({ rows: ids.slice(2), folders: ids.slice(2) });
  });

  test('takes no words', async () => {
    const { exit, stdout } = await bachProject(FILE).bach(['runs', 'prune', 'all']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });
});
