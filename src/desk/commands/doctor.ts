import { stateFolder } from '../../kernel/config/index.ts';
import { isDroverError } from '../../kernel/errors/index.ts';
import { isHeld } from '../../kernel/lock/index.ts';
import { createReaper, type Reaper } from '../../kernel/process/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { examine, type NamedFinding, type Patient } from '../doctor/index.ts';
import { loadSettings, type Settings } from '../settings/index.ts';
import type { DoctorInput } from './inputs.ts';
import { unlessStopped } from './stopped.ts';

/** The exit code of errors that are in the words of the command. */
const WRONG_USAGE = 2;

/** What a program that doctor asks gets between TERM and KILL when doctor is killed, and how long it may take before. */
const GRACE_MS = 500;
const HANGS_AFTER_MS = 200;

/** `drover doctor`: looks whether this machine has what drover needs. Leaves nothing behind. */
export async function doctorVerb(input: DoctorInput, context: VerbContext): Promise<VerbResult> {
  const { lockToLookAt } = input;
  if (lockToLookAt !== undefined) return { exit: 0, json: { held: isHeld(lockToLookAt) } };
  return unlessStopped(context, async () => {
    const settings = once(() => loadSettings(context, input.flags));
    await refuseWrongOptions(settings);
    const reaper = createReaper({ env: context.env, graceMs: GRACE_MS, afterMs: HANGS_AFTER_MS });
    try {
      return answer(await examine(patientOf(input, { context, settings, reaper })));
    } finally {
      reaper.close();
    }
  });
}

/** Options are this command's own words; whatever else is wrong with the configuration is told by its check. */
async function refuseWrongOptions(settings: () => Promise<Settings>): Promise<void> {
  try {
    await settings();
  } catch (error) {
    if (isDroverError(error) && error.exit === WRONG_USAGE) throw error;
  }
}

function answer(checks: readonly NamedFinding[]): VerbResult {
  const isWell = checks.every(({ status }) => status !== 'fail');
  const json = { checks: checks.map(asDocument), ok: isWell };
  return { exit: isWell ? 0 : 1, json, text: checks.flatMap(linesOf).join('\n') };
}

interface Surroundings {
  readonly context: VerbContext;
  readonly settings: () => Promise<Settings>;
  readonly reaper: Reaper;
}

function patientOf({ self, notify }: DoctorInput, { context, settings, reaper }: Surroundings): Patient {
  const { env, clock, stop } = context;
  return {
    env,
    clock,
    self,
    reaper,
    platform: process.platform,
    sendsNotice: notify,
    signal: stop.graceful,
    cwd: () => context.cwd,
    config: async () => (await settings()).config,
    stateFolder: async () => {
      const found = await settings().catch(() => undefined);
      // What is wrong with the configuration is told by its own check.
      return found === undefined ? stateFolder(undefined, env) : found.stateFolder();
    },
  };
}

/** Loads once, however many checks ask; what it throws is thrown to each of them. */
function once(load: () => Promise<Settings>): () => Promise<Settings> {
  let loaded: Promise<Settings> | undefined;
  return () => (loaded ??= load());
}

const WIDEST_NAME = 'containment'.length;
const INDENT = ' '.repeat('fail  '.length + WIDEST_NAME + 2);

function linesOf({ status, name, detail, remedy }: NamedFinding): readonly string[] {
  const [first = '', ...more] = [...detail.split('\n'), ...(remedy === undefined ? [] : [remedy])];
  return [`${status.padEnd(4)}  ${name.padEnd(WIDEST_NAME)}  ${first}`, ...more.map((line) => `${INDENT}${line}`)];
}

function asDocument({ name, status, detail, remedy }: NamedFinding) {
  return { name, status, detail, ...(remedy === undefined ? {} : { remedy }) };
}
