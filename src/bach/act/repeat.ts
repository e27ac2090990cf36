import type { VerbContext } from '../../kernel/terminal/index.ts';
import type { RunRecord } from '../model/index.ts';
import { pruneOne, RunFolder, RunStore, standAsSeen, type FoundStandstill, type StatePlace } from '../store/index.ts';
import { ProgressLines } from './progress-lines.ts';
import { toldWhenSlow } from './slow-wait.ts';
import { isStop } from './stop.ts';
import { runLine } from './summary.ts';

/**
 * Does a run over in which nothing had to run, if all that it rested on still stands: looks at the same files, copies its
 * rows and says the same. False, with nothing written or said, where the run has to be worked out.
 */
export async function repeatRun({ root, standstill }: FoundStandstill, verb: VerbContext): Promise<boolean> {
  const startedMono = verb.clock.mono();
  const place = { root, statePath: standstill.statePath, clock: verb.clock };
  try {
    if (!(await standAsSeen(standstill.sights, place, verb.stop.graceful))) return false;
    const run = await recorded(standstill, place, verb);
    if (run === undefined) return false;
    say(standstill, { run, durationMs: verb.clock.mono() - startedMono, verb });
    return true;
  } catch (error) {
    if (isStop(error, verb)) return false;
    throw error;
  }
}

type Standstill = FoundStandstill['standstill'];

async function recorded(standstill: Standstill, place: StatePlace, verb: VerbContext): Promise<RunRecord | undefined> {
  const { graceful, immediate } = verb.stop;
  const store = await toldWhenSlow(RunStore.open(place, graceful), { verb, place });
  try {
    if (!store.isRepeatable(standstill)) return undefined;
    const folder = await RunFolder.claim(place, []);
    const now = verb.clock.wall();
    const { target } = standstill;
    const times = { startedAt: now, finishedAt: now };
    const run: RunRecord = { id: folder.id, target, force: false, status: 'success', ...times, logFolder: folder.stored(folder.path), message: '' };
    if (!(await toldWhenSlow(store.repeatRun(run, standstill, immediate), { verb, place }))) return undefined;
    const fault = await pruneOne(place, store);
    if (fault !== undefined) verb.out.notice(fault);
    return run;
  } finally {
    store.close();
  }
}

interface Said {
  readonly run: RunRecord;
  readonly durationMs: number;
  readonly verb: VerbContext;
}

function say({ lines, counters }: Standstill, { run, durationMs, verb }: Said): void {
  for (const [label, text] of lines) {
    if (label === '') verb.out.line('', text);
    else new ProgressLines(verb, label).print(text);
  }
  for (const line of [runLine(run, durationMs), counters]) verb.out.line('', line);
}
