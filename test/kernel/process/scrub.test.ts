import { readFileSync, readSync, symlinkSync, writeFileSync, writeSync, closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { LogRange, LogScrubber } from '../../../src/kernel/redact/index.ts';
import { collector, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

/** Masks every `s` and remembers what it was asked for. */
function scrubber(): LogScrubber & { readonly ranges: Omit<LogRange, 'descriptor'>[] } {
  const ranges: Omit<LogRange, 'descriptor'>[] = [];
  const scrub = async ({ descriptor, ...range }: LogRange): Promise<void> => {
    ranges.push(range);
    const bytes = Buffer.alloc(range.to - range.from);
    readSync(descriptor, bytes, 0, bytes.length, range.from);
    await sleep(1);
    writeSync(descriptor, Buffer.from(bytes.toString('latin1').replaceAll('s', '*'), 'latin1'), 0, bytes.length, range.from);
  };
  return { ranges, scrub };
}

const joined = (ranges: readonly Omit<LogRange, 'descriptor'>[]): boolean => ranges.every(({ from }, index) => from === (ranges[index - 1]?.to ?? from));

describe('a scrubber', () => {
  test('masks in place what was delivered unmasked, and offsets do not move', async () => {
    const out = collector();
    const scrub = scrubber();
    const end = await bench().run(['sh', '-c', 'for i in 1 2 3 4 5; do echo secrets $i; sleep 0.06; done'], { ...out, scrub }).exit;
    expect(out.text()).toBe([1, 2, 3, 4, 5].map((index) => `secrets ${index}\n`).join(''));
    expect(readFileSync(bench().logPath, 'utf8')).toBe(out.text().replaceAll('s', '*'));
    expect(end.logEnd).toBe(out.text().length);
    expect(joined(scrub.ranges)).toBe(true);
    expect(scrub.ranges.filter(({ last }) => last)).toEqual([{ from: end.logEnd, to: end.logEnd, last: true }]);
  });

  test('works without a consumer, from where the child began, in a log given by descriptor', async () => {
    writeFileSync(bench().logPath, 'before is kept\n');
    const log = openSync(bench().logPath, 'a+');
    await bench().run(['echo', 'sss'], { log, scrub: scrubber() }).exit;
    closeSync(log);
    expect(readFileSync(bench().logPath, 'utf8')).toBe('before is kept\n***\n');
  });

  test('gets also what a stop passed over for the consumer', async () => {
    const scrub = scrubber();
    let goOn = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (goOn = resolve));
    const child = bench().run(['sh', '-c', 'yes sssssss | head -c 3000000; echo ready; exec sleep 300'], { onOutput: () => stopped, scrub });
    while (readFileSync(bench().logPath).length < 3_000_000) await sleep(10);
    child.stop();
    goOn();
    const end = await child.exit;
    expect(end.skipped).toBeGreaterThan(0);
    expect(readFileSync(bench().logPath, 'latin1')).not.toContain('s');
    expect(joined(scrub.ranges)).toBe(true);
    expect(scrub.ranges.at(-1)?.to).toBe(end.logEnd);
  });

  test('is called at the end also when nothing was printed, and when the consumer failed', async () => {
    const scrub = scrubber();
    await bench().run(['true'], { scrub }).exit;
    expect(scrub.ranges).toEqual([{ from: 0, to: 0, last: true }]);
    const broken = (): void => {
      throw new TypeError('consumer is broken');
    };
    await expect(bench().run(['echo', 'sss'], { onOutput: broken, scrub: scrubber() }).exit).rejects.toThrow('consumer is broken');
    expect(readFileSync(bench().logPath, 'utf8')).toBe('***\n');
  });

  test('that fails is told by exit', async () => {
    const scrub = { scrub: () => Promise.reject(new TypeError('scrubber is broken')) };
    await expect(bench().run(['echo', 'x'], { scrub }).exit).rejects.toThrow('scrubber is broken');
  });
});

test('input is a file that is read from its start, or bytes', async () => {
  const path = join(bench().folder, 'input');
  writeFileSync(path, 'from a file\n');
  const [file, bytes, none] = [collector(), collector(), collector()];
  await bench().run(['cat'], { ...file, input: { path } }).exit;
  await bench().run(['cat'], { ...bytes, input: Buffer.alloc(300_000, 'x') }).exit;
  await bench().run(['cat'], none).exit;
  expect([file.text(), bytes.text().length, none.text()]).toEqual(['from a file\n', 300_000, '']);
  symlinkSync(path, `${path}-link`);
  expect(await bench().run(['cat'], { input: { path: `${path}-none` } }).exit).toMatchObject({ kind: 'not-started', reason: 'input-unavailable' });
});
