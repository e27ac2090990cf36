import type { VerbContext, Wire } from '../../../kernel/terminal/index.ts';
import { faultText, FrameFault, FrameReader, frameOf, ProtocolFault } from '../../model/index.ts';
import { BackendSession } from './session.ts';

/** Bytes that may wait for a reader before no further request is read. */
const MOST_WAITING = 64 * 1024;

/**
 * Answers requests in their order until the input ends, which is the normal end, or a stop is asked for. Resolves to what
 * made it end otherwise: from there on the input is no row of messages.
 */
export async function serveBackend(wire: Wire, { clock, out, stop }: Pick<VerbContext, 'clock' | 'out' | 'stop'>): Promise<string | undefined> {
  const signal = stop.graceful;
  const session = new BackendSession({ clock, signal, diagnose: (sentence) => out.notice(sentence) });
  const frames = new FrameReader();
  try {
    for await (const chunk of wire.input(signal)) await answerAll(frames.take(chunk), { session, wire, signal });
    return frames.isBetweenMessages || signal.aborted ? undefined : 'the input ended in the middle of a message';
  } catch (error) {
    if (!(error instanceof FrameFault)) throw error;
    // No request has this answer, but whoever waits for one is told why none comes.
    wire.output.write(frameOf(faultText(null, new ProtocolFault('invalid_request', error.message))));
    return error.message;
  } finally {
    session.close();
  }
}

interface Answering {
  readonly session: BackendSession;
  readonly wire: Wire;
  readonly signal: AbortSignal;
}

async function answerAll(payloads: Iterable<Uint8Array>, { session, wire, signal }: Answering): Promise<void> {
  for (const payload of payloads) {
    if (signal.aborted) return;
    const answer = await session.answer(payload);
    if (answer !== undefined) wire.output.write(answer);
    await drainedOrAborted(wire, signal);
  }
}

/** A reader that takes nothing holds nobody up who is asked to stop. */
async function drainedOrAborted({ output }: Wire, signal: AbortSignal): Promise<void> {
  if (output.waiting() <= MOST_WAITING || signal.aborted) return;
  const { promise, resolve } = withResolver();
  signal.addEventListener('abort', resolve, { once: true });
  await Promise.race([output.drained(MOST_WAITING), promise]);
  signal.removeEventListener('abort', resolve);
}

function withResolver(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
