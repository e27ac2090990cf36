const POLL_MS = 50;

const ticks = new Set<() => void>();
let timer: NodeJS.Timeout | undefined;

/**
 * Calls `tick` every 50 ms until the returned function is called. All callers share one timer, which never keeps the
 * process alive and is gone with the last of them.
 */
export function onEveryPoll(tick: () => void): () => void {
  ticks.add(tick);
  timer ??= setInterval(pollAll, POLL_MS).unref();
  return () => {
    ticks.delete(tick);
    if (ticks.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function pollAll(): void {
  for (const tick of ticks) tick();
}
