import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputReader, type RememberedHashes } from '../../src/bach/store/inputs/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import type { Budget, Measure } from '../kernel/budget.ts';
import { median } from '../kernel/median.ts';

const FILES = 10_000;
const BYTES = 400;
const FOLDERS = 100;
const ROUNDS = 7;
/** A stamp this near to now proves nothing, so that an input that was just written is read again in each case. */
const SETTLED_MS = 2_500;

const NAMES = Array.from({ length: FILES }, (_, index) => `src/d${index % FOLDERS}/f${index}.txt`);

/** What changed inputs add to those that stand still, beside the plain reading and hashing of the same files. */
export const measure: Measure = async () => {
  const root = mkdtempSync(join(tmpdir(), 'drover-bench-inputs-'));
  try {
    for (let index = 0; index < FOLDERS; index += 1) mkdirSync(join(root, `src/d${index}`), { recursive: true });
    for (const [index, name] of NAMES.entries()) writeFileSync(join(root, name), String(index).padEnd(BYTES, '.'));
    await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
    const { changes } = await look(root, new Map());
    const stale = new Map([...changes].map(([path, file]) => [path, { ...file, stamp: { ...file.stamp, size: file.stamp.size + 1n } }]));
    return await inTurn(root, { remembered: changes, stale });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
};

interface Known {
  readonly remembered: RememberedHashes;
  /** Of other contents: each file has changed since. */
  readonly stale: RememberedHashes;
}

async function inTurn(root: string, { remembered, stale }: Known): Promise<readonly Budget[]> {
  const times = { plain: [] as number[], still: [] as number[], changed: [] as number[], added: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.plain.push(plainly(root));
    const still = (await look(root, remembered)).milliseconds;
    const changed = (await look(root, stale)).milliseconds;
    times.still.push(still);
    times.changed.push(changed);
    times.added.push(changed - still);
  }
  for (const [name, values] of Object.entries(times)) console.log(`  ${name.padEnd(8)} ${median(values).toFixed(0)} ms`);
  const met = median(times.added);
  return [{ name: `hashing of ${FILES} changed inputs`, met, limit: 300, unit: ' ms', good: 'at-most' }];
}

async function look(root: string, remembered: RememberedHashes): Promise<{ readonly milliseconds: number; readonly changes: RememberedHashes }> {
  const before = performance.now();
  const reader = new InputReader({ root, statePath: '.bach/state.db', clock: systemClock() }, remembered);
  const [files = []] = await reader.read([{ patterns: ['src/**'], except: [] }]);
  const milliseconds = performance.now() - before;
  if (files.length !== FILES || files.some(({ hash }) => hash === undefined)) throw new RangeError(`${files.length} files were found`);
  return { milliseconds, changes: reader.changes().put };
}

/** The floor: no names looked for, nothing remembered, no proof that a file stood still. */
function plainly(root: string): number {
  const before = performance.now();
  for (const name of NAMES) createHash('sha256').update(readFileSync(join(root, name))).digest('hex');
  return performance.now() - before;
}
