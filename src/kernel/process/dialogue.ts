import type { Readable } from 'node:stream';
import { malformed } from './check-request.ts';
import type { LeaderEnd, ProgramRequest } from './contract.ts';
import { Ending, endSurvivors } from './ending.ts';
import { notEnded } from './errors.ts';
import { processGroup, type Group } from './group.ts';
import { allClosed, lastWords } from './last-words.ts';
import { launch, noLeader, type Leader } from './launch.ts';
import { MARKER_NAME } from './marks.ts';
import type { Reaper } from './reaper.ts';

/** A program that is spoken to over its standard streams for as long as it is needed. */
export interface DialogueRequest extends Omit<ProgramRequest, 'input'> {
  /** Gets what it prints as it comes. What it throws is a defect of the caller. */
  readonly onOutput: (chunk: Uint8Array) => void;
  readonly onErrors: (chunk: Uint8Array) => void;
  /** Ends it when we are gone; without one, a program that does not heed the end of its input outlives us. */
  readonly reaper?: Reaper | undefined;
}

export interface Dialogue {
  /** Settles when the program ended and what it started is gone. Never rejects. */
  readonly exit: Promise<LeaderEnd>;
  /** Resolves once the pipe took it, or when nobody reads there any more. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends its standard input. */
  endInput(): void;
  /** TERM to the group, KILL after the grace; a second call kills at once. */
  stop(): void;
}

/**
 * Starts a program whose input and output are pipes of ours. Throws nothing: one that cannot be started is an `exit` of
 * kind `not-started`. Its memory is the caller's to bound: what is written and not taken waits here.
 *
 * @example
 * const dialogue = startDialogue({ argv: ['serve'], origin: 'project', cwd, env, marker, graceMs: 2_000, onOutput, onErrors });
 * await dialogue.write(question);
 * dialogue.endInput();
 * const end = await dialogue.exit;
 */
export function startDialogue(request: DialogueRequest): Dialogue {
  const mistake = malformed(request);
  const leader = mistake === undefined ? launch(request, { stdio: ['pipe', 'pipe', 'pipe'] }) : noLeader(mistake);
  const { pid, child } = leader;
  const group = processGroup(pid ?? 0);
  const ending = new Ending(group, request.graceMs);
  let received = 0;
  const hear = (stream: Readable | null | undefined, listener: (chunk: Uint8Array) => void): void => {
    stream?.on('error', () => undefined);
    stream?.on('data', (chunk: Buffer) => {
      received += chunk.length;
      listener(chunk);
    });
  };
  hear(child?.stdout, request.onOutput);
  hear(child?.stderr, request.onErrors);
  // A program that went away while it is written to is told by its exit.
  child?.stdin?.on('error', () => undefined);
  return {
    exit: pid === undefined ? leader.ended : ended({ leader, group, ending, request, received: () => received }),
    write: (bytes) => new Promise((resolve) => (child?.stdin?.writable === true ? void child.stdin.write(bytes, () => resolve()) : resolve())),
    endInput: () => void child?.stdin?.end(),
    stop: () => ending.stop(),
  };
}

interface Running {
  readonly leader: Leader;
  readonly group: Group;
  readonly ending: Ending;
  readonly request: DialogueRequest;
  /** Bytes that came. */
  readonly received: () => number;
}

async function ended({ leader, group, ending, request, received }: Running): Promise<LeaderEnd> {
  const pid = group.id;
  const closed = allClosed(leader.child);
  const watch = request.reaper?.watch({ pid, mark: `${MARKER_NAME}=${request.marker}`, endsMarked: false });
  try {
    const end = await Promise.race([leader.ended, ending.givenUp.then((): LeaderEnd => ({ kind: 'not-ended', error: notEnded({ pid }) }))]);
    if (end.kind === 'not-ended') leader.release();
    group.leaderEnded();
    if (end.kind !== 'not-ended') await endSurvivors(group, ending);
    await lastWords(closed, received);
    return end;
  } finally {
    ending.close();
    watch?.end();
    for (const stream of leader.child?.stdio ?? []) stream?.destroy();
  }
}
