import type { ProgressState } from './contract.ts';
import { cellsOf, cutToCells } from './cells.ts';
import { safeName } from './safe-text.ts';

interface Frame {
  readonly now: number;
  /** Columns that may be filled. */
  readonly width: number;
}

/** `3/10 shell/build 12s, shell/test 3s, +2`: as many names as fit, never wider than `width`. */
export function statusText(state: ProgressState, { now, width }: Frame): string {
  const counts = `${state.done}/${state.total}`;
  const entries = state.running.map(({ name, sinceMono }) => `${safeName(name)} ${elapsed(now - sinceMono)}`);
  const fitting = countThatFit(entries, width - cellsOf(counts) - 1);
  const names = entries.slice(0, fitting).join(', ');
  const rest = entries.length - fitting;
  const more = rest === 0 ? '' : `, +${rest}`;
  return cutToCells(`${counts} ${names}${more}`.trimEnd(), width);
}

/** At least one, which is then cut; `+N` for the others needs room too. */
function countThatFit(entries: readonly string[], room: number): number {
  let used = 0;
  for (const [index, entry] of entries.entries()) {
    const others = entries.length - index - 1;
    used += cellsOf(entry) + (index === 0 ? 0 : 2);
    const needed = used + (others === 0 ? 0 : `, +${others}`.length);
    if (needed > room) return Math.max(index, 1);
  }
  return entries.length;
}

function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}m`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
