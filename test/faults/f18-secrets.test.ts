import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRedaction } from '../../src/kernel/redact/index.ts';
import { createReporter } from '../../src/kernel/terminal/index.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { MemorySink } from '../support/memory-sink.ts';
import { ENCODINGS } from '../support/redact/encodings.ts';
import { TOKENS } from '../support/redact/tokens.ts';
import { seededRandom, type Random } from '../support/seeded-random.ts';
import { temporaryFolder } from '../support/temp.ts';

/** Forty shapes of values: tokens of known services, and what people make up. */
const VALUES = [
  ...Object.values(TOKENS).map(({ text }) => text.replace(/^[\s"']+|[\s"']+$/g, '')),
  'hunter2x',
  'correct horse battery staple',
  'a"quote\\and/slash%41',
  'pässwörd-構-🔑-ключ',
  'k3y/+='.repeat(30),
].slice(-40);
const NEIGHBOURS = ['', 'x', 'xy'];
const WINDOW = 20;

interface Case {
  readonly value: string;
  readonly encoding: string;
  /** What a program prints, in bytes. */
  readonly printed: Buffer;
  /** Where the encoded value, with its neighbours, stands in it. */
  readonly from: number;
  readonly to: number;
  /** Bytes of the neighbours at most. */
  readonly slack: number;
  readonly cut: number;
}

const redaction = createRedaction(VALUES);

/** Goes through all shapes and encodings in turn; where the value is cut, and beside what, is drawn. */
function caseOf(index: number, { below }: Random): Case {
  const value = VALUES[index % VALUES.length] ?? '';
  const names = Object.keys(ENCODINGS);
  const encoding = names[Math.floor(index / VALUES.length) % names.length] ?? '';
  const encode = ENCODINGS[encoding] ?? String;
  const before = NEIGHBOURS[below(3)] ?? '';
  const after = NEIGHBOURS[below(3)] ?? '';
  const encoded = Buffer.from(encode(before + value + after));
  const start = Buffer.from(`line ${index}: `);
  const printed = Buffer.concat([start, encoded, Buffer.from(' and the rest of it\n')]);
  const [from, to] = [start.length, start.length + encoded.length];
  const cut = Math.max(0, from - 2) + below(encoded.length + 4);
  return { value, encoding, printed, from, to, cut, slack: encode(before).length + encode(after).length + 4 };
}

/** What of the value can still be read: bytes in its place that are no mask, less those of its neighbours. */
function leaked({ printed, from, to, slack }: Case, shown: Buffer): number {
  expect(shown.length).toBe(printed.length);
  const seen = [...shown.subarray(from, to)].filter((byte) => byte !== 0x2a && byte !== 0x0a).length;
  expect([...shown].every((byte, at) => byte === printed[at] || byte === 0x2a)).toBe(true);
  expect(shown.subarray(0, from).equals(printed.subarray(0, from)) && shown.subarray(to).equals(printed.subarray(to))).toBe(true);
  return Math.max(0, seen - slack);
}

function throughRedactor({ printed, cut }: Case): Buffer {
  const redactor = redaction.createRedactor();
  const parts = [redactor.push(printed.subarray(0, cut)), redactor.push(printed.subarray(cut)), redactor.flush()];
  return Buffer.concat(parts);
}

async function throughReporter({ printed, cut }: Case): Promise<Buffer> {
  const stdout = new MemorySink();
  const out = createReporter({ stdout, stderr: new MemorySink(), env: {}, clock: { mono: () => 0 }, redaction });
  out.raw('stdout', printed.subarray(0, cut).toString('latin1'));
  out.raw('stdout', printed.subarray(cut).toString('latin1'));
  await out.finish();
  return Buffer.from(stdout.text, 'latin1');
}

/** One log with all cases one after the other, scrubbed in ranges that are cut where the cases are. */
async function throughLog(cases: readonly Case[]): Promise<readonly Buffer[]> {
  const path = join(temporaryFolder(), 'log');
  writeFileSync(path, Buffer.concat(cases.map(({ printed }) => printed)));
  const descriptor = openSync(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const scrubber = redaction.createScrubber();
    let from = 0;
    let start = 0;
    for (const { printed, cut } of cases) {
      await scrubber.scrub({ descriptor, from, to: start + cut, last: false });
      from = start + cut;
      start += printed.length;
    }
    await scrubber.scrub({ descriptor, from, to: start, last: true });
  } finally {
    closeSync(descriptor);
  }
  const log = readFileSync(path);
  let end = 0;
  return cases.map(({ printed }) => log.subarray(end, (end += printed.length)));
}

function describeCase({ value, encoding, cut, printed }: Case): string {
  return `${encoding} of ${JSON.stringify(value)} cut at ${cut} of ${JSON.stringify(printed.toString())}`;
}

describe('F18: secrets in output', () => {
  const count = faultCount({ ci: 4_000, full: 40_000 });

  // Every case goes through each sink: seconds.
  test(`${count} values, encoded and cut, reach no sink`, seeded('F18', async (seed) => {
    expect(VALUES).toHaveLength(40);
    const random = seededRandom(seed);
    const leaks: string[] = [];
    for (let index = 0; index < count; index += WINDOW) {
      const cases = Array.from({ length: Math.min(WINDOW, count - index) }, (_, offset) => caseOf(index + offset, random));
      const logs = await throughLog(cases);
      for (const [place, each] of cases.entries()) {
        const log = logs[place] ?? each.printed;
        const shown = { log, terminal: throughRedactor(each), text: Buffer.from(redaction.redactText(each.printed.toString())) };
        for (const [sink, bytes] of Object.entries(shown)) if (leaked(each, bytes) > 0) leaks.push(`${sink}: ${describeCase(each)}`);
      }
    }
    expect(leaks).toEqual([]);
  }));

  test('nor do they as documents, or as raw output', seeded('F18', async (seed) => {
    const random = seededRandom(seed);
    for (let index = 0; index < count / 20; index++) {
      const each = caseOf(index, random);
      const document = redaction.redactValue({ said: each.printed.toString(), [each.printed.toString()]: 1 }) as { said: string };
      expect(leaked(each, Buffer.from(document.said))).toBe(0);
      expect(leaked(each, Buffer.from(Object.keys(document)[1] ?? ''))).toBe(0);
      if (/^[\x20-\x7e\n]*$/.test(each.printed.toString())) expect(leaked(each, await throughReporter(each))).toBe(0);
    }
  }));
});
