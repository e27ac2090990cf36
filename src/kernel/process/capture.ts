import type { Readable } from 'node:stream';
import type { Clock } from '../time/index.ts';
import { malformed } from './check-request.ts';
import type { CapturedEnd, CaptureRequest, LeaderEnd } from './contract.ts';
import { Ending, endSurvivors, LONGEST_TIMER_MS } from './ending.ts';
import { CUT_ERRORS, notEnded } from './errors.ts';
import { processGroup } from './group.ts';
import { allClosed, lastWords } from './last-words.ts';
import { launch, noLeader, type Leader } from './launch.ts';
import { MARKER_NAME } from './marks.ts';
import { standardInput } from './standard-input.ts';

/** Messages of programs are short; what comes after that is read and dropped. */
const MOST_ERROR_BYTES = 64 * 1024;

type Cut = NonNullable<CapturedEnd['cut']>;

/**
 * Runs a short program to its end and returns what it printed. Throws nothing: how it went stands in the result.
 *
 * @example
 * const { end, stdout, cut } = await runToEnd(
 *   { argv: ['git', 'version'], origin: 'drover', cwd, env, marker, graceMs: 1_000, timeoutMs: 10_000, maxOutputBytes: 4_096 },
 *   { clock },
 * );
 */
export async function runToEnd(request: CaptureRequest, { clock }: { readonly clock: Clock }): Promise<CapturedEnd> {
  const startedAt = clock.mono();
  const leader = launchWithPipes(request);
  const captured = leader.pid === undefined ? await nothing(leader) : await capture(request, leader.pid, leader);
  return { ...captured, durationMs: clock.mono() - startedAt };
}

function launchWithPipes(request: CaptureRequest): Leader {
  const mistake = malformed(request);
  if (mistake !== undefined) return noLeader(mistake);
  const input = standardInput(request.input);
  if ('reason' in input) return noLeader(input);
  const leader = launch(request, { stdio: [input.stdio, 'pipe', 'pipe'] });
  input.handOver(leader.child);
  return leader;
}

type Captured = Omit<CapturedEnd, 'durationMs'>;

async function nothing({ ended }: Leader): Promise<Captured> {
  return { end: await ended, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), cut: undefined };
}

async function capture(request: CaptureRequest, pid: number, leader: Leader): Promise<Captured> {
  const { timeoutMs, maxOutputBytes, signal, argv, graceMs, marker, reaper } = request;
  const program = argv[0];
  const group = processGroup(pid);
  const ending = new Ending(group, graceMs);
  const closed = allClosed(leader.child);
  let why: Cut | undefined;
  const cut = (reason: Cut): void => {
    why ??= reason;
    ending.stop();
  };
  const abort = (): void => cut({ reason: 'aborted', error: CUT_ERRORS.aborted({ program }, signal?.reason) });
  const tooMuch = (): void => cut({ reason: 'too-much-output', error: CUT_ERRORS['too-much-output']({ program, maxOutputBytes }) });
  const stdout = collect(leader.child?.stdout, { most: maxOutputBytes, onMore: tooMuch });
  const stderr = collect(leader.child?.stderr, { most: MOST_ERROR_BYTES, onMore: () => undefined });
  const timer = setTimeout(() => cut({ reason: 'timeout', error: CUT_ERRORS.timeout({ program, timeoutMs }) }), Math.min(timeoutMs, LONGEST_TIMER_MS));
  const watch = reaper?.watch({ pid, mark: `${MARKER_NAME}=${marker}`, endsMarked: false });
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    const end = await Promise.race([leader.ended, ending.givenUp.then((): LeaderEnd => ({ kind: 'not-ended', error: notEnded({ pid }) }))]);
    if (end.kind === 'not-ended') leader.release();
    group.leaderEnded();
    if (end.kind !== 'not-ended') await endSurvivors(group, ending);
    await lastWords(closed, () => stdout.received() + stderr.received());
    return { end, stdout: stdout.kept(), stderr: stderr.kept(), cut: why };
  } finally {
    clearTimeout(timer);
    ending.close();
    watch?.end();
    signal?.removeEventListener('abort', abort);
    for (const stream of leader.child?.stdio ?? []) stream?.destroy();
  }
}

interface Bound {
  readonly most: number;
  readonly onMore: () => void;
}

interface Collected {
  /** Bytes that came, kept or not. */
  readonly received: () => number;
  readonly kept: () => Buffer;
}

/** Reads to the end, so that nobody waits at a full pipe, and keeps what fits. */
function collect(stream: Readable | null | undefined, { most, onMore }: Bound): Collected {
  const chunks: Buffer[] = [];
  let received = 0;
  stream?.on('error', () => undefined);
  stream?.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, Math.max(0, most - received));
    if (kept.length > 0) chunks.push(kept);
    received += chunk.length;
    if (kept.length < chunk.length) onMore();
  });
  return { received: () => received, kept: () => Buffer.concat(chunks) };
}
