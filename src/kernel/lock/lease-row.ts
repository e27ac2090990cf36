import type { Migration, SqlValue, Steps, Transaction } from '../sql/index.ts';
import type { Loss } from './errors.ts';
import type { Lease, LeaseRequest, Machine } from './lease-contract.ts';

/**
 * The table of the leases, one row for each name for ever, so that an epoch is never used twice. The expiry is in
 * milliseconds: since the machine started in SQLite, which is one machine's; by the server's clock in PostgreSQL.
 */
export const leaseMigration: Migration = {
  id: 'kernel-001-leases',
  sql: `CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    epoch BIGINT NOT NULL,
    holder TEXT NOT NULL,
    token TEXT NOT NULL,
    boot_id TEXT NOT NULL,
    lock_id TEXT NOT NULL,
    ttl_ms BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL
  )`,
};

export interface LeaseRow {
  /** 0 when the lease was never taken. */
  readonly epoch: number;
  readonly holder: string;
  /** Empty when it is nobody's. */
  readonly token: string;
  readonly bootId: string;
  /** Empty when the holder has no lock. */
  readonly lockId: string;
  readonly ttlMs: number;
  readonly expiresMs: number;
  readonly nowMs: number;
}

const NOW_OF_SERVER = 'CAST(floor(extract(epoch FROM now()) * 1000) AS BIGINT)';

export function* leaseRow(t: Transaction, name: string, machine: Machine): Steps<LeaseRow> {
  const isOneMachine = t.dialect === 'sqlite';
  const params: SqlValue[] = isOneMachine ? [Math.round(machine.clock.boot())] : [];
  const [{ now_ms: nowMs = 0 } = {}] = yield* t.query(`SELECT ${isOneMachine ? '?' : NOW_OF_SERVER} AS now_ms`, params);
  const [row] = yield* t.query('SELECT epoch, holder, token, boot_id, lock_id, ttl_ms, expires_ms FROM leases WHERE name = ?', [name]);
  return {
    epoch: Number(row?.['epoch'] ?? 0),
    holder: String(row?.['holder'] ?? ''),
    token: String(row?.['token'] ?? ''),
    bootId: String(row?.['boot_id'] ?? ''),
    lockId: String(row?.['lock_id'] ?? ''),
    ttlMs: Number(row?.['ttl_ms'] ?? 0),
    expiresMs: Number(row?.['expires_ms'] ?? 0),
    nowMs: Number(nowMs),
  };
}

/** Whether anybody may take the lease. */
export function isFree(row: LeaseRow, { machine, lock }: LeaseRequest, dialect: Transaction['dialect']): boolean {
  if (row.token === '' || row.expiresMs <= row.nowMs) return true;
  const isOfThisStart = row.bootId !== '' && row.bootId === machine.bootId;
  // Containers of one machine share its start, and not always its lock files.
  if (isOfThisStart) return row.lockId !== '' && row.lockId === lock?.identity;
  return dialect === 'sqlite' && startedSince(row, machine);
}

/** The machine was started anew: its holder is gone, and what it counted has begun again at 0. */
function startedSince(row: LeaseRow, { bootId }: Machine): boolean {
  const isKnown = row.bootId !== '' && bootId !== undefined;
  // Without names for the starts, only a lease that would last longer than it was given for tells.
  return isKnown ? row.bootId !== bootId : row.expiresMs - row.nowMs > row.ttlMs;
}

export function isOurs(row: Pick<LeaseRow, 'token' | 'epoch'>, { token, epoch }: Pick<Lease, 'token' | 'epoch'>): boolean {
  // An empty one is that of a lease which is nobody's.
  return token !== '' && row.token === token && row.epoch === epoch;
}

/** Who has the lease now, when it is no longer ours. */
export function lossOf(row: Pick<LeaseRow, 'token' | 'epoch' | 'holder'>, lease: Lease): Loss | undefined {
  if (isOurs(row, lease)) return undefined;
  return { name: lease.name, epoch: lease.epoch, heldBy: row.token === '' ? undefined : row.holder, epochNow: row.epoch };
}
