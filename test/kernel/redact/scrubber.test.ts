import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, constants, fstatSync, openSync, readFileSync, readdirSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRedaction, type LogScrubber } from '../../../src/kernel/redact/index.ts';
import { start } from '../../../src/kernel/process/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { temporaryFolder } from '../../support/temp.ts';

const { createScrubber } = createRedaction(['hunter2x', 'first line of it\nsecond line of it']);

interface OpenLog {
  readonly path: string;
  readonly descriptor: number;
}

/** A log as a run opens it: for append, which on Linux sends even a positioned write to the end. */
function logOf(text: string): OpenLog {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, text);
  const descriptor = openSync(path, constants.O_RDWR | constants.O_APPEND);
  onTestFinished(() => closeSync(descriptor));
  return { path, descriptor };
}

async function scrubIn(scrubber: LogScrubber, { descriptor }: OpenLog, ends: readonly number[]): Promise<void> {
  let from = 0;
  for (const [index, to] of ends.entries()) {
    await scrubber.scrub({ descriptor, from, to, last: index === ends.length - 1 });
    from = to;
  }
}

function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('a log that is scrubbed in place', () => {
  test('has masks of the same length, and every other byte as it was', async () => {
    const log = logOf('one hunter2x two é 68756e7465723278 ghp_0123456789abcdefghijABCDEFGHIJ012345\n');
    await scrubIn(createScrubber(), log, [fstatSync(log.descriptor).size]);
    expect(readFileSync(log.path, 'utf8')).toBe(`one ******** two é ${'*'.repeat(16)} ${'*'.repeat(40)}\n`);
  });

  test('is masked also where ranges meet inside a value', async () => {
    const text = 'a hunter2x b';
    for (let cut = 0; cut <= text.length; cut++) {
      const log = logOf(text);
      await scrubIn(createScrubber(), log, [cut, text.length]);
      expect(readFileSync(log.path, 'utf8')).toBe('a ******** b');
    }
    const log = logOf(text);
    await scrubIn(createScrubber(), log, Array.from({ length: text.length }, (_, index) => index + 1));
    expect(readFileSync(log.path, 'utf8')).toBe('a ******** b');
  });

  test('is not written when there is nothing to mask, and no descriptor stays open', async () => {
    const log = logOf('nothing of that kind\n'.repeat(1000));
    const before = { stats: statSync(log.path), open: openDescriptors() };
    const scrubber = createScrubber();
    await scrubIn(scrubber, log, [100, 2000, before.stats.size]);
    expect(statSync(log.path).ctimeMs).toBe(before.stats.ctimeMs);
    appendFileSync(log.path, 'hunter2x');
    await scrubIn(createScrubber(), log, [fstatSync(log.descriptor).size]);
    expect(readFileSync(log.path, 'utf8').endsWith('\n********')).toBe(true);
    expect(openDescriptors()).toBe(before.open);
  });

  test('is scrubbed when its name is gone', async () => {
    const log = logOf('x hunter2x x');
    unlinkSync(log.path);
    await scrubIn(createScrubber(), log, [12]);
    expect(readFileSync(`/proc/self/fd/${log.descriptor}`, 'utf8')).toBe('x ******** x');
  });

  test('also where ranges were left out', async () => {
    const log = logOf(`hunter2x ${'.'.repeat(600_000)} hunter2x ${'.'.repeat(600_000)} hunter2x`);
    const size = fstatSync(log.descriptor).size;
    const scrubber = createScrubber();
    await scrubber.scrub({ descriptor: log.descriptor, from: 0, to: 10, last: false });
    await scrubber.scrub({ descriptor: log.descriptor, from: size - 5, to: size, last: true });
    expect(readFileSync(log.path, 'utf8')).not.toContain('hunter2x');
    expect(fstatSync(log.descriptor).size).toBe(size);
  });

  test('begins again where a child cut its own log', async () => {
    const log = logOf('a long beginning with hunter2x in it, hunt');
    const scrubber = createScrubber();
    await scrubber.scrub({ descriptor: log.descriptor, from: 0, to: 42, last: false });
    truncateSync(log.path, 0);
    appendFileSync(log.path, 'hunter2x again');
    await scrubber.scrub({ descriptor: log.descriptor, from: 0, to: 14, last: true });
    expect(readFileSync(log.path, 'utf8')).toBe('******** again');
  });

  test('does not grow again when it was cut meanwhile', async () => {
    // The line is a value, and may be the beginning of a longer one: its mask waits.
    const log = logOf('first line of it');
    const scrubber = createScrubber();
    await scrubber.scrub({ descriptor: log.descriptor, from: 0, to: 16, last: false });
    expect(readFileSync(log.path, 'utf8')).toBe('first line of it');
    truncateSync(log.path, 2);
    await scrubber.scrub({ descriptor: log.descriptor, from: 16, to: 16, last: true });
    expect(readFileSync(log.path, 'utf8')).toBe('fi');
  });

  test('a file that cannot be read is told', async () => {
    const descriptor = openSync(temporaryFolder(), 'r');
    onTestFinished(() => closeSync(descriptor));
    const scrubbing = createScrubber().scrub({ descriptor, from: 0, to: 10, last: true });
    await expect(scrubbing).rejects.toMatchObject({ code: 'not-a-file', message: expect.stringContaining('mask secrets in') });
  });
});

