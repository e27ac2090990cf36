import { basename, dirname, join } from 'node:path';
import { isDroverError } from '../kernel/errors/index.ts';
import { openFolder, type SafeFolder } from '../kernel/files/index.ts';
import { takeLock } from '../kernel/lock/index.ts';
import { civilTime, type Clock } from '../kernel/time/index.ts';
import { ledgerBusy } from './errors.ts';
import { fillLedger, type LedgerSource } from './fill.ts';
import { openLedger, type Ledger, type LedgerOptions } from './ledger.ts';

const LOCK_WAIT_MS = 10_000;
/** The database last: without it, what stands beside it would be taken for that of the next one. */
const PARTS = ['-shm', '-wal', ''];

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
  const setAside = await moveAside(path, options.clock);
  const ledger = await openLedger(path, options);
  try {
    await fillLedger(ledger, sources);
    return { ledger, setAside };
  } catch (error) {
    ledger.close();
    throw error;
  }
}

/** Moves the file with what stands beside it to a name that nothing has yet, durably. */
async function moveAside(path: string, clock: Pick<Clock, 'wall'>): Promise<string> {
  const folder = await openFolder(dirname(path));
  try {
    const name = basename(path);
    const aside = await freeName(folder, `${name}.damaged-${civilTime(clock.wall()).replaceAll(/[-:]/g, '')}`);
    for (const part of PARTS) {
      if ((await folder.look(name + part)) !== undefined) await folder.rename(name + part, aside + part);
    }
    return join(dirname(path), aside);
  } finally {
    await folder.close();
  }
}

/** Two may be damaged within one second; a process that ended in the middle may have moved a part of one. */
async function freeName(folder: SafeFolder, wanted: string): Promise<string> {
  const taken = new Set((await folder.list()).map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!PARTS.some((part) => taken.has(name + part))) return name;
  }
}
