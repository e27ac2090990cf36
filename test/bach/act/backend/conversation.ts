import { serveBackend } from '../../../../src/bach/act/index.ts';
import type { Sink, StopRequest } from '../../../../src/kernel/terminal/index.ts';
import { systemClock, type Clock } from '../../../../src/kernel/time/index.ts';
import { answersIn, initialize, type Answer } from '../../../support/backend-messages.ts';
import { MemorySink } from '../../../support/memory-sink.ts';

export interface Talk {
  readonly answers: readonly Answer[];
  /** What ended it before the input did. */
  readonly fault: string | undefined;
  readonly diagnostics: readonly string[];
}

export interface TalkOptions {
  readonly clock?: Clock;
  readonly output?: Sink & { readonly text: string };
  readonly stop?: AbortController;
}

/** Serves the chunks of one input to its end. */
export async function talk(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, options: TalkOptions = {}): Promise<Talk> {
  const { clock = systemClock(), output = new MemorySink(), stop = new AbortController() } = options;
  const diagnostics: string[] = [];
  const nothing = (): void => undefined;
  const out = { line: nothing, record: nothing, progress: nothing, raw: nothing, drained: () => Promise.resolve(), notice: (text: string) => void diagnostics.push(text) };
  const requested: StopRequest = { graceful: stop.signal, immediate: stop.signal, signal: () => undefined };
  const wire = { input: () => each(chunks), output };
  const fault = await serveBackend(wire, { clock, out, stop: requested });
  return { answers: answersIn(output.text), fault, diagnostics };
}

/** The answers to requests on a state that is initialized in a folder. */
export async function asked(root: string, ...requests: readonly Uint8Array[]): Promise<readonly Answer[]> {
  const { answers, fault, diagnostics } = await talk([initialize(root), ...requests]);
  if (fault !== undefined || diagnostics.length > 0) throw new Error(`${fault}: ${diagnostics.join('\n')}`);
  return answers.slice(1);
}

async function* each(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* chunks;
}
