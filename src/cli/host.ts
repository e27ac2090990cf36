import type { SignalSource, Sink, Wire } from '../kernel/terminal/index.ts';
import type { Clock } from '../kernel/time/index.ts';

/** The world around one command: this process, or a test. */
export interface Host {
  /** Absolute path of the folder that the command was started in. */
  readonly cwd: () => string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly signals: SignalSource;
  /** Standard input; nothing where it is not ours to read. */
  readonly stdin?: Wire['input'];
  /** The words that start this program again; nothing where it is no process of its own. */
  readonly self?: readonly string[];
}

/** One executable: takes its arguments, answers the exit code, has written everything by then. */
export type Program = (argv: readonly string[], host: Host) => Promise<number>;
