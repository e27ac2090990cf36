import { formatDuration } from '../../kernel/text/index.ts';
import type { RunRecord } from '../model/index.ts';
import { lastLines } from '../store/index.ts';

/** Non-empty lines of a failed log that are quoted. */
const EXCERPT_LINES = 20;
const LONGEST_EXCERPT_LINE = 2_000;

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

type Summarised = Pick<RunRecord, 'id' | 'status' | 'target' | 'logFolder'>;

/** The last line of a run but one. */
export function runLine({ id, status, target, logFolder }: Summarised, durationMs: number): string {
  const duration = formatDuration(BigInt(Math.round(durationMs)) * NANOSECONDS_PER_MILLISECOND);
  return `run ${id} ${status} target=${target} duration=${duration} logs=${logFolder}`;
}

/** The end of the log of the target that failed first; nothing when it cannot be read, for the run has ended. */
export function failureExcerpt(target: string, logPath: string): readonly string[] {
  const lines = readableLines(logPath);
  return lines.length === 0 ? [] : [`failure excerpt (${target}):`, ...lines.map(shortened)];
}

function readableLines(logPath: string): readonly string[] {
  try {
    return lastLines(logPath, EXCERPT_LINES, (line) => line.trim() !== '') ?? [];
  } catch {
    // The summary stands; whoever opens the log is told what is wrong with it.
    return [];
  }
}

function shortened(line: string): string {
  return line.length <= LONGEST_EXCERPT_LINE ? line : `${line.slice(0, LONGEST_EXCERPT_LINE)}…`;
}
