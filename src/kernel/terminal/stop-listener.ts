import type { StopRequest, StopSignalName } from './contract.ts';

const STOP_SIGNALS: readonly StopSignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** Where signals come from; the process, or a test. */
export interface SignalSource {
  on(signal: StopSignalName, listener: (signal: StopSignalName) => void): void;
  off(signal: StopSignalName, listener: (signal: StopSignalName) => void): void;
  /** Lets the signal do what it does to a process without handlers. */
  endBy(signal: StopSignalName): void;
}

export interface StopListener {
  readonly stop: StopRequest;
  /** Gives the signals their default action back. */
  close(): void;
}

/** The signals of this process. */
export function processSignals(): SignalSource {
  return {
    on: (signal, listener) => void process.on(signal, listener),
    off: (signal, listener) => void process.off(signal, listener),
    endBy: (signal) => void process.kill(process.pid, signal),
  };
}

/**
 * Turns signals into a stop request until closed: the first asks, the second insists, the next ends the process.
 * SIGQUIT insists even when it is the first: whoever presses Ctrl-\ wants an end at once, but its default effect
 * would leave the work running without its owner.
 */
export function listenForStop(source: SignalSource): StopListener {
  const graceful = new AbortController();
  const immediate = new AbortController();
  let first: StopSignalName | undefined;

  const close = (): void => {
    for (const name of STOP_SIGNALS) source.off(name, receive);
  };
  const end = (signal: StopSignalName): void => {
    close();
    source.endBy(signal);
  };
  const receive = (signal: StopSignalName): void => {
    first ??= signal;
    const asked = graceful.signal.aborted;
    if (immediate.signal.aborted) return end(signal);
    graceful.abort();
    if (asked || signal === 'SIGQUIT') immediate.abort();
  };

  for (const name of STOP_SIGNALS) source.on(name, receive);
  return { stop: { graceful: graceful.signal, immediate: immediate.signal, signal: () => first }, close };
}

/** For work that is too short to be asked: signals keep their default action. */
export function neverStops(): StopRequest {
  const { signal } = new AbortController();
  return { graceful: signal, immediate: signal, signal: () => undefined };
}
