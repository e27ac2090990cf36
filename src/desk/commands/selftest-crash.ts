import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCrashes, noSuchScenario, scenariosOf, selftestMissing, type CrashHost, type CrashReport } from '../../engine/index.ts';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { systemIds } from '../../kernel/ids/index.ts';
import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';
import { noTemporaryFolder } from './errors.ts';

export interface SelftestCrashInput {
  /** From 1, as the program lists them; the first one unless told otherwise. */
  readonly scenario: number | undefined;
  /** The words that start the program under test. Default: the toy that is built beside this executable. */
  readonly program?: readonly [string, ...string[]];
}

/** A self-test of fewer points has lost some of them. */
const FEWEST_POINTS = 30;
/** Where Node looks for the place of temporary files, in this order. */
const PLACES = ['TMPDIR', 'TMP', 'TEMP'];
const NO_PLACE = 'the default, since TMPDIR is not set';
const PROGRAM = 'selftest-toy.cjs';

/** `drover selftest crash`: kills the toy at each of its durable points and looks whether it ends as if nothing had been. */
export async function selftestCrashVerb({ scenario, program }: SelftestCrashInput, context: VerbContext): Promise<VerbResult> {
  const { clock, env, stop } = context;
  const folder = temporaryFolder(env);
  const host: CrashHost = { clock, env, signal: stop.graceful, marker: systemIds(clock).next() };
  try {
    // What a killed program leaves in the temporary folder goes with ours.
    const report = await check({ ...host, env: { ...env, TMPDIR: folder }, folder }, { scenario: scenario ?? 1, program: program ?? besideUs(), context });
    return answer(report, { fewest: scenario === undefined ? FEWEST_POINTS : 1 });
  } catch (error) {
    const signal = stop.graceful.aborted && error === stop.graceful.reason ? stop.signal() : undefined;
    if (signal === undefined) throw error;
    return { exit: SIGNAL_EXITS[signal], errors: ['the self-test was stopped; nothing of it is left'] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolder(env: VerbContext['env']): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(realpathSync(place), 'drover-selftest-'));
  } catch (error) {
    const { message } = describeSystemError(error, { action: 'make a folder in', path: place });
    throw noTemporaryFolder({ message, source: PLACES.find((name) => (env[name] ?? '') !== '') ?? NO_PLACE }, error);
  }
}

interface Request {
  readonly scenario: number;
  readonly program: readonly [string, ...string[]];
  readonly context: VerbContext;
}

async function check(host: CrashHost & { readonly folder: string }, { scenario, program, context }: Request): Promise<CrashReport> {
  const scenarios = await scenariosOf(program, host);
  const chosen = scenarios[scenario - 1];
  if (chosen === undefined) throw noSuchScenario({ number: scenario, names: scenarios.map(({ name }) => name) });
  return checkCrashes(chosen, {
    ...host,
    parallel: availableParallelism(),
    onProgress: ({ done, total }) => context.out.progress({ done, total, running: [] }),
  });
}

/** In the bundle this file is in the folder of the executables, or in one below it. */
function besideUs(): readonly [string, ...string[]] {
  const places = [import.meta.dirname, join(import.meta.dirname, '..')].map((folder) => join(folder, PROGRAM));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw selftestMissing({ path: places[0] ?? PROGRAM });
  return [process.execPath, found];
}

function answer(report: CrashReport, { fewest }: { readonly fewest: number }): VerbResult {
  const { points, equal, failed } = report;
  const lines = failed.map(({ point, name, difference }) => `point ${point} (${name}): ${difference}`);
  const text = [`${points} points, ${equal} equal, ${failed.length} failed`, ...lines].join('\n');
  const errors = points < fewest ? [`only ${points} points; a whole self-test has at least ${fewest}`] : [];
  return { exit: failed.length === 0 && errors.length === 0 ? 0 : 1, json: report, text, errors };
}
