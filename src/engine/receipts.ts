import { isDroverError } from '../kernel/errors/index.ts';
import type { FailedReceipt, OkReceipt, Thrown, UnknownReceipt } from './contract.ts';

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

/** Whatever is thrown may have come after the effect, an error of ours as well: looking decides. */
export function receiptOfThrown(error: unknown): UnknownReceipt {
  const thrown = thrownOf(error);
  return { ...unknown(`${thrown.code}: ${thrown.message}`), thrown };
}

/** Where looking finds nothing, the step failed by what it threw, and was not merely cut off. */
export function keepThrown(looked: FailedReceipt, thrown: Thrown | undefined): FailedReceipt {
  return thrown === undefined || !isNotDone(looked) ? looked : { ...looked, ...thrown };
}

function thrownOf(error: unknown): Thrown {
  if (isDroverError(error)) return { code: error.code, message: error.message };
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) };
}

const NOT_DONE = 'not-done';
const INTERNAL_ERROR = 'internal-error';
