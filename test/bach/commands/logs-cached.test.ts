import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { DAY, NOW, placeAt, recordRuns } from '../store/recorded-runs.ts';

/** A run that used what an earlier one had made. */
async function cachedProject(): Promise<{ readonly project: BachProject; readonly id: string; readonly log: string }> {
  const project = bachProject('shell "test" { shell = "true" }\n');
  const [maker = ''] = await recordRuns(placeAt(project.folder), [{ startedAt: NOW - DAY }]);
  const log = `.bach/runs/${maker}/shell__test.log`;
  const [id = ''] = await recordRuns(placeAt(project.folder), [{ targets: [{ target: 'shell/test', status: 'cached', logPath: log }] }]);
  return { project, id, log };
}

test('the log of a cached target is that of the run that made its result', async () => {
  const { project, id, log } = await cachedProject();
  const maker = log.split('/')[2] ?? '';
  for (const last of ['20', '0']) {
    expect(await project.bach(['logs', id, '--last', last])).toEqual({ exit: 0, stderr: '', stdout: `==> shell/test (cached) ${log} <==\nlog of ${maker}\n` });
  }
  const { stdout } = await project.bach(['logs', id, '--json']);
  expect(JSON.parse(stdout)).toEqual({ run_id: id, targets: [{ target: 'shell/test', status: 'cached', log_path: log, lines: [`log of ${maker}`] }] });
});

test('a cached target did not fail', async () => {
  const { project, id } = await cachedProject();
  expect(await project.bach(['logs', id, '--failed'])).toEqual({ exit: 0, stdout: '', stderr: '' });
});

test('one whose log went with its run is said', async () => {
  const { project, id, log } = await cachedProject();
  rmSync(project.at(log));
  expect(await project.bach(['logs', id])).toEqual({ exit: 0, stdout: '', stderr: `the log of shell/test is gone: ${log}\n` });
});
