import { existsSync, renameSync } from 'node:fs';
import { describeSystemError, isDroverError } from '../kernel/errors/index.ts';
import { takeLock } from '../kernel/lock/index.ts';
import { civilTime } from '../kernel/time/index.ts';
import { ledgerBusy } from './errors.ts';
import { fillLedger, type LedgerSource } from './fill.ts';
import { openLedger, type Ledger, type LedgerOptions } from './ledger.ts';

const LOCK_WAIT_MS = 10_000;
const PARTS = ['', '-wal', '-shm'];

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Where a damaged file was moved to; nothing when the ledger was sound, or new. */
  readonly setAside: string | undefined;
}

/**
 * As `openLedger`, but a damaged file is moved aside, kept, and replaced by a new ledger that is filled from what the
 * systems' files tell. Of several processes one does so. Throws `ledger-busy` when another one does not finish.
 */
export async function openOrRenewLedger(
  path: string,
  { sources, ...options }: LedgerOptions & { readonly sources: readonly LedgerSource[] },
): Promise<OpenedLedger> {
  const sound = await openSound(path, options);
  if (sound !== undefined) return { ledger: sound, setAside: undefined };
  const lock = await takeLock(`${path}.lock`, { ...options, waitMs: LOCK_WAIT_MS });
  if (lock === 'held') throw ledgerBusy({ path });
  try {
    return await renew(path, { ...options, sources });
  } finally {
    lock.release();
  }
}

async function openSound(path: string, options: LedgerOptions): Promise<Ledger | undefined> {
  try {
    return await openLedger(path, options);
  } catch (error) {
    if (isDroverError(error) && error.code === 'database-damaged') return undefined;
    throw error;
  }
}

async function renew(
  path: string,
  { sources, ...options }: LedgerOptions & { readonly sources: readonly LedgerSource[] },
): Promise<OpenedLedger> {
  // Another process may have done it while the lock was waited for.
  const sound = await openSound(path, options);
  if (sound !== undefined) return { ledger: sound, setAside: undefined };
  const setAside = `${path}.damaged-${civilTime(options.clock.wall()).replaceAll(/[-:]/g, '')}`;
  for (const part of PARTS) moveAside(path + part, setAside + part);
  const ledger = await openLedger(path, options);
  try {
    await fillLedger(ledger, sources);
    return { ledger, setAside };
  } catch (error) {
    ledger.close();
    throw error;
  }
}

function moveAside(from: string, to: string): void {
  if (!existsSync(from)) return;
  try {
    renameSync(from, to);
  } catch (error) {
    throw describeSystemError(error, { action: 'move', path: from });
  }
}
