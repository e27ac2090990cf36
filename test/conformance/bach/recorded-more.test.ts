import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { daily, placeAt, recordRuns, stateOf } from '../../bach/store/recorded-runs.ts';
import { printedBy, shell, until } from './support.ts';

describe('a run that goes on', () => {
  test('[bach-runs-inspect-running] it has not finished', async () => {
    const project = bachProject(shell('x', 'touch ready; while [ ! -e go ]; do sleep 0.05; done'));
    const ended = project.bach(['run', 'shell/x']);
    await Promise.race([ended, until(() => existsSync(project.at('ready')))]);
    const id = (await printedBy(project, 'runs', 'list')).split(' ')[0] ?? '';
    const document = JSON.parse(await printedBy(project, 'runs', 'inspect', id, '--json')) as object;
    project.write('go', '');
    expect((await ended).exit).toBe(0);
    expect(document).toMatchObject({ run_id: id, status: 'running', failed_targets: [] });
    expect(document).not.toHaveProperty('finished_at');
    expect(JSON.parse(await printedBy(project, 'runs', 'inspect', id, '--json'))).toHaveProperty('finished_at');
  });
});

describe('retention', () => {
  test('[bach-retention-run] each run removes one of those that may go', async () => {
    const project = bachProject(shell('x', 'true'));
    const old = await recordRuns(placeAt(project.folder), daily(53, 2000));
    // The newest 50 count the run itself.
    for (const left of [1, 2]) {
      const stdout = await printedBy(project, 'run', 'shell/x');
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^targets: /);
      expect(stateOf(project.folder).rows.filter((id) => old.includes(id))).toEqual(old.slice(left));
    }
  });
});
