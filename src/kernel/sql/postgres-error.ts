import { describeSystemError, type DroverError } from '../errors/index.ts';
import { constraintFailed, databaseBusy, databaseDamaged, databaseFailed, databaseUnreachable, statementTimeout } from './errors.ts';

/**
 * - `conflict`: two transactions were in each other's way; this one was undone and can be run again.
 * - `lost`: the connection is gone, or about to; what was under way was or will be undone unless it was a commit.
 * - `denied`: the server was reached and does not let this user or database in.
 * - `refused`: the server answered, and the statement had no effect.
 */
export type FaultKind = 'conflict' | 'lost' | 'denied' | 'refused';

/** What a connection met, before it is told to anybody. */
export class PostgresFault extends Error {
  readonly kind: FaultKind;
  /** The five signs of the server's own code, when the server said something. */
  readonly state: string | undefined;

  constructor(cause: unknown, reason = reasonOf(cause)) {
    super(reason, { cause });
    this.name = 'PostgresFault';
    this.state = isServerError(cause) ? cause.code : undefined;
    this.kind = kindOf(this.state);
  }
}

/** Whether it is certain that nothing was stored, also when it was just being stored. */
export function isCertainlyUndone({ kind, state }: PostgresFault): boolean {
  return kind !== 'lost' || state === IDLE_TOO_LONG;
}

export function isFault(error: unknown, ...kinds: readonly FaultKind[]): error is PostgresFault {
  return error instanceof PostgresFault && kinds.includes(error.kind);
}

/** The server ended a transaction whose client did nothing for too long, because it was stopped. */
const IDLE_TOO_LONG = '25P03';
/** Not serializable, a deadlock, and a lock that somebody else kept for too long. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** Going down, just going down, just coming up, no place for another connection, and what ends idle transactions. */
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', '53300', IDLE_TOO_LONG, '40003']);

function kindOf(state: string | undefined): FaultKind {
  if (state === undefined || LOST.has(state) || state.startsWith('08')) return 'lost';
  if (CONFLICTS.has(state)) return 'conflict';
  return state.startsWith('28') || state === '3D000' ? 'denied' : 'refused';
}

export interface Described {
  /** The address without its password. */
  readonly name: string;
  readonly statementTimeoutMs: number;
}

/** Makes an error of ours of it; the server's detail, which quotes values, is left out of its message. */
export function describeFault(fault: PostgresFault, { name, statementTimeoutMs }: Described): DroverError {
  const { kind, message: reason } = fault;
  if (kind === 'conflict') return databaseBusy({ path: name }, fault);
  if (kind !== 'refused') return databaseUnreachable({ path: name, reason }, fault);
  if (fault.state === '57014') return statementTimeout({ path: name, limitMs: statementTimeoutMs }, fault);
  return refusalOf(fault, name);
}

function refusalOf(fault: PostgresFault, path: string): DroverError {
  const { state = '', message: reason } = fault;
  if (state.startsWith('23')) return constraintFailed({ path, reason }, fault);
  if (state === '53100') return describeSystemError({ code: 'ENOSPC', cause: fault }, { action: 'write', path });
  if (state === '42501') return describeSystemError({ code: 'EACCES', cause: fault }, { action: 'use', path });
  if (state === 'XX001' || state === 'XX002') return databaseDamaged({ path, reason }, fault);
  return databaseFailed({ path, action: 'use', reason }, fault);
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}

/** What the server itself says has a severity; what the network or the library says has none. */
function isServerError(error: unknown): error is { readonly code: string } {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}
