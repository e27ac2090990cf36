import { isDroverError } from '../../kernel/errors/index.ts';
import { start, type Child, type ChildExit } from '../../kernel/process/index.ts';
import { argvOf, type CheckCommand } from './command.ts';

/** How a command went, before anybody judges it. */
export interface CommandRun {
  readonly end:
    | ChildExit
    /** It was not followed to its end: its log was replaced, or could not be read or masked. */
    | { readonly kind: 'not-followed'; readonly code: string; readonly said: string };
  /** Why we ended it. */
  readonly cut: 'timed-out' | 'too-much-output' | undefined;
  readonly durationMs: number;
  readonly bytes: number;
}

export interface CommandPlace {
  /** Absolute. */
  readonly cwd: string;
  /** Absolute; nothing is there yet. */
  readonly log: string;
  readonly signal: AbortSignal;
}

const GRACE_MS = 5_000;
const MOST_OUTPUT = 2 ** 30;
/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs it until everything that belongs to it is gone, also when the signal ended it. */
export async function runCommand(command: CheckCommand, place: CommandPlace): Promise<CommandRun> {
  const { timeoutMs, maxOutputBytes = MOST_OUTPUT, host } = command;
  const { signal } = place;
  const startedAt = host.clock.mono();
  let cut: CommandRun['cut'];
  let printed = 0;
  const onOutput = (chunk: Buffer): void => {
    printed += chunk.length;
    if (printed > maxOutputBytes) end('too-much-output');
  };
  const child = startCommand(command, place, onOutput);
  const end = (why: 'timed-out' | 'too-much-output'): void => {
    if (cut === undefined) child.stop();
    cut ??= why;
  };
  const abort = (): void => child.stop();
  const timer = setTimeout(() => end('timed-out'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    const exit = await followed(child);
    return { end: exit, cut, durationMs: host.clock.mono() - startedAt, bytes: 'logEnd' in exit ? exit.logEnd : printed };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function startCommand(command: CheckCommand, { cwd, log }: CommandPlace, onOutput: (chunk: Buffer) => void): Child {
  const { clock, marker, redaction, containment = 'none', reaper } = command.host;
  return start(
    {
      argv: argvOf(command.command),
      origin: command.origin,
      cwd,
      env: command.env,
      marker,
      graceMs: command.graceMs ?? GRACE_MS,
      log: { path: log },
      onOutput,
      scrub: redaction.createScrubber(),
      containment,
    },
    { clock, reaper },
  );
}

/** A log that cannot be followed is somebody's doing as a rule, and no defect of ours. */
async function followed({ exit }: Child): Promise<CommandRun['end']> {
  try {
    return await exit;
  } catch (error) {
    if (!isDroverError(error)) throw error;
    return { kind: 'not-followed', code: error.code, said: error.message };
  }
}