/** Prints numbered lines with secrets in several forms; some lines in two writes, cut within the value. */
const WRITER = `
const { writeSync } = require('node:fs');
const secret = 'hunter2x';
for (let line = 0; line < 20000; line++) {
  const shown = [secret, Buffer.from(secret).toString('hex'), encodeURIComponent(secret + '/'), '........'][line % 4];
  const text = line + ' ' + shown + ' end of the line\\n';
  const cut = line % 7 === 0 ? 10 : text.length;
  writeSync(1, text.slice(0, cut));
  if (cut < text.length) writeSync(1, text.slice(cut));
}
`;

function expectedLine(line: number): string {
  return `${line} ${['*'.repeat(8), '*'.repeat(16), '********%2F', '........'][line % 4]} end of the line`;
}

describe('while a child still writes', () => {
  test('nothing of what it appends is lost, moved or left unmasked', async () => {
    const log = logOf('');
    const child = spawn(process.execPath, ['-e', WRITER], { stdio: ['ignore', log.descriptor, log.descriptor] });
    let ended = false;
    const end = once(child, 'exit').then(() => (ended = true));
    const scrubber = createScrubber();
    let from = 0;
    while (!ended) {
      const to = fstatSync(log.descriptor).size;
      await scrubber.scrub({ descriptor: log.descriptor, from, to, last: false });
      from = to;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await end;
    await scrubber.scrub({ descriptor: log.descriptor, from, to: fstatSync(log.descriptor).size, last: true });
    const lines = readFileSync(log.path, 'utf8').trimEnd().split('\n');
    expect(lines).toEqual(Array.from({ length: 20_000 }, (_, line) => expectedLine(line)));
  });

  test('the supervisor of processes scrubs what it followed', async () => {
    const path = join(temporaryFolder(), 'log');
    const seen: string[] = [];
    const child = start(
      {
        argv: [process.execPath, '-e', WRITER],
        origin: 'user',
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '' },
        marker: 'scrubbed',
        log: { path },
        graceMs: 1000,
        onOutput: (chunk) => void seen.push(chunk.toString('latin1')),
        scrub: createScrubber(),
      },
      { clock: systemClock() },
    );
    expect(await child.exit).toMatchObject({ kind: 'exited', code: 0 });
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toEqual(Array.from({ length: 20_000 }, (_, line) => expectedLine(line)));
    expect(seen.join('')).toContain('0 hunter2x end');
  });
});
