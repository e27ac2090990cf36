import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { ChildExit } from '../../../src/kernel/process/index.ts';
import { Follower } from '../../../src/kernel/process/follower.ts';
import { openLog } from '../../../src/kernel/process/log.ts';
import { createRedaction } from '../../../src/kernel/redact/index.ts';
import { collector, useWorkbench } from '../../support/process/workbench.ts';

const bench = useWorkbench();

const SECRET = 'hunter2hunter2zz';
const MASKED = '*'.repeat(SECRET.length);
/** Unique, as the line is that tells the run in a log. */
const HEADER = 'run=7f3a target=x\n';
/** Here a script waits until what it printed before was delivered. */
const WAIT = 'until [ -e go ]; do sleep 0.01; done';

interface Options {
  readonly header?: string;
  /** The consumer keeps the first chunk until the script made the file `done`: nobody looks at the log meanwhile. */
  readonly held?: boolean;
  readonly onOutput?: (chunk: Buffer) => void;
}

interface Run {
  readonly shown: string;
  readonly log: string;
  readonly end: ChildExit;
}

async function run(script: string, { header = HEADER, held = false, onOutput }: Options = {}): Promise<Run> {
  const { folder, logPath } = bench();
  const log = openSync(logPath, 'a+', 0o600);
  writeSync(log, header);
  const out = collector();
  const take = async (chunk: Buffer): Promise<void> => {
    out.onOutput(chunk);
    writeFileSync(join(folder, 'go'), '');
    onOutput?.(chunk);
    while (held && !existsSync(join(folder, 'done'))) await sleep(5);
  };
  try {
    const scrub = createRedaction([SECRET]).createScrubber();
    const end = await bench().run(['sh', '-c', script], { log, onOutput: take, scrub }).exit;
    return { shown: out.text(), log: readFileSync(logPath, 'utf8'), end };
  } finally {
    closeSync(log);
  }
}

describe('a child that opens its output by name and so empties its log', () => {
  test.each([
    ['> /dev/stderr', `echo "secret ${SECRET}" > /dev/stderr`],
    ['> /dev/stdout', `echo "secret ${SECRET}" > /dev/stdout`],
    ['> /proc/self/fd/1', `echo "secret ${SECRET}" > /proc/self/fd/1`],
    ['tee /dev/stderr', `echo "secret ${SECRET}" | tee /dev/stderr`],
  ])('by %s: what comes after is shown and masked', async (_, cut) => {
    const { shown, log, end } = await run(`echo one; echo two; ${WAIT}; ${cut}; echo four`);
    expect(shown.startsWith('one\ntwo\n')).toBe(true);
    expect(shown).toContain(`secret ${SECRET}\n`);
    expect(shown).toContain('four\n');
    expect(log).toBe(`secret ${MASKED}\nfour\n`);
    expect(end).toMatchObject({ kind: 'exited', code: 0, logEnd: log.length, skipped: 0 });
    expect(end.truncated).toBeGreaterThan(0);
  });

  test('before anything was read', async () => {
    const { shown, log, end } = await run(`echo one; echo ${SECRET} > /dev/stderr; echo two`);
    expect(shown).toContain(`${SECRET}\ntwo\n`);
    expect(log).toBe(`${MASKED}\ntwo\n`);
    expect(end.truncated).toBeGreaterThan(0);
  });

  test.each([
    ['less than before', ''],
    ['exactly as much as before', `printf %${HEADER.length - 10}s; `],
    ['more than before', 'yes filler | head -n 2000; '],
    ['much more than one chunk', 'yes filler | head -c 700000; '],
  ])('and prints %s until somebody looks', async (_, filler) => {
    const line = 'x'.repeat(30);
    const { shown, log, end } = await run(`echo ${line}; ${WAIT}; echo ${SECRET} > /dev/stderr; echo four; ${filler}touch done`, { held: true });
    expect(shown.startsWith(`${line}\n${SECRET}\nfour\n`)).toBe(true);
    expect(shown.length).toBe(line.length + 1 + log.length);
    expect(log.startsWith(`${MASKED}\nfour\n`)).toBe(true);
    expect(end).toMatchObject({ logEnd: log.length, truncated: 1 });
  });

  test('in a log without a header, whether its beginning or its last bytes differ', async () => {
    const cutAt = `${WAIT}; echo "${SECRET}" > /dev/stderr; yes filler | head -n 2000; touch done`;
    const first = await run(`echo one; ${cutAt}`, { header: '', held: true });
    expect(first).toMatchObject({ shown: `one\n${SECRET}\n${'filler\n'.repeat(2000)}`, end: { truncated: 1 } });
    expect(first.log).not.toContain(SECRET);
  });

  test('in a log without a header, with the same beginning', async () => {
    const same = 'yes same | head -n 2000';
    // By one write: of a part that was read alone, the same would stand there again.
    const { shown, log, end } = await run(`{ ${same}; echo ONE; } >page; cat page; ${WAIT}; ${same} > /dev/stdout; echo ${SECRET}; touch done`, { header: '', held: true });
    const page = 'same\n'.repeat(2000);
    expect(shown.endsWith(`${page}${SECRET}\n`)).toBe(true);
    expect(log).toBe(`${page}${MASKED}\n`);
    expect(end.truncated).toBe(1);
  });

  test('again and again', async () => {
    const seen = (chunk: Buffer): void => {
      for (const [, turn] of chunk.toString().matchAll(/^(\d) /gm)) writeFileSync(join(bench().folder, `seen${turn}`), '');
    };
    const script = `for i in 1 2 3 4 5 6; do echo "$i ${SECRET}" > /dev/stderr; until [ -e seen$i ]; do sleep 0.01; done; done`;
    const { shown, log, end } = await run(script, { onOutput: seen });
    // A mask may be there before the look, when it was meant for the turn before.
    for (const turn of [1, 2, 3, 4, 5, 6]) expect(shown).toMatch(new RegExp(`^${turn} `, 'm'));
    expect(log).toBe(`6 ${MASKED}\n`);
    expect(end.truncated).toBeGreaterThanOrEqual(6);
  });

  test('when the consumer had failed: what comes after is masked all the same', async () => {
    const onOutput = (): void => {
      throw new TypeError('consumer is broken');
    };
    await expect(run(`echo one; ${WAIT}; echo "${SECRET} and more than before" > /dev/stderr; echo two`, { onOutput })).rejects.toThrow('consumer is broken');
    expect(readFileSync(bench().logPath, 'utf8')).toBe(`${MASKED} and more than before\ntwo\n`);
  });
});

test('a log that is masked while it grows was not cut', async () => {
  const { shown, end } = await run(`for i in 1 2 3 4 5 6 7 8; do echo "$i ${SECRET}"; sleep 0.06; done`, { header: '' });
  expect(shown).toBe([1, 2, 3, 4, 5, 6, 7, 8].map((turn) => `${turn} ${SECRET}\n`).join(''));
  expect(end.truncated).toBe(0);
});

test('a log that is cut at every look ends all the same', async () => {
  const { logPath } = bench();
  writeFileSync(logPath, HEADER);
  const log = openLog({ path: logPath });
  if ('reason' in log) throw log.error;
  let turn = 0;
  const onOutput = (): void => {
    turn += 1;
    truncateSync(logPath, 0);
    writeSync(log.descriptor, `${turn}: once more from the start`);
  };
  const follower = new Follower(log, { consumer: onOutput, scrubber: undefined });
  writeSync(log.descriptor, 'printed');
  await follower.finish(log.size());
  log.close();
  expect(turn).toBeLessThanOrEqual(4);
});
