import type { Sql } from '../sql/index.ts';
import type { Lease } from './lease-contract.ts';
import { fence } from './lease.ts';

/** What may be written under a lease. Reading needs none, and goes to the store itself. */
export type LeasedStore = Pick<Sql, 'run' | 'tx'>;

/**
 * A store whose every transaction begins with `fence`, so that nothing is written under a lease that went to somebody
 * else. Its calls throw what those of the store throw, and `lease-lost`.
 *
 * @example
 * const store = leasedStore(sql, taking.lease);
 * await store.run('UPDATE tasks SET state = ? WHERE id = ?', ['done', id]);
 */
export function leasedStore(sql: Sql, lease: Lease): LeasedStore {
  const tx: LeasedStore['tx'] = (work, options) =>
    sql.tx(function* (t) {
      yield* fence(t, lease);
      return yield* work(t);
    }, options);
  return { tx, run: (statement, params, options) => tx((t) => t.run(statement, params), options) };
}
