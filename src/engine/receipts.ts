import { isDroverError } from '../kernel/errors/index.ts';
import type { FailedReceipt, OkReceipt, UnknownReceipt } from './contract.ts';

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

/** A defect of a handler leaves open what it did: looking decides. */
export function receiptOfThrown(error: unknown): FailedReceipt | UnknownReceipt {
  if (isDroverError(error)) return failed(error.code, error.message);
  return unknown(`${INTERNAL_ERROR}: ${error instanceof Error ? error.message : String(error)}`);
}

/** Keeps a defect visible after looking showed that its step came to nothing. */
export function keepDefect(looked: FailedReceipt, before: UnknownReceipt | undefined): FailedReceipt {
  if (before?.reason.startsWith(INTERNAL_ERROR) !== true) return looked;
  return { ...looked, code: INTERNAL_ERROR, message: before.reason };
}

const NOT_DONE = 'not-done';
const INTERNAL_ERROR = 'internal-error';
