import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Below it, there is nothing to win. */
const LARGE_BYTES = 40 * 2 ** 20;

/**
 * Has garbage collected before much of it lies about, for a run that starts programs; one that finds everything cached is
 * over sooner. What a run allocates for each target outlives the quick collections, and loading a large project lets the
 * heap grow to several times what is used before it is collected whole again.
 */
export function collectOften(): void {
  setFlagsFromString('--heap-growing-percent=20');
  // The new limit holds from the next whole collection on.
  if (getHeapStatistics().used_heap_size > LARGE_BYTES) collectNow();
}

function collectNow(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}
