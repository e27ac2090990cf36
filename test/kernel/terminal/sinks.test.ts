import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { FileSink } from '../../../src/kernel/terminal/file-sink.ts';
import { StreamSink } from '../../../src/kernel/terminal/stream-sink.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
});

function temporaryFile(): { path: string; descriptor: number } {
  const folder = mkdtempSync(join(tmpdir(), 'drover-sink-'));
  const path = join(folder, 'out');
  const descriptor = openSync(path, 'w');
  cleanups.push(() => closeSync(descriptor), () => rmSync(folder, { recursive: true }));
  return { path, descriptor };
}

describe('a file', () => {
  test('takes text and bytes in order', () => {
    const { path, descriptor } = temporaryFile();
    const sink = new FileSink(descriptor);
    sink.write('é ');
    sink.write(new Uint8Array([0x78, 0x0a]));
    expect(readFileSync(path, 'utf8')).toBe('é x\n');
    expect(sink.failure()).toBeUndefined();
  });

  test('a full disk is kept as a failure, and later writes are not tried', () => {
    const descriptor = openSync('/dev/full', 'w');
    cleanups.push(() => closeSync(descriptor));
    const sink = new FileSink(descriptor);
    sink.write('x');
    sink.write('y');
    expect(sink.failure()).toMatchObject({ code: 'ENOSPC' });
  });
});

/** A stream whose reader takes a chunk only when told. */
function handFed() {
  const takes: ((error?: Error) => void)[] = [];
  const stream = new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => void takes.push(done) });
  return { sink: new StreamSink(() => stream, { terminal: false }), take: (error?: Error) => takes.shift()?.(error) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('a stream', () => {
  test('is opened by the first write only', () => {
    let opened = 0;
    const sink = new StreamSink(() => ((opened += 1), new PassThrough()), { terminal: false });
    expect(sink.columns()).toBeUndefined();
    sink.write('');
    expect(opened).toBe(0);
    sink.write('x');
    sink.write('y');
    expect(opened).toBe(1);
  });

  test('drained resolves as soon as little enough waits', async () => {
    const { sink, take } = handFed();
    sink.write('12345');
    sink.write('123');
    const seen: string[] = [];
    void sink.drained(8).then(() => seen.push('8'));
    void sink.drained(3).then(() => seen.push('3'));
    void sink.drained(0).then(() => seen.push('0'));
    await turn();
    expect([sink.waiting(), ...seen]).toEqual([8, '8']);
    take();
    await turn();
    expect([sink.waiting(), ...seen]).toEqual([3, '8', '3']);
    take();
    await turn();
    expect([sink.waiting(), ...seen]).toEqual([0, '8', '3', '0']);
  });

  test.each(['EPIPE', 'ECONNRESET', 'EIO'])('a reader that went away (%s) is no failure', async (code) => {
    const { sink, take } = handFed();
    sink.write('a');
    sink.write('b');
    const drained = sink.drained(0);
    take(Object.assign(new Error('gone'), { code }));
    await drained;
    sink.write('c');
    await turn();
    expect([sink.waiting(), sink.failure()]).toEqual([0, undefined]);
  });

  test('any other error is a failure', async () => {
    const { sink, take } = handFed();
    sink.write('a');
    const drained = sink.drained(0);
    take(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await drained;
    expect(sink.failure()).toMatchObject({ code: 'ENOSPC' });
  });

  test('released, nobody waits for it', async () => {
    const { sink } = handFed();
    sink.write('a');
    const drained = sink.drained(0);
    sink.release();
    await drained;
    await sink.drained(0);
    expect(sink.waiting()).toBe(1);
  });
});
