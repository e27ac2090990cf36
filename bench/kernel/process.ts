import { spawn, type StdioOptions } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { detectContainment, start, type Child, type LayerReport, type SpawnRequest } from '../../src/kernel/process/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import type { Budget, Measure } from './budget.ts';
import { median } from './median.ts';

const ROUNDS = 150;
const WRAPPERS = 10;
const OUTPUT_BYTES = 100_000_000;
const MEGABYTE = 1_000_000;
const KIBIBYTE = 1_024;

/** Meets no limit: what cannot be measured here is no budget kept. */
const UNMEASURED = Number.NaN;

const clock = systemClock();
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
const TRUE = '/bin/true';
/** What a namespace costs without us: the same programs in the same order. */
const NAMESPACE = ['unshare', '--pid', 'sh', '-c', '(read -r word) <&3 & exec unshare --fork --mount-proc "$@" 3<&-', 'sh', TRUE] as const;

/** What one start costs over a bare spawn, what a wrapper occupies, and what much output adds to our memory. */
export const measure: Measure = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-bench-'));
  const run = (argv: SpawnRequest['argv'], options: Partial<SpawnRequest> = {}): Child =>
    start({ argv, origin: 'drover', cwd: folder, env, marker: 'bench', log: { path: join(folder, 'log') }, graceMs: 100, ...options }, { clock });
  try {
    const { layers } = await detectContainment({ env, clock });
    const works = layers.filter(({ available }) => available).map(({ layer }) => layer);
    const memory = await memoryBudget(run);
    return [...(await startBudgets(folder, run, works)), ...(await wrapperBudgets(run, layers)), memory];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

type Run = (argv: SpawnRequest['argv'], options?: Partial<SpawnRequest>) => Child;
type Layers = readonly NonNullable<SpawnRequest['containment']>[];

async function startBudgets(folder: string, run: Run, works: Layers): Promise<readonly Budget[]> {
  const log = openSync(join(folder, 'bare'), 'a+', 0o600);
  const ways = new Map<string, () => Promise<unknown>>([
    ['bare spawn', () => bareSpawn([TRUE], ['ignore', log, log])],
    ...(works.includes('pid-namespace') ? [['bare spawn of a namespace', () => bareSpawn(NAMESPACE, ['ignore', log, log, 'pipe'])] as const] : []),
    ['start', () => run([TRUE]).exit],
    ['start, followed', () => run([TRUE], { onOutput: () => undefined }).exit],
    ...works.map((containment) => [`start in ${containment}`, () => run([TRUE], { containment }).exit] as const),
  ]);
  const times = await inTurn(ways);
  console.log('  one start of /bin/true to its end, medians of %d in turn:', ROUNDS);
  for (const [name, milliseconds] of times) console.log('    %s  %s ms', name.padEnd(28), milliseconds.toFixed(2));
  const [bare = 0, plain = 0] = ['bare spawn', 'start'].map((name) => times.get(name));
  const contained = times.get('start in pid-namespace');
  const added: Budget = { name: 'a start adds to a bare spawn', met: plain - bare, limit: 1, unit: 'ms', good: 'at-most' };
  return [added, { name: 'a PID namespace adds to a start', met: (contained ?? UNMEASURED) - plain, limit: 2, unit: 'ms', good: 'at-most' }];
}

async function inTurn(ways: ReadonlyMap<string, () => Promise<unknown>>): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number[]>([...ways.keys()].map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    // The system tears a namespace down while the next one is measured already: nobody comes after the same one each time.
    for (const [name, way] of shuffled([...ways])) {
      const before = clock.mono();
      await way();
      times.get(name)?.push(clock.mono() - before);
    }
  }
  return new Map([...times].map(([name, measured]) => [name, median(measured)]));
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ item, place: Math.random() })).sort((one, other) => one.place - other.place).map(({ item }) => item);
}

function bareSpawn([file, ...args]: readonly [string, ...string[]], stdio: StdioOptions): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { env, detached: true, stdio });
    child.once('exit', () => {
      for (const stream of child.stdio) stream?.destroy();
      resolve();
    });
  });
}

/** Memory of the processes that stand around a program: proportional, so that shared pages of a shell count once. */
async function wrapperBudgets(run: Run, layers: readonly LayerReport[]): Promise<readonly Budget[]> {
  const budgets: Budget[] = [];
  for (const { layer, available, reason } of layers) {
    const name = `wrapper of ${layer} (PSS)`;
    if (!available) console.log('  %s cannot be measured: %s', name, reason);
    // One that is not installed is no layer of this machine; the best one has to be.
    if (!available && layer !== 'pid-namespace') continue;
    const met = available ? await wrapperSize(run, layer) : UNMEASURED;
    budgets.push({ name, met, limit: 2.5, unit: 'MB', good: 'at-most' });
  }
  return budgets;
}

/** Of one child, in MB. */
async function wrapperSize(run: Run, containment: LayerReport['layer']): Promise<number> {
  const children = Array.from({ length: WRAPPERS }, () => run(['sleep', '300'], { containment }));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const wrappers = children.flatMap(({ pid = 0 }) => [...new Set([...processesFrom(pid), ...processesOfSession(pid)])]).filter((pid) => !nameOf(pid).includes('sleep'));
  const [proportional = UNMEASURED, resident = UNMEASURED] = (['Pss', 'Rss'] as const).map((field) => sum(wrappers.map((pid) => memoryOf(pid, field))) / WRAPPERS / MEGABYTE);
  console.log('  wrappers of one child in %s: %s MB proportional (PSS), %s MB resident (RSS)', containment, proportional.toFixed(2), resident.toFixed(2));
  for (const child of children) child.kill();
  await Promise.all(children.map(({ exit }) => exit));
  return proportional;
}

async function memoryBudget(run: Run): Promise<Budget> {
  await run(['sh', '-c', 'head -c 1000000 /dev/zero; sleep 0.2'], { onOutput: () => undefined }).exit;
  const level = process.memoryUsage.rss();
  let peak = level;
  const look = (): void => void (peak = Math.max(peak, process.memoryUsage.rss()));
  const { logEnd } = await run(['sh', '-c', `yes "one more line" | head -c ${OUTPUT_BYTES}`], { onOutput: look }).exit;
  console.log('  followed %d MB of output', logEnd / MEGABYTE);
  return { name: 'memory added by 100 MB of output', met: (peak - level) / MEGABYTE, limit: 32, unit: 'MB', good: 'at-most' };
}

/** The process and all its descendants. */
function processesFrom(pid: number): readonly number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).trim();
  return [pid, ...(children === '' ? [] : children.split(' ').flatMap((child) => processesFrom(Number(child))))];
}

/** What watches a cgroup is nobody's child any more. */
function processesOfSession(session: number): readonly number[] {
  return readdirSync('/proc').map(Number).filter((pid) => pid > 1 && Number(read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[3]) === session);
}

function nameOf(pid: number): string {
  return read(`/proc/${pid}/comm`);
}

function memoryOf(pid: number, field: 'Pss' | 'Rss'): number {
  return Number(new RegExp(`^${field}: +(\\d+) kB`, 'm').exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0) * KIBIBYTE;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    // It ended meanwhile.
    return '';
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
