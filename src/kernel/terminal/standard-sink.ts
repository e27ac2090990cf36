import { fstatSync, type Stats } from 'node:fs';
import { FileSink } from './file-sink.ts';
import type { Sink } from './sink.ts';
import { StreamSink } from './stream-sink.ts';

/** Standard output or standard error of this process, by what stands behind the descriptor. */
export function standardSink(name: 'stdout' | 'stderr'): Sink {
  const descriptor = name === 'stdout' ? 1 : 2;
  const behind = fstatSync(descriptor);
  if (behind.isFIFO() || behind.isSocket()) return new StreamSink(() => process[name], { terminal: false });
  if (behind.isCharacterDevice() && !isOfMemory(behind) && process[name].isTTY) return new StreamSink(() => process[name], { terminal: true });
  return new FileSink(descriptor);
}

/** Major number of `/dev/null` and the like on Linux. */
const MEMORY_DEVICES = 1;

/** Such a device is no terminal; asking Node would load its streams, which takes milliseconds. */
function isOfMemory({ rdev }: Stats): boolean {
  return process.platform === 'linux' && ((rdev >>> 8) & 0xfff) === MEMORY_DEVICES;
}
