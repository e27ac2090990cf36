/**
 * The bytes of standard input as they come, until its end or until the signal is aborted. The stream is opened when the
 * first ones are asked for, and nothing is read ahead of what is taken.
 */
export async function* standardInput(signal: AbortSignal): AsyncIterable<Uint8Array> {
  if (signal.aborted) return;
  const stream = process.stdin;
  const end = (): void => void stream.destroy();
  signal.addEventListener('abort', end, { once: true });
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    // Ended by ourselves.
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
