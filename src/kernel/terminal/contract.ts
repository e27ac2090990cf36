import type { SecretNames } from '../redact/index.ts';
import type { Clock } from '../time/index.ts';
import type { Sink } from './sink.ts';

/** What a verb may show while it runs. The command line implements it; a server or a test may too. */
export interface Output {
  /** One line of progress: `label`, a space, `text`; only `text` when the label is empty. */
  line(label: string, text: string): void;
  /** One record of a promised stream of JSON lines. */
  record(value: unknown): void;
  /** The state of the whole, repainted in place on a terminal and silent elsewhere. */
  progress(state: ProgressState | undefined): void;
  /** Bytes as they are, for output that has its own form. */
  raw(stream: 'stdout' | 'stderr', chunk: Uint8Array | string): void;
  /** A sentence for the person, on standard error. */
  notice(text: string): void;
  /** Resolves once little enough waits for the reader; awaited by whoever writes much, so that memory stays bounded. */
  drained(): Promise<void>;
}

export interface ProgressState {
  readonly done: number;
  readonly total: number;
  readonly running: readonly { readonly name: string; readonly sinceMono: number }[];
}

/** Ends long work: the first signal asks, the second one insists. */
export interface StopRequest {
  /** Aborted by the first stop signal. */
  readonly graceful: AbortSignal;
  /** Aborted by the second one, or by SIGQUIT even when it is the first: end everything at once. */
  readonly immediate: AbortSignal;
  /** The first signal that came, or nothing yet. */
  readonly signal: () => StopSignalName | undefined;
}

export type StopSignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT';

/** The standard streams as they are, for a verb that speaks a protocol over them; what it writes is not masked. */
export interface Wire {
  /** The bytes as they come, until the end or an abort. */
  readonly input: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
  readonly output: Sink;
}

export interface VerbContext {
  /** Absolute path of the folder that the command was started in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Output;
  readonly clock: Clock;
  /** What the user's configuration says about secrets, for what a verb stores itself; `out` masks already. */
  readonly secretNames: SecretNames;
  readonly stop: StopRequest;
  /** Nothing where there is no input of its own. */
  readonly wire?: Wire;
}

/** What a verb answers: the exit code, and either a document or a text for standard output. */
export interface VerbResult {
  readonly exit: number;
  readonly json?: unknown;
  readonly text?: string;
  /** Sentences for standard error, one a line. */
  readonly errors?: readonly string[];
}

export type Verb<Input> = (input: Input, context: VerbContext) => Promise<VerbResult>;
