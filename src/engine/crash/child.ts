import { readTail } from '../../kernel/files/index.ts';
import { definedVariables, start } from '../../kernel/process/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { onAbort } from '../stop.ts';

const LIMIT_MS = 120_000;
const GRACE_MS = 1_000;
/** In bytes. */
const MOST_LOG = 2_000;

export interface CrashHost {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the children and the whole test. */
  readonly signal: AbortSignal;
  /** In the environment of every child. */
  readonly marker: string;
  /** A child that takes longer than this, in milliseconds, does not end by itself. Default two minutes. */
  readonly limitMs?: number;
}

interface ChildRequest {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly log: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface ChildEnd {
  /** `exit 0`, `SIGKILL`, or why there was none. */
  readonly end: string;
  /** The end of what it printed. */
  readonly log: string;
}

/** Runs a program of the test to its end. Throws the signal's reason when the test is ended. */
export async function runChild({ argv, cwd, log, variables = {} }: ChildRequest, host: CrashHost): Promise<ChildEnd> {
  host.signal.throwIfAborted();
  const { clock, marker, limitMs = LIMIT_MS } = host;
  const child = start(
    { argv, origin: 'drover', cwd, env: { ...definedVariables(host.env, isOfCrashTests), ...variables }, marker, log: { path: log }, graceMs: GRACE_MS },
    { clock },
  );
  const silence = onAbort(host.signal, () => child.kill());
  const timer = setTimeout(() => child.kill(), limitMs);
  const exit = await child.exit.finally(() => {
    silence();
    clearTimeout(timer);
  });
  host.signal.throwIfAborted();
  const { bytes } = await readTail(log, { maxBytes: MOST_LOG });
  const text = Buffer.from(bytes).toString('utf8').trim();
  if (exit.stopped !== undefined) return { end: `took more than ${limitMs} ms`, log: text };
  if (exit.kind === 'exited') return { end: `exit ${exit.code}`, log: text };
  return { end: exit.kind === 'signalled' ? exit.signal : exit.error.message, log: text };
}

/** What would make our own children crash or trace, should this be a test of a test. */
const isOfCrashTests = (name: string): boolean => name.startsWith('DROVER_CRASH_');
