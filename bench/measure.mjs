import { spawnSync } from 'node:child_process';

/** Of one command; a machine under load takes long for ten thousand programs. */
const LONGEST_MS = 600_000;

/**
 * Times commands in turn, A B C A B C …, so that a machine that drifts drifts for all of them.
 * Gives the wall time in milliseconds of each run, by name.
 */
export function timeInTurn(commands, { rounds }) {
  const times = Object.fromEntries(commands.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const command of commands) times[command.name].push(timeOnce(command));
  }
  return times;
}

/** Throws when the command fails or takes too long; what it prints counts as read. */
export function timeOnce({ name, argv, cwd, before, env, limitMs = LONGEST_MS }) {
  before?.();
  const [program, ...rest] = argv;
  const started = performance.now();
  const { status, error, stderr } = spawnSync(program, rest, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], timeout: limitMs, maxBuffer: Infinity });
  const milliseconds = performance.now() - started;
  if (error !== undefined || status !== 0) throw new Error(`${name} failed: ${error?.message ?? stderr}`);
  return milliseconds;
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the ratios of runs that stood side by side. */
export function medianRatio(over, under) {
  return median(over.map((value, index) => value / under[index]));
}

/** How many megabytes a command holds resident two seconds after its start, while it still runs. */
export function residentMegabytes({ argv, cwd }) {
  const script = '"$@" >/dev/null & sleep 2; grep VmRSS /proc/$!/status; kill $!; wait';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...argv], { cwd, encoding: 'utf8' });
  return Math.round(Number(/(\d+) kB/.exec(stdout)?.[1] ?? 0) / 1024);
}

/** Whether a program can be started at all. */
export function isPresent(program) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
}
