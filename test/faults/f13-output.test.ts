// F13. Slow: every shape of output is written, followed and compared as a whole, up to 100 MB each.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createSafeStream } from '../../src/kernel/terminal/index.ts';
import { faultCount } from '../support/fault-counts.ts';
import { bundleProgram } from '../support/process/bundle.ts';
import { PROGRAMS, useWorkbench } from '../support/process/workbench.ts';

const bench = useWorkbench();
const MEGABYTE = 1024 * 1024;
const LARGEST_RISE = 32 * MEGABYTE;

const repeat = (text: string, bytes: number): string => `yes "$(printf '${text}')" | head -c ${bytes}`;

/** What an agent may print: by a shell command, with the size. */
const SHAPES: readonly (readonly [name: string, script: string, bytes: number])[] = [
  ['lines', repeat('one more line', 100_000_000), 100_000_000],
  ['one huge line', 'head -c 50000000 /dev/zero | tr "\\0" x', 50_000_000],
  ['NULs', 'head -c 50000000 /dev/zero', 50_000_000],
  ['invalid UTF-8', repeat('\\377\\300\\200 \\355\\240\\200', 20_000_000), 20_000_000],
  ['half characters', repeat('\\303', 20_000_000), 20_000_000],
  ['colours and cursor moves', repeat('\\033[31m\\033[2J\\033[999;999H', 20_000_000), 20_000_000],
  ['titles and links that never end', repeat('\\033]0;title\\033]8;;http://x', 20_000_000), 20_000_000],
  ['carriage returns', 'head -c 20000000 /dev/zero | tr "\\0" "\\r"', 20_000_000],
  ['empty lines', 'head -c 20000000 /dev/zero | tr "\\0" "\\n"', 20_000_000],
  ['noise', 'head -c 20000000 /dev/urandom', 20_000_000],
];
const LARGE = 5_000_000_000;
const rounds = faultCount({ ci: 1, full: 3 });
const shapes = rounds === 1 ? SHAPES : ([...SHAPES, ['lines, very many', repeat('one more line', LARGE), LARGE]] as const);

describe(`output of every shape, ${rounds} times`, () => {
  test.each(shapes)('%s: all of it arrives, and memory does not grow with it', { timeout: 600_000 }, async (_name, script, bytes) => {
    for (let round = 0; round < rounds; round += 1) {
      const { folder, marker } = bench();
      const program = await bundleProgram(join(PROGRAMS, 'supervisor.ts'), folder);
      const { stdout } = await promisify(execFile)(process.execPath, [program, 'output', folder, marker, script]);
      const answer = JSON.parse(stdout) as { bytes: number; rise: number; same: boolean; end: { logEnd: number } };
      expect(answer).toMatchObject({ bytes, same: true, end: { kind: 'exited', code: 0, logEnd: bytes } });
      expect(answer.rise).toBeLessThanOrEqual(LARGEST_RISE);
      rmSync(join(folder, 'big'), { force: true });
    }
  });
});

/** What a terminal obeys: everything but lines, tabs and, where they are wanted, colours. */
// oxlint-disable-next-line no-control-regex -- finding control characters is what this is for
const OBEYED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
// oxlint-disable-next-line no-control-regex -- as above
const COLOURS = /\x1b\[[0-9;:]*m/g;
const SHOWN_BYTES = 1_000_000;

test.each(SHAPES)('%s: nothing that a terminal obeys is shown', async (_name, script) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `{ ${script}; } | head -c ${SHOWN_BYTES}`], { encoding: 'buffer', maxBuffer: 2 * SHOWN_BYTES });
  expect(stdout.length).toBe(SHOWN_BYTES);
  const streams = [false, true].map((colour) => createSafeStream({ colour }));
  // A length that no shape has, so that it is cut everywhere.
  const chunks = Array.from({ length: Math.ceil(SHOWN_BYTES / 997) }, (_, index) => stdout.subarray(index * 997, (index + 1) * 997));
  const [plain = '', coloured = ''] = streams.map((stream) => [...chunks.map((chunk) => stream.push(chunk)), stream.flush()].join(''));
  expect([plain, coloured.replace(COLOURS, '')].map((text) => OBEYED.exec(text)?.[0])).toEqual([undefined, undefined]);
});
