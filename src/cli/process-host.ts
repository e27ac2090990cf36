import { createRedaction, secretsFrom } from '../kernel/redact/index.ts';
import { processSignals, standardInput, standardSink } from '../kernel/terminal/index.ts';
import { systemClock } from '../kernel/time/index.ts';
import { noAnswer } from './errors.ts';
import type { Host, Program } from './host.ts';

/** Runs a program in this process and ends it with its exit code. */
export async function runOnProcess(program: Program, argv: readonly string[]): Promise<void> {
  const host = processHost();
  process.once('beforeExit', endWithoutAnswer);
  const exit = await program(argv, host);
  process.off('beforeExit', endWithoutAnswer);
  // All is written: only after the second stop signal anything can still wait, for a reader that takes nothing.
  process.exit(exit);
}

/** A text as it may be shown when nothing but writing it is left to do. */
export function maskSecrets(text: string): string {
  return createRedaction(secretsFrom({ env: process.env })).redactText(text);
}

function endWithoutAnswer(): never {
  throw noAnswer();
}

function processHost(): Host {
  return {
    cwd: () => process.cwd(),
    env: process.env,
    clock: systemClock(),
    stdin: standardInput,
    stdout: standardSink('stdout'),
    stderr: standardSink('stderr'),
    signals: processSignals(),
    self: [process.execPath, '--', ...process.argv.slice(1, 2)],
  };
}
