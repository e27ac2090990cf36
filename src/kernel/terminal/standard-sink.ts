import { fstatSync } from 'node:fs';
import { FileSink } from './file-sink.ts';
import type { Sink } from './sink.ts';
import { StreamSink } from './stream-sink.ts';

/** Standard output or standard error of this process, by what stands behind the descriptor. */
export function standardSink(name: 'stdout' | 'stderr'): Sink {
  const descriptor = name === 'stdout' ? 1 : 2;
  const behind = fstatSync(descriptor);
  if (behind.isFIFO() || behind.isSocket()) return new StreamSink(() => process[name], { terminal: false });
  if (behind.isCharacterDevice() && process[name].isTTY) return new StreamSink(() => process[name], { terminal: true });
  return new FileSink(descriptor);
}
