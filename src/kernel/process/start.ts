import type { Clock } from '../time/index.ts';
import type { Child, ChildExit, LeaderEnd, SpawnRequest } from './contract.ts';
import { Ending, endSurvivors } from './ending.ts';
import { notEnded } from './errors.ts';
import { Follower } from './follower.ts';
import { processGroup, type Group } from './group.ts';
import { launch, noLeader, type Leader } from './launch.ts';
import { openLog, type Log } from './log.ts';

interface Supervised {
  readonly leader: Leader;
  readonly group: Group;
  readonly ending: Ending;
  readonly follower: Follower | undefined;
  readonly log: Log;
  readonly elapsed: () => number;
}

/**
 * Starts one program as the leader of its own process group and supervises it to the end of that group.
 * A program that cannot be started throws nothing: `exit` resolves to `not-started` with the reason.
 *
 * @example
 * const child = start(
 *   { argv: ['make', 'test'], origin: 'project', cwd, env, marker: runId, log: { path }, graceMs: 5_000 },
 *   { clock },
 * );
 * const end = await child.exit;
 * const passed = end.kind === 'exited' && end.code === 0;
 */
export function start(request: SpawnRequest, { clock }: { readonly clock: Clock }): Child {
  const startedAt = clock.mono();
  const elapsed = (): number => clock.mono() - startedAt;
  const log = openLog(request.log);
  if ('reason' in log) return neverStarted(noLeader(log), { elapsed, log: undefined });
  const leader = launch(request, log.descriptor);
  if (leader.pid === undefined) return neverStarted(leader, { elapsed, log });

  const group = processGroup(leader.pid);
  const ending = new Ending(group, request.graceMs);
  const follower = request.onOutput && new Follower(log, request.onOutput);
  return {
    pid: leader.pid,
    exit: supervise({ leader, group, ending, follower, log, elapsed }),
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

async function supervise({ leader, group, ending, follower, log, elapsed }: Supervised): Promise<ChildExit> {
  try {
    const end = await Promise.race([leader.ended, ending.givenUp.then(() => stillRunning(group))]);
    const survivors = await endRest(end, { leader, group, ending });
    ending.close();
    const facts = { durationMs: elapsed(), stopped: ending.stopped, survivors, logEnd: log.size() };
    await follower?.finish(facts.logEnd);
    return { ...end, ...facts, skipped: follower?.skipped ?? 0 };
  } finally {
    log.close();
  }
}

function stillRunning(group: Group): LeaderEnd {
  return { kind: 'not-ended', error: notEnded({ pid: group.id }) };
}

async function endRest(end: LeaderEnd, { leader, group, ending }: Pick<Supervised, 'leader' | 'group' | 'ending'>) {
  if (end.kind === 'not-ended') {
    leader.release();
    return 'left';
  }
  group.leaderEnded();
  return endSurvivors(group, ending);
}

function neverStarted(leader: Leader, { elapsed, log }: { elapsed: () => number; log: Log | undefined }): Child {
  const settle = async (): Promise<ChildExit> => {
    const end = await leader.ended;
    const logEnd = log?.start ?? 0;
    log?.close();
    return { ...end, durationMs: elapsed(), stopped: undefined, survivors: undefined, logEnd, skipped: 0 };
  };
  return { pid: undefined, exit: settle(), stop: () => undefined, kill: () => undefined };
}
