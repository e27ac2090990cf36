import { isDroverError } from '../kernel/errors/index.ts';
import type { FailedReceipt, OkReceipt, Receipt, Thrown, UnknownReceipt } from './contract.ts';
import { NotRecordable, recordable } from './plain-json.ts';

export function ok<Data>(data: Data): OkReceipt<Data> {
  return { outcome: 'ok', data };
}

export function failed(code: string, message: string, data?: unknown): FailedReceipt {
  return { outcome: 'failed', code, message, ...(data === undefined ? {} : { data }) };
}

export function unknown(reason: string): UnknownReceipt {
  return { outcome: 'unknown', reason };
}

/** What `reconcile` answers when it sees that the step left nothing behind: no attempt was made. */
export function notDone(message: string): FailedReceipt {
  return failed(NOT_DONE, message);
}

/** True for a step that was cut off before it had an effect; it is decided anew and charges no attempt. */
export function isNotDone(receipt: { readonly outcome: string; readonly code?: string }): boolean {
  return receipt.outcome === 'failed' && receipt.code === NOT_DONE;
}

/** What a handler answered, as the step log takes it; what is no receipt tells as little as what is thrown. */
export function receiptOf(answer: unknown): Receipt {
  try {
    return shaped(recordable(answer));
  } catch (error) {
    const reason = error instanceof NotRecordable ? error.message : tell(error).message;
    return doubtful({ code: INTERNAL_ERROR, message: `its receipt cannot be recorded: ${reason}` });
  }
}

function shaped(answer: unknown): Receipt {
  const receipt = (typeof answer === 'object' ? answer : null) as Partial<Record<string, unknown>> | null;
  if (receipt?.['outcome'] === 'ok' && 'data' in receipt) return ok(receipt['data']);
  if (receipt?.['outcome'] === 'failed' && isThrown(receipt)) return failed(receipt.code, receipt.message, receipt['data']);
  if (receipt?.['outcome'] === 'unknown' && typeof receipt['reason'] === 'string') {
    const { reason, thrown } = receipt;
    return { ...unknown(short(reason)), ...(isThrown(thrown) ? { thrown: { code: thrown.code, message: short(thrown.message) } } : {}) };
  }
  throw new NotRecordable('is no receipt');
}

function isThrown(value: unknown): value is Thrown {
  const { code, message } = (value ?? {}) as Partial<Thrown>;
  return typeof code === 'string' && typeof message === 'string';
}

/** Whatever is thrown may have come after the effect, an error of ours as well: looking decides. */
export function receiptOfThrown(error: unknown): UnknownReceipt {
  return doubtful(tell(error));
}

function doubtful(thrown: Thrown): UnknownReceipt {
  return { ...unknown(`${thrown.code}: ${thrown.message}`), thrown };
}

/** Where looking finds nothing, the step failed by what it threw, and was not merely cut off. */
export function keepThrown(looked: FailedReceipt, thrown: Thrown | undefined): FailedReceipt {
  return thrown === undefined || !isNotDone(looked) ? looked : { ...looked, ...thrown };
}

/** What was thrown, whatever it is, in few words. */
export function tell(error: unknown): Thrown {
  try {
    if (isDroverError(error)) return { code: error.code, message: short(error.message) };
    return { code: INTERNAL_ERROR, message: short(String(error instanceof Error ? error.message : error)) };
  } catch {
    // Looking at it throws again: there is nothing to be had of it.
    return { code: INTERNAL_ERROR, message: 'something was thrown that cannot be told' };
  }
}

/** A reason stands in several records, and people read it. */
export function short(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** In characters. */
const LONGEST_TEXT = 4000;
const NOT_DONE = 'not-done';
const INTERNAL_ERROR = 'internal-error';
