import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { DAY, NOW, placeAt, recordRuns } from '../store/recorded-runs.ts';

const FILE = 'shell "ok" {\n  shell = "touch made.txt"\n  outputs = ["made.txt"]\n}\n';

/** An older run of a group, and a younger failed one of a target, with artifacts of each kind. */
async function recorded(): Promise<{ readonly project: BachProject; readonly old: string; readonly young: string }> {
  const project = bachProject(FILE);
  const [old = '', young = ''] = await recordRuns(placeAt(project.folder), [
    {
      startedAt: NOW - DAY,
      target: 'group/ci',
      artifacts: [
        { target: 'shell/b', kind: 'log', path: 'logs/b.log' },
        { target: 'shell/b', kind: 'manifest', path: 'dist/a_b%c.json' },
        { target: 'image/app', kind: 'image-tag', path: '', value: 'example/app:1' },
      ],
    },
    { status: 'failed', target: 'shell/b', artifacts: [{ target: 'shell/b', kind: 'log', path: 'logs/b2.log' }] },
  ]);
  return { project, old, young };
}

const ALL = ['logs/b2.log', 'example/app:1', 'logs/b.log', 'dist/a_b%c.json'];

describe('bach artifacts', () => {
  test('the form of a line', async () => {
    const { project, old, young } = await recorded();
    expect(await project.bach(['artifacts'])).toEqual({
      exit: 0,
      stderr: '',
      stdout: [
        `${young} log          shell/b                  2026-06-08T12:00:00Z logs/b2.log`,
        `${old} image-tag    image/app                2026-06-07T12:00:00Z example/app:1`,
        `${old} log          shell/b                  2026-06-07T12:00:00Z logs/b.log`,
        `${old} manifest     shell/b                  2026-06-07T12:00:00Z dist/a_b%c.json`,
        '',
      ].join('\n'),
    });
  });

  test('the document', async () => {
    const { project, old } = await recorded();
    const { stdout } = await project.bach(['artifacts', '--json', '--target', 'image.app']);
    expect(JSON.parse(stdout)).toEqual({
      artifacts: [{ run_id: old, target: 'image/app', kind: 'image-tag', value: 'example/app:1', created_at: '2026-06-07T12:00:00Z' }],
    });
  });

  test.each([
    ['all', [], ALL],
    ['a limit, of artifacts', ['--runs-limit', '2'], ALL.slice(0, 2)],
    ['no limit', ['--runs-limit', '0'], ALL],
    ['what a target made', ['--target', 'shell.b'], ['logs/b2.log', 'logs/b.log', 'dist/a_b%c.json']],
    ['everything of what was asked for', ['--target', 'group/ci'], ALL.slice(1)],
    ['a target without any', ['--target', 'shell/none'], []],
    ['a status of the run', ['--status', 'failed'], ['logs/b2.log']],
    ['a status that no run has', ['--status', 'interrupted'], []],
    ['a moment', ['--since', '2026-06-08T00:00:00Z'], ['logs/b2.log']],
    ['a part of a path, letter by letter', ['--artifact', 'a_b%'], ['dist/a_b%c.json']],
    ['a part of a tag', ['--artifact', 'app:'], ['example/app:1']],
    ['all filters at once', ['--target', 'shell/b', '--status', 'success', '--artifact', 'log', '--since', '2026-06-01T00:00:00Z', '--runs-limit', '1'], ['logs/b.log']],
  ])('%s', async (_, argv, paths) => {
    const { project } = await recorded();
    const { exit, stdout, stderr } = await project.bach(['artifacts', ...argv]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, -1).map((line) => line.split(' ').at(-1))).toEqual(paths);
  });

  test('those of one run, which the filters hold for too', async () => {
    const { project, old } = await recorded();
    const places = async (...argv: string[]) => (await project.bach(['artifacts', old, ...argv])).stdout.split('\n').slice(0, -1).map((line) => line.split(' ').at(-1));
    expect(await places()).toEqual(ALL.slice(1));
    expect(await places('--artifact', 'json')).toEqual(['dist/a_b%c.json']);
    expect(await places('--status', 'failed')).toEqual([]);
  });

  test('what a run really made', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    const { stdout } = await project.bach(['artifacts', id]);
    expect(stdout.split('\n').slice(0, -1).map((line) => line.split(' ').at(-1))).toEqual([`.bach/runs/${id}/shell__ok.log`, `.bach/runs/${id}/shell__ok`, 'made.txt']);
  });

  test('nothing has run', async () => {
    const project = bachProject(FILE);
    expect(await project.bach(['artifacts'])).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await project.bach(['artifacts', '--json'])).stdout)).toEqual({ artifacts: [] });
    expect(await project.bach(['artifacts', 'gone', '--json'])).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringMatching(/^not found: run "gone"\n.+\n$/) as unknown });
  });

  test.each([
    ['--since', 'yesterday', 'invalid --since "yesterday"'],
    ['--status', 'cached', 'invalid --status "cached"'],
    ['--runs-limit', '-1', '--runs-limit'],
  ])('%s %s is refused', async (flag, value, message) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['artifacts', '--json', flag, value]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
