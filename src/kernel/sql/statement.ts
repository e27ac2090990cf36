import type { SqlValue } from './contract.ts';
import { statementRefused } from './errors.ts';
import { scannedStatement, type ScannedStatement } from './scan.ts';
import type { Dialect, Transaction } from './store-contract.ts';
import { isStorable, storableText } from './values.ts';

/** One statement that was looked at and can be sent. */
export class PlannedStatement {
  readonly dialect: Dialect;
  /** Whether it is sent for its rows or for its effect. */
  readonly purpose: 'rows' | 'effect';
  readonly scanned: ScannedStatement;
  readonly params: readonly SqlValue[];

  /** Throws `statement-refused` for what one of the databases would take otherwise than the other. */
  constructor({ dialect, purpose, sql, params }: StatementRequest) {
    const scanned = scannedStatement(dialect, sql);
    const reason = scanned.problem ?? faultOf(scanned, params);
    if (reason !== undefined) throw statementRefused({ sql, reason });
    this.dialect = dialect;
    this.purpose = purpose;
    this.scanned = scanned;
    this.params = params.map((value) => (typeof value === 'string' ? storableText(value) : value));
  }
}

export interface StatementRequest {
  readonly dialect: Dialect;
  readonly purpose: 'rows' | 'effect';
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** These would end the transaction that they stand in, or begin another one. */
const TRANSACTION_VERBS = new Set(['BEGIN', 'START', 'COMMIT', 'END', 'ROLLBACK', 'ABORT', 'SAVEPOINT', 'RELEASE', 'PREPARE']);

/** Makes the statements for one database; it has no state, and is the same for every transaction on it. */
export function transactionFor(dialect: Dialect): Transaction {
  return {
    dialect,
    *query(sql, params = []) {
      return (yield new PlannedStatement({ dialect, purpose: 'rows', sql, params })).rows;
    },
    *run(sql, params = []) {
      return { changes: (yield new PlannedStatement({ dialect, purpose: 'effect', sql, params })).changes };
    },
  };
}

function faultOf({ verb, parameters }: ScannedStatement, params: readonly SqlValue[]): string | undefined {
  if (verb === '') return 'it is empty';
  if (TRANSACTION_VERBS.has(verb)) return `${verb} has no place in a transaction`;
  if (parameters !== params.length) return `it has ${parameters} placeholders and was given ${params.length} values`;
  const unstorable = params.find((value) => !isStorable(value));
  return unstorable === undefined ? undefined : `${unstorable} cannot be stored`;
}
