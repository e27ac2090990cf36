import { parseDuration } from '../../kernel/text/index.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;

/** Milliseconds, or nothing for a text that is no Go duration. */
export function milliseconds(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration === undefined ? undefined : Number(duration) / NANOSECONDS_PER_MILLISECOND;
}

/** How long `timeout` lets something run, or the rest of a message that says why not. */
export function readTimeout(text: string): { readonly ms: number } | { readonly fault: string } {
  const ms = milliseconds(text);
  if (ms === undefined) return { fault: `timeout ${JSON.stringify(text)} is invalid: want a duration such as 30s, 5m or 1h` };
  return ms > 0 ? { ms } : { fault: 'timeout must be greater than zero' };
}
