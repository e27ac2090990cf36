import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { dryRun, runTargets } from '../../../src/bach/act/index.ts';
import { NOTHING_CACHED, type Freshness } from '../../../src/bach/act/freshness.ts';
import { planRun, type CacheVerdict } from '../../../src/bach/decide/index.ts';
import { RunStore } from '../../../src/bach/store/index.ts';
import { neverStops, type Output } from '../../../src/kernel/terminal/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { temporaryFolder, writeFiles } from '../../support/temp.ts';
import { read } from '../model/reading.ts';

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
  const { request, verb, folder } = staged(out, scripts);
  return { folder, outcome: runTargets(request, verb) };
}

function staged(out: Output, scripts: Readonly<Record<string, string>>, more = '') {
  const folder = temporaryFolder();
  const names = Object.keys(scripts);
  const shells = names.map((name) => `shell "${name}" { command = ["sh", "${name}.sh"] }\n`).join('');
  writeFiles(folder, Object.fromEntries(names.map((name) => [`${name}.sh`, scripts[name] ?? ''])));
  const { project } = read(`project "p" {}\n${shells}${more}`);
  if (project === undefined) throw new Error('the Bachfile of this test is faulty');
  const plan = planRun(project.targets, names.map((name) => `shell/${name}`));
  if (!plan.ok) throw plan.error;
  const place = { root: folder, statePath: '.bach/state.db', clock: systemClock() };
  const verb = { cwd: folder, env: { PATH: process.env['PATH'] }, out, clock: systemClock(), secretNames: { extra: [], except: [] }, stop: neverStops() };
  const shown = { logOnly: false, verbose: false };
  return { folder, verb, request: { project, place, plan, environmentFiles: [], jobs: 4, force: false, shown } };
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

test('what runs is shown while it does, not only when something else has ended', async () => {
  const shown: string[] = [];
  const out: Output = { ...QUIET, progress: (state) => shown.push(`${state?.done}: ${state?.running.map(({ name }) => name).toSorted().join(' ')}`) };
  const { outcome } = await runWith(out, { one: 'sleep 0.2', two: 'sleep 0.2' });
  await outcome;
  expect(shown).toContain('0: shell/one shell/two');
});

describe('a target that an earlier run has made', () => {
  /** All is cached but what is named, and that is stale; answers at once or later. */
  function cachedBut(stale: readonly string[], { late = false } = {}): Freshness & { readonly kept: string[] } {
    const kept: string[] = [];
    const verdict = (name: string): CacheVerdict =>
      stale.includes(name)
        ? { kind: 'stale', fingerprint: '', reasons: ['changed input', 'missing output'] }
        : { kind: 'fresh', fingerprint: 'f' };
    return {
      ...NOTHING_CACHED,
      kept,
      logOf: (name) => `.bach/runs/earlier/${name.replace('/', '__')}.log`,
      judge: ({ name }) => (late ? undefined : verdict(name)),
      judgeAnew: async ({ name }) => verdict(name),
      succeeded: async ({ name }) => {
        kept.push(name);
        return `the input of ${name} changed while it ran`;
      },
    };
  }

  function recording() {
    const lines: string[] = [];
    const out: Output = { ...QUIET, line: (label, text) => lines.push(`${label} ${text}`.replace(/^\S+Z /, '').trim()) };
    return { lines, out };
  }

  test.each([false, true])('makes nothing on the disk, and its row names the log that made its result (told later: %s)', async (late) => {
    const { lines, out } = recording();
    const { request, verb, folder } = staged(out, { a: 'touch ran-a', b: 'touch ran-b' });
    const freshness = cachedBut(['shell/b'], { late });
    const outcome = await runTargets({ ...request, freshness }, verb);
    expect(outcome.status).toBe('success');
    expect(lines).toContain('[shell/a] (cached) sh a.sh');
    expect(lines).toContain('[shell/b] (stale: changed input, missing output) sh b.sh');
    expect(lines).toContain('[shell/b] the input of shell/b changed while it ran');
    expect(lines.at(-1)).toContain('success=1 cached=1 failed=0');
    expect(freshness.kept).toEqual(['shell/b']);
    expect(existsSync(`${folder}/ran-a`)).toBe(false);
    const [run = ''] = readdirSync(`${folder}/.bach/runs`);
    expect(readdirSync(`${folder}/.bach/runs/${run}`).sort()).toEqual(['shell__b', 'shell__b.log']);
    const store = await RunStore.openExisting(request.place);
    const [row] = store?.targetRuns(store.run(run)).filter(({ target }) => target === 'shell/a') ?? [];
    store?.close();
    expect(row).toMatchObject({ status: 'cached', logPath: '.bach/runs/earlier/shell__a.log', operation: '', exitCode: undefined });
  });

  test('is shown in a dry run with the reasons of the others', async () => {
    const { lines, out } = recording();
    const { request, verb, folder } = staged(out, { a: '', b: '' });
    await dryRun({ ...request, freshness: cachedBut(['shell/b']) }, verb);
    expect(lines.slice(0, 2)).toEqual(['[shell/a] (cached) sh a.sh', '[shell/b] (stale: changed input, missing output) sh b.sh']);
    expect(lines.at(-1)).toContain('dry-run=2');
    expect(existsSync(`${folder}/.bach`)).toBe(false);
  });

  test('stands in a chain of any length', async () => {
    const { lines, out } = recording();
    const links = Array.from({ length: 20_000 }, (_, link) => `shell "c${link + 1}" {\n  command = ["true"]\n  depends_on = [${link === 0 ? '' : `shell.c${link}`}]\n}\n`);
    const { request, verb } = staged(out, { a: '' }, links.join(''));
    const plan = planRun(request.project.targets, ['shell/c20000']);
    if (!plan.ok) throw plan.error;
    const outcome = await runTargets({ ...request, plan, freshness: cachedBut([]) }, verb);
    expect(outcome.status).toBe('success');
    expect(lines.at(-1)).toContain('cached=20000');
  });
});
