import { statSync } from 'node:fs';
import { isHeld } from '../kernel/lock/index.ts';
import type { Closing, Now } from './contract.ts';
import { runMissing } from './errors.ts';
import { runFiles } from './folder-ports.ts';
import { History } from './history.ts';
import { readStepLog } from './log.ts';

/** `interrupted`: its holder ended without leaving it in good order; the next one resumes it. */
export type RunStanding = { readonly is: 'running' } | { readonly is: 'interrupted' } | Closing;

export interface RunStatus {
  readonly standing: RunStanding;
  /** The system whose run it is; `undefined` before its first record. */
  readonly system: string | undefined;
  readonly epoch: number;
  readonly lastSequence: number;
  /** The steps in flight, or cut off, in the order of their intents. */
  readonly open: readonly { readonly sequence: number; readonly kind: string; readonly key: string }[];
  /** When the last holder took the run, or left it in good order. */
  readonly since: Now | undefined;
  /** Records of holders that had been taken over; they count for nothing. */
  readonly stale: number;
}

/** A run that ends between two looks is looked at again; more often than this is no accident. */
const LOOKS = 3;

/**
 * Tells where a run stands without taking it.
 * Throws `run-missing`, `journal-damaged` with file and line, `step-log-broken`, `step-log-foreign`, `lock-damaged`.
 */
export async function readStatus(folder: string): Promise<RunStatus> {
  const files = runFiles(folder);
  return lookSteadily(
    () => isHeld(files.lock),
    (look) => readAs(files.log, look),
  );
}

/** Exported for its test. Whoever took or left the run while it was read has also written about it. */
export async function lookSteadily<Seen>(
  held: () => boolean,
  read: (look: { readonly held: boolean }) => Promise<Seen>,
): Promise<Seen> {
  for (let look = 1; ; look += 1) {
    const before = held();
    const seen = await read({ held: before });
    if (held() === before || look === LOOKS) return seen;
  }
}

async function readAs(log: string, { held }: { readonly held: boolean }): Promise<RunStatus> {
  if (!held && statSync(log, { throwIfNoEntry: false }) === undefined) throw runMissing({ path: log });
  const history = new History({ initial: undefined, fold: () => undefined }, { path: log });
  for (const record of await readStepLog(log)) history.apply(record);
  const { holder, ended, epoch, lastSequence, stale } = history;
  return {
    standing: held ? { is: 'running' } : (ended?.standing ?? { is: 'interrupted' }),
    system: holder?.system,
    epoch,
    lastSequence,
    open: history.open.map(({ sequence, kind, key }) => ({ sequence, kind, key })),
    since: (ended ?? holder)?.now,
    stale,
  };
}
