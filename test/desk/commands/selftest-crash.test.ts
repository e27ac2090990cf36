import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { selftestCrashVerb, type SelftestCrashInput } from '../../../src/desk/commands/selftest-crash.ts';
import type { Output, ProgressState, VerbContext } from '../../../src/kernel/terminal/index.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';

/** As the toy's program, but of four points, and in no time. */
const PROGRAM = join(import.meta.dirname, '../../engine/crash/programs/steps.sh');

function verb(how: string, { scenario, env = {}, program = ['/bin/sh', PROGRAM, how], onProgress = () => undefined, stop = new AbortController() }: Setting) {
  const out = { progress: onProgress } as Partial<Output> as Output;
  const never = new AbortController().signal;
  const context: VerbContext = {
    cwd: '/',
    env: { PATH: process.env['PATH'], ...env },
    secretNames: { extra: [], except: [] },
    out,
    clock: systemClock(),
    stop: { graceful: stop.signal, immediate: never, signal: () => (stop.signal.aborted ? 'SIGINT' : undefined) },
  };
  return selftestCrashVerb({ scenario, program }, context);
}

interface Setting {
  readonly scenario: SelftestCrashInput['scenario'];
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: readonly [string, ...string[]];
  readonly onProgress?: (state: ProgressState | undefined) => void;
  readonly stop?: AbortController;
}

const leftFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('drover-selftest-'));

describe('drover selftest crash', () => {
  test('answers with counts, shows progress, and leaves nothing', async () => {
    const seen: unknown[] = [];
    const before = leftFolders();
    const answer = await verb('well', { scenario: 1, onProgress: (state) => seen.push(state?.total) });
    expect(answer).toEqual({ exit: 0, json: { points: 4, equal: 4, failed: [] }, text: '4 points, 4 equal, 0 failed', errors: [] });
    expect(seen).toEqual([4, 4, 4, 4]);
    expect(leftFolders()).toEqual(before);
  });

  test('takes with it what killed programs leave in the temporary folder', async () => {
    const litter = () => readdirSync(tmpdir()).filter((name) => name.startsWith('drover-litter-'));
    const script = `mktemp -d "\${TMPDIR:-/tmp}/drover-litter-XXXXXX" >/dev/null; exec sh '${PROGRAM}' well "$@"`;
    const before = litter();
    const answer = await verb('', { scenario: 1, program: ['/bin/sh', '-c', script, 'sh'] });
    expect(answer.json).toMatchObject({ points: 4, equal: 4 });
    expect(litter()).toEqual(before);
  });

  test('fails when it has fewer points than the whole one', async () => {
    expect(await verb('well', { scenario: undefined })).toMatchObject({
      exit: 1,
      errors: ['only 4 points; a whole self-test has at least 30'],
    });
  });

  test('fails at a point whose end differs, and says where', async () => {
    const answer = await verb('immortal', { scenario: 2 });
    expect(answer).toMatchObject({ exit: 1, json: { points: 4, equal: 0 } });
    expect(answer.text?.split('\n').slice(0, 2)).toEqual(['4 points, 0 equal, 4 failed', 'point 1 (one): the kill did not happen: exit 0']);
  });

  test.each([0, 3])('there is no scenario %i', async (scenario) => {
    await expect(verb('well', { scenario })).rejects.toMatchObject({
      code: 'selftest-scenario',
      exit: 2,
      message: `there is no scenario ${scenario}, only 1 (first), 2 (second)`,
    });
  });

  test('what cannot be carried out is an error', async () => {
    await expect(verb('broken', { scenario: 1 })).rejects.toMatchObject({ code: 'selftest-broken' });
  });

  test('a place for temporary files that cannot be used is told with the variable that names it', async () => {
    const TMPDIR = join(temporaryFolder(), 'no\nsuch');
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(verb('well', { scenario: 1, env: { TMPDIR } })).rejects.toMatchObject({
      code: 'no-temporary-folder',
      message: expect.stringMatching(/^cannot make a folder in .+\/no\\nsuch: no such file or directory \(from TMPDIR\)$/),
      remedy: 'set TMPDIR to a folder that exists and that you can write',
    });
  });

  test('Ctrl-C ends it cleanly, with the exit code of the signal', async () => {
    const before = leftFolders();
    const stop = new AbortController();
    const answer = await verb('well', { scenario: 1, stop, onProgress: () => stop.abort() });
    expect(answer).toEqual({ exit: 130, errors: ['the self-test was stopped; nothing of it is left'] });
    expect(leftFolders()).toEqual(before);
  });

  test('beside sources there is no program to kill', async () => {
    const context = { clock: systemClock(), env: {}, stop: { graceful: new AbortController().signal } } as Partial<VerbContext> as VerbContext;
    await expect(selftestCrashVerb({ scenario: 1 }, context)).rejects.toMatchObject({ code: 'selftest-missing' });
  });
});
