import { describeSystemError, isDroverError, type DroverError } from '../kernel/errors/index.ts';
import { programPartGone } from './errors.ts';

/** What a person is told about an error, and the exit code that goes with it. */
export interface Failure {
  readonly exit: number;
  readonly lines: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A known error as its message and remedy; anything else as one line. Stack traces only with `DROVER_DEBUG=1`. */
export function describeFailure(error: unknown, environment: Environment): Failure {
  const stack = environment['DROVER_DEBUG'] === '1' && error instanceof Error ? [error.stack ?? ''] : [];
  const known = knownError(error);
  if (known !== undefined) return { exit: known.exit, lines: [known.message, known.remedy, ...stack] };
  return { exit: 1, lines: [`internal error: ${firstLine(error)}`, howToReport(stack), ...stack] };
}

function knownError(error: unknown): DroverError | undefined {
  if (isDroverError(error)) return error;
  if (!(error instanceof Error) || !('syscall' in error) || !('path' in error)) return undefined;
  if ('part' in error && 'code' in error && error.code === 'ENOENT') return programPartGone({ part: String(error.part) }, error);
  return describeSystemError(error, { action: String(error.syscall), path: String(error.path) });
}

function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.split('\n', 1)[0] ?? '';
}

function howToReport(stack: readonly string[]): string {
  const again = stack.length === 0 ? 'run it again with DROVER_DEBUG=1 and ' : '';
  return `this is a defect of the program: ${again}report the command with all that it printed`;
}
