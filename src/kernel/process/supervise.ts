import { readSync } from 'node:fs';
import type { Clock } from '../time/index.ts';
import type { Child, ChildExit, LeaderEnd, SpawnRequest } from './contract.ts';
import type { Enclosure, Hold, StartedLeader } from './enclosure.ts';
import { Ending, endSurvivors } from './ending.ts';
import { notEnded } from './errors.ts';
import { Follower } from './follower.ts';
import type { Group } from './group.ts';
import { launch, noLeader, type Leader } from './launch.ts';
import { openLog, type Log } from './log.ts';
import { MARKER_NAME, TOKEN_NAME } from './marks.ts';
import type { Reaper, Watch, Watched } from './reaper.ts';
import { keepRecord, type KeptRecord } from './record.ts';
import { standardInput } from './standard-input.ts';
import type { StartFailure } from './start-failure.ts';

const TAIL_BYTES = 512;
const UNWATCHED = 'what would have ended it after our own death was ended itself again and again, and for a time nothing stood in its place';

export interface SuperviseOptions {
  readonly clock: Clock;
  /** Ends the child's group when we are gone, where its containment does not do that by itself. */
  readonly reaper?: Reaper | undefined;
}

interface Supervised extends Hold {
  readonly leader: Leader;
  readonly ending: Ending;
  readonly follower: Follower | undefined;
  readonly log: Log;
  readonly enclosure: Enclosure;
  readonly record: KeptRecord | undefined;
  readonly elapsed: () => number;
  readonly watch: Watch | undefined;
}

/** Starts a program inside an enclosure and supervises it to the end of everything that belongs to it. */
export function startIn(enclosure: Enclosure, request: SpawnRequest, { clock, reaper }: SuperviseOptions): Child {
  const startedAt = clock.mono();
  const elapsed = (): number => clock.mono() - startedAt;
  const log = openLog(request.log);
  if ('reason' in log) return neverStarted(noLeader(log), { enclosure, elapsed, log: undefined });
  const leader = launchInto(enclosure, request, log);
  if (!isStarted(leader)) return neverStarted(leader, { enclosure, elapsed, log });

  const { group, ended } = enclosure.hold({ leader, logTail: () => tailOf(log) });
  const ending = new Ending(group, request.graceMs);
  const follower = Follower.of(log, request);
  const watch = reaper?.watch(watchedOf(enclosure, { request, leader }));
  const record = request.record === undefined ? undefined : keepRecord(request.record, { request, leader, enclosure });
  const exit = supervise({ leader, group, ended, ending, follower, log, enclosure, record, elapsed, watch });
  // What cannot be recorded must not go on; `exit` tells why.
  record?.written.catch(() => ending.stop());
  return {
    pid: leader.pid,
    layer: enclosure.layer,
    containment: enclosure.containment,
    exit,
    stop: () => {
      follower?.hurry();
      ending.stop();
    },
    kill: () => {
      follower?.hurry();
      ending.kill();
    },
  };
}

/** The token is borne by this child alone, so that what escaped with it can be told; a run's marker is not. */
function watchedOf({ token }: Enclosure, { request, leader }: { request: SpawnRequest; leader: StartedLeader }): Watched {
  const mark = token === undefined ? `${MARKER_NAME}=${request.marker}` : `${TOKEN_NAME}=${token}`;
  return { pid: leader.pid, mark, endsMarked: token !== undefined };
}

/** A child of which nothing exists but the reason. */
export function refuse(failure: StartFailure, enclosure: Enclosure): Child {
  return neverStarted(noLeader(failure), { enclosure, elapsed: () => 0, log: undefined });
}

function launchInto({ wrapper, hasChannel, token, discard }: Enclosure, request: SpawnRequest, { descriptor }: Log): Leader {
  const input = standardInput(request.input);
  if ('reason' in input) return noLeader(input);
  const leader = launch(request, {
    stdio: [input.stdio, descriptor, descriptor, ...(hasChannel ? (['pipe'] as const) : [])],
    wrapper,
    extra: token === undefined ? undefined : { [TOKEN_NAME]: token },
  });
  input.handOver(leader.child);
  if (!isStarted(leader)) discard();
  return leader;
}

function isStarted(leader: Leader): leader is StartedLeader {
  return leader.pid !== undefined && leader.child !== undefined;
}

async function supervise(supervised: Supervised): Promise<ChildExit> {
  const { group, ended, ending, follower, log, enclosure, record, elapsed, watch } = supervised;
  try {
    const end = await Promise.race([ended, ending.givenUp.then(() => stillRunning(group))]);
    const survivors = await endRest(end, supervised);
    ending.close();
    const left = survivors === 'left' ? group.left() : [];
    await group.release();
    watch?.end();
    const { layer, containment } = enclosure;
    const caveat = caveatOf(enclosure, watch);
    const facts = { durationMs: elapsed(), stopped: ending.stopped, survivors, left, layer, containment, caveat, logEnd: log.size() };
    await allDone([follower?.finish(facts.logEnd), record?.close({ isLeft: survivors === 'left' })]);
    return { ...end, ...facts, skipped: follower?.skipped ?? 0, truncated: follower?.truncated ?? 0 };
  } finally {
    log.close();
  }
}

/** The log is closed after it: where one fails, the other still reads or writes. */
async function allDone(tasks: readonly (Promise<void> | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** What could not be promised while it ran is told of a child that ended in order, too. */
function caveatOf({ caveat }: Enclosure, watch: Watch | undefined): string | undefined {
  if (watch?.wasLost !== true) return caveat;
  return caveat === undefined ? UNWATCHED : `${caveat}; ${UNWATCHED}`;
}

function stillRunning(group: Group): LeaderEnd {
  return { kind: 'not-ended', error: notEnded({ pid: group.id }) };
}

async function endRest(end: LeaderEnd, { leader, group, ending }: Supervised): Promise<ChildExit['survivors']> {
  if (end.kind === 'not-ended') {
    leader.release();
    return 'left';
  }
  group.leaderEnded();
  return endSurvivors(group, ending);
}

function tailOf({ descriptor, size }: Log): string {
  const from = Math.max(0, size() - TAIL_BYTES);
  const bytes = Buffer.alloc(TAIL_BYTES);
  return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, TAIL_BYTES, from));
}

interface Nothing {
  readonly enclosure: Enclosure;
  readonly elapsed: () => number;
  readonly log: Log | undefined;
}

function neverStarted(leader: Leader, { enclosure: { layer, containment, caveat }, elapsed, log }: Nothing): Child {
  const settle = async (): Promise<ChildExit> => {
    const end = await leader.ended;
    const logEnd = log?.start ?? 0;
    log?.close();
    const facts = { stopped: undefined, survivors: undefined, left: [], layer, containment, caveat, skipped: 0, truncated: 0 };
    return { ...end, ...facts, durationMs: elapsed(), logEnd };
  };
  return { pid: undefined, layer, containment, exit: settle(), stop: () => undefined, kill: () => undefined };
}
