import type { SqlValue } from './contract.ts';
import { statementRefused } from './errors.ts';
import { scannedStatement, type ScannedStatement } from './scan.ts';
import type { Dialect, Transaction } from './store-contract.ts';
import { faultOfValue, storableText } from './values.ts';

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

/** What one of the databases takes at most; the other one's driver would count wrongly past 65,535. */
const MAX_PARAMETERS = 32_766;

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
  if (parameters > MAX_PARAMETERS) return `it has ${parameters} placeholders, more than ${MAX_PARAMETERS}`;
  if (parameters !== params.length) return `it has ${parameters} placeholders and was given ${params.length} values`;
  for (const [index, value] of params.entries()) {
    const fault = faultOfValue(value);
    if (fault !== undefined) return `parameter ${index + 1} is ${fault}, which cannot be stored`;
  }
  return undefined;
}
