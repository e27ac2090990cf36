import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runTargets } from '../../../src/bach/act/index.ts';
import { planRun } from '../../../src/bach/decide/index.ts';
import { readBachfile } from '../../../src/bach/model/index.ts';
import { neverStops, type Output } from '../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';

const QUIET: Output = {
  line: () => undefined,
  record: () => undefined,
  progress: () => undefined,
  raw: () => undefined,
  notice: () => undefined,
  drained: async () => undefined,
};

/** Runs every target of a Bachfile with an output of the test's own. */
async function runWith(out: Output, scripts: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const names = Object.keys(scripts);
  const shells = names.map((name) => `shell "${name}" { command = ["sh", "${name}.sh"] }\n`).join('');
  writeFiles(folder, Object.fromEntries(names.map((name) => [`${name}.sh`, scripts[name] ?? ''])));
  const bytes = new TextEncoder().encode(`project "p" {}\n${shells}`);
  const { project } = readBachfile(bytes, { file: 'Bachfile', overrides: [], environment: {} });
  if (project === undefined) throw new Error('the Bachfile of this test is faulty');
  const plan = planRun(project.targets, names.map((name) => `shell/${name}`));
  if (!plan.ok) throw plan.error;
  const place = { root: folder, statePath: '.bach/state.db', clock: systemClock() };
  const verb = { cwd: folder, env: { PATH: process.env['PATH'] }, out, clock: systemClock(), secretNames: { extra: [], except: [] }, stop: neverStops() };
  const outcome = runTargets({ project, place, plan, environmentFiles: [], jobs: 4 }, verb);
  return { folder, outcome };
}

test('a defect of ours ends the run, and nothing that was started is left', async () => {
  const out: Output = {
    ...QUIET,
    progress: (state) => {
      if (state !== undefined && state.done > 0) throw new TypeError('the status line is broken');
    },
  };
  const { folder, outcome } = await runWith(out, {
    stays: 'echo $$ > pid; exec sleep 600',
    ends: 'while [ ! -s pid ]; do sleep 0.02; done',
  });
  await expect(outcome).rejects.toThrow('the status line is broken');
  const pid = Number(readFileSync(`${folder}/pid`, 'utf8'));
  expect(pid).toBeGreaterThan(1);
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});
