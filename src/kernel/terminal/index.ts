export type {
  Output,
  ProgressState,
  StopRequest,
  StopSignalName,
  Verb,
  VerbContext,
  VerbResult,
  Wire,
} from './contract.ts';
export { createReporter, type Reporter, type ReporterOptions } from './reporter.ts';
export type { Sink } from './sink.ts';
export { createSafeStream, type SafeStream } from './safe-stream.ts';
export { SIGNAL_EXITS } from './signal-exit.ts';
export { standardInput } from './standard-input.ts';
export { standardSink } from './standard-sink.ts';
export { listenForStop, neverStops, processSignals, type SignalSource, type StopListener } from './stop-listener.ts';
