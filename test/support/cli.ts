import { tmpdir } from 'node:os';
import type { Host, Program } from '../../src/cli/host.ts';
import type { SignalSource, Sink, StopSignalName } from '../../src/kernel/terminal/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { MemorySink } from './memory-sink.ts';

export interface CliResult {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signals?: SignalSource;
  readonly stdout?: Sink;
  readonly stderr?: Sink;
}

/**
 * Runs an executable's program in this process, on streams in memory.
 *
 * @example
 * const { exit, stdout } = await runCli(bach, ['list'], { cwd: project });
 */
export async function runCli(program: Program, argv: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const memory = { stdout: new MemorySink(), stderr: new MemorySink() };
  const host: Host = {
    cwd: () => options.cwd ?? tmpdir(),
    env: options.env ?? { PATH: process.env['PATH'] },
    clock: systemClock(),
    stdout: options.stdout ?? memory.stdout,
    stderr: options.stderr ?? memory.stderr,
    signals: options.signals ?? new FakeSignals(),
  };
  const exit = await program(argv, host);
  return { exit, stdout: memory.stdout.text, stderr: memory.stderr.text };
}

/** Signals that a test sends; `ended` is the one that was left to its default effect. */
export class FakeSignals implements SignalSource {
  ended: StopSignalName | undefined;
  readonly #listeners = new Map<StopSignalName, Set<(signal: StopSignalName) => void>>();

  on(signal: StopSignalName, listener: (signal: StopSignalName) => void): void {
    const listeners = this.#listeners.get(signal) ?? new Set();
    this.#listeners.set(signal, listeners.add(listener));
  }

  off(signal: StopSignalName, listener: (signal: StopSignalName) => void): void {
    this.#listeners.get(signal)?.delete(listener);
  }

  endBy(signal: StopSignalName): void {
    this.ended = signal;
  }

  /** How many listen for it. */
  count(signal: StopSignalName): number {
    return this.#listeners.get(signal)?.size ?? 0;
  }

  send(signal: StopSignalName): void {
    this.#listeners.get(signal)?.forEach((listener) => listener(signal));
  }
}
