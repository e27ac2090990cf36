import type { CallOptions, Sql, Steps, Transaction } from '../sql/index.ts';
import { leaseLost, type Loss } from './errors.ts';
import type { Lease, LeaseRequest, Machine, Taking } from './lease-contract.ts';
import { requireLease, requireTerms } from './lease-terms.ts';
import { isFree, isOurs, leaseRow, lossOf, type LeaseRow } from './lease-row.ts';

/**
 * Takes a lease that is free or ran out, and takes it over then: its epoch grows, which fences off the holder before.
 * Of several that try at once, one succeeds. Its store must hold `leaseMigration`. Throws what the store throws; after
 * `outcome-unknown` the same request tells what came of it. Before anything is written: `lease-request-invalid`, and
 * `lock-lost` when its lock is not held any more.
 *
 * @example
 * const taking = await takeLease(sql, { name: 'engine', holder: 'ann on desk', token: newId(), ttlMs: 30_000, machine });
 * if (taking.outcome === 'held') return busy(taking.heldBy);
 */
export async function takeLease(sql: Sql, request: LeaseRequest, options?: CallOptions): Promise<Taking> {
  requireTerms(request);
  return sql.tx((t) => take(t, request), options);
}

/** Lets the lease last its whole time again. Throws `lease-lost` when it was taken over or released. */
export async function renewLease(sql: Sql, lease: Lease, { machine, ...options }: CallOptions & { readonly machine: Machine }): Promise<void> {
  requireLease(lease);
  return sql.tx(function* (t) {
    refuse(yield* renewal(t, lease, machine));
  }, options);
}

/** Gives the lease free for the next one; when it is another's by now, nothing is changed. */
export function releaseLease(sql: Sql, lease: Lease, options?: CallOptions): Promise<void> {
  return sql.tx(function* (t) {
    yield* t.run("UPDATE leases SET token = '', expires_ms = 0 WHERE name = ? AND token = ? AND epoch = ?", [lease.name, lease.token, lease.epoch]);
  }, options);
}

/**
 * What `leasedStore` yields first in every transaction under the lease: throws `lease-lost` when it was taken over, and
 * keeps it from being taken over until the transaction is stored.
 *
 * @example
 * await sql.tx(function* (t) {
 *   yield* fence(t, lease);
 *   yield* t.run('UPDATE tasks SET state = ? WHERE id = ?', ['done', id]);
 * });
 */
export function* fence(t: Transaction, lease: Lease): Steps<void> {
  // A transaction of SQLite has the database to itself; in PostgreSQL a taker must wait for this row.
  const lock = t.dialect === 'postgres' ? ' FOR SHARE' : '';
  const [row] = yield* t.query(`SELECT epoch, holder, token FROM leases WHERE name = ?${lock}`, [lease.name]);
  const [epoch, holder, token] = [Number(row?.['epoch'] ?? 0), String(row?.['holder'] ?? ''), String(row?.['token'] ?? '')];
  refuse(lossOf({ epoch, holder, token }, lease));
}

/** The statements of `renewLease`, for a transaction that does more; when the lease is lost, who has it. */
export function* renewal(t: Transaction, lease: Lease, machine: Machine): Steps<Loss | undefined> {
  const row = yield* leaseRow(t, lease.name, machine);
  const loss = lossOf(row, lease);
  if (loss === undefined) yield* t.run('UPDATE leases SET expires_ms = ? WHERE name = ?', [row.nowMs + lease.ttlMs, lease.name]);
  return loss;
}

function refuse(loss: Loss | undefined): void {
  if (loss !== undefined) throw leaseLost(loss);
}

function* take(t: Transaction, request: LeaseRequest): Steps<Taking> {
  // In each try, since it may have been waited long.
  request.lock?.confirm();
  const row = yield* leaseRow(t, request.name, request.machine);
  const isAgain = isOurs(row, { token: request.token, epoch: row.epoch });
  if (!isAgain && !isFree(row, request, t.dialect)) {
    return { outcome: 'held', heldBy: row.holder, epoch: row.epoch, remainingMs: row.expiresMs - row.nowMs };
  }
  return { outcome: 'taken', lease: yield* give(t, request, { row, epoch: isAgain ? row.epoch : row.epoch + 1 }) };
}

function* give(t: Transaction, request: LeaseRequest, { row, epoch }: { row: LeaseRow; epoch: number }): Steps<Lease> {
  const { name, holder, token, ttlMs, machine, lock } = request;
  yield* t.run(
    `INSERT INTO leases (name, epoch, holder, token, boot_id, lock_id, ttl_ms, expires_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (name) DO UPDATE SET epoch = excluded.epoch, holder = excluded.holder, token = excluded.token,
       boot_id = excluded.boot_id, lock_id = excluded.lock_id, ttl_ms = excluded.ttl_ms, expires_ms = excluded.expires_ms`,
    [name, epoch, holder, token, machine.bootId ?? '', lock?.identity ?? '', ttlMs, row.nowMs + ttlMs],
  );
  return { name, holder, token, epoch, ttlMs };
}
