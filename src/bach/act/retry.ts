import { formatDuration } from '../../kernel/text/index.ts';

export interface FailedAttempt {
  /** From 1. */
  readonly attempt: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly message: string;
}

/** What is told between two attempts: before the wait, and after it. */
export function retryLines({ attempt, attempts, backoffMs, message }: FailedAttempt): { readonly failed: string; readonly again: string } {
  const wait = backoffMs > 0 ? ` in ${formatDuration(BigInt(Math.round(backoffMs * 1_000_000)))}` : '';
  return {
    failed: `attempt ${attempt}/${attempts} failed: ${message}; retrying${wait}`,
    again: `retry attempt ${attempt + 1}/${attempts}`,
  };
}
