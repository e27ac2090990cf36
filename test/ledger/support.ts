import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openLedger, type Ledger } from '../../src/ledger/index.ts';
import { temporaryFolder } from '../support/temp.ts';

/** 2026-06-08T12:00:00Z, in milliseconds. */
export const NOON = 1_780_920_000_000;

/** Everything that is masked here. */
export const mask = (words: string): string => words.replaceAll('hunter2', '*******');

/** A clock that stands until it is moved; milliseconds since 1970. */
export function stillClock(start = NOON) {
  const state = { now: start };
  return {
    wall: () => BigInt(state.now) * 1_000_000n,
    mono: () => state.now - NOON,
    boot: () => state.now - NOON,
    pass: (milliseconds: number) => (state.now += milliseconds),
  };
}

export interface OpenedLedger {
  readonly ledger: Ledger;
  readonly clock: ReturnType<typeof stillClock>;
  readonly path: string;
  /** Another connection to the same file, as another process has. */
  readonly again: () => Promise<Ledger>;
}

export async function openedLedger(): Promise<OpenedLedger> {
  const path = join(temporaryFolder(), 'ledger.db');
  const clock = stillClock();
  const again = async (): Promise<Ledger> => {
    const ledger = await openLedger(path, { clock, mask });
    onTestFinished(() => ledger.close());
    return ledger;
  };
  return { ledger: await again(), clock, path, again };
}

export const HERE = { system: 'toy', repository: '/repo' } as const;
