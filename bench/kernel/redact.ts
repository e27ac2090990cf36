import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRedaction, createRedactor } from '../../src/kernel/redact/index.ts';
import type { Budget, Measure } from './budget.ts';

const MEGABYTES = 100;
const MEGABYTE = 1_000_000;
const CHUNK = 64 * 1024;
const ROUNDS = 5;

/** Twenty values as people have them: tokens, passwords with characters that are escaped, a key of several lines. */
function twentyValues(): readonly string[] {
  const tokens = Array.from({ length: 15 }, (_, index) => randomBytes(16 + index).toString('base64url'));
  const passwords = Array.from({ length: 4 }, () => `${randomBytes(6).toString('hex')}"/\\ &é${randomBytes(3).toString('hex')}`);
  const lines = Array.from({ length: 24 }, () => randomBytes(48).toString('base64'));
  return [...tokens, ...passwords, `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----`];
}

/** A log as builds write it: paths, hashes, colours, percent signs, and one line in ten as JSON with escapes. */
function logText(secrets: readonly string[]): Buffer {
  const lines = Array.from({ length: 1000 }, (_, index) => {
    const hash = randomBytes(20).toString('hex');
    if (index % 10 === 0) return `{"time":"2026-06-16T10:00:00Z","level":"info","msg":"step \\"build ${index}\\" of src\\/app","commit":"${hash}"}`;
    if (index % 10 === 1) return `\u001b[32m✓\u001b[39m test/kernel/redact/part-${index}.test.ts (${index % 40} tests) ${index}ms ${index % 100}%`;
    return `2026-06-16T10:00:00Z [shell/build-${index}] compiling /srv/app/src/module-${index}/index.ts at ${hash.slice(0, 12)}`;
  });
  const block = Buffer.from(`${lines.join('\n')}\n`);
  const whole = Buffer.alloc(MEGABYTES * MEGABYTE, block);
  for (const [index, secret] of secrets.entries()) whole.write(secret, (index + 1) * 4 * MEGABYTE);
  return whole;
}

/** The best of some rounds, in seconds: what else the machine did meanwhile is not ours. */
async function best(work: () => void | Promise<void>, before: () => void = () => undefined): Promise<number> {
  let seconds = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    before();
    const start = performance.now();
    await work();
    seconds = Math.min(seconds, (performance.now() - start) / 1000);
  }
  return seconds;
}

function redactAll(text: Buffer, secrets: readonly string[]): void {
  const redactor = createRedactor(secrets);
  for (let at = 0; at < text.length; at += CHUNK) redactor.push(text.subarray(at, at + CHUNK));
  redactor.flush();
}

async function scrubWhole(path: string, secrets: readonly string[]): Promise<void> {
  const descriptor = openSync(path, 'a+');
  try {
    const range = { descriptor, from: 0, to: MEGABYTES * MEGABYTE, last: true };
    await createRedaction(secrets).createScrubber().scrub(range);
  } finally {
    closeSync(descriptor);
  }
}

/** Speed of masking a stream and of scrubbing a file, beside copying memory and looking for one value. */
export const measure: Measure = async () => {
  const secrets = twentyValues();
  const text = logText(secrets);
  const target = Buffer.alloc(text.length);
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-redact-'));
  const path = join(folder, 'log');
  try {
    const rate = (seconds: number): number => MEGABYTES / seconds;
    const copy = rate(await best(() => void text.copy(target)));
    const search = rate(await best(() => void text.indexOf(Buffer.from('not there at all'))));
    const none = rate(await best(() => redactAll(text, [])));
    const twenty = rate(await best(() => redactAll(text, secrets)));
    const scrub = await best(() => scrubWhole(path, secrets), () => writeFileSync(path, text));
    console.log(`raw limits: memory copy ${copy.toFixed(0)} MB/s, indexOf of one value ${search.toFixed(0)} MB/s`);
    console.log(`masking: shapes alone ${none.toFixed(0)} MB/s, with 20 values ${twenty.toFixed(0)} MB/s`);
    return budgets(twenty, scrub);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

function budgets(rate: number, scrub: number): readonly Budget[] {
  return [
    { name: 'redaction with 20 values', met: rate, limit: 100, unit: ' MB/s', good: 'at-least' },
    { name: `scrubbing ${MEGABYTES} MB with 20 values`, met: scrub, limit: 0.6, unit: ' s', good: 'at-most' },
  ];
}
