import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPresent, median, medianRatio, timeInTurn, timeOnce } from './measure.mjs';
import { cachingPeers } from './peers/caching.mjs';
import { makeWorkspace, ourWorkspace } from './peers/workspaces.mjs';
import { BACH, NODE, WIDTH } from './programs.mjs';
import { printTimes } from './report.mjs';

const LARGE = 10_000;
/** 450 ms where Node itself takes 50. */
const LARGE_IN_FLOORS = 9;
const MOST_MEGABYTES = 250;
const MOST_ROUNDS = 7;
const LEAST_ROUNDS = 3;
/** For all rounds of one size. */
const ROUNDS_MS = 60_000;
const PEAK = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'peak-memory.mjs'))}` };

/** A run in which nothing has to run: how long each runner takes to find that out, and what memory we take for it. */
export function cachedBudgets(folder, { sizes, withPeers, primeLimitMs }) {
  return sizes.flatMap((size) => budgetsAt(size, { folder: join(folder, `cached-${size}`), withPeers, primeLimitMs }));
}

function budgetsAt(size, { folder, withPeers, primeLimitMs }) {
  mkdirSync(folder, { recursive: true });
  const ours = { name: 'bach run', argv: [BACH, 'run', '-j', WIDTH, 'group/all'], cwd: ourWorkspace(join(folder, 'bach'), size) };
  const floor = { name: 'node -e 0', argv: [NODE, '-e', '0'], cwd: folder };
  console.log(`\n${size} targets: filling the caches`);
  const coldMegabytes = peakMegabytes(ours, join(folder, 'peak-cold'));
  const peers = cachingPeers({ folder, size, isWanted: withPeers, primeLimitMs });
  try {
    const commands = [floor, ours, ...makes(folder, size), ...peers.commands];
    const warmUp = timeInTurn(commands, { rounds: 1 });
    const times = timeInTurn(commands, { rounds: roundsAfter(warmUp) });
    printTimes(`fully cached run of ${size} targets`, times);
    const cachedMegabytes = peakMegabytes(ours, join(folder, 'peak-cached'));
    return [
      ...peers.commands.map(({ name }) => aheadOf(name, { ours, times, size })),
      { name: `peak memory, ${size} run`, limit: MOST_MEGABYTES, met: coldMegabytes, unit: ' MB' },
      { name: `peak memory, ${size} cached`, limit: MOST_MEGABYTES, met: cachedMegabytes, unit: ' MB' },
      ...(size === LARGE ? [nearFloor({ ours, floor, times })] : []),
    ];
  } finally {
    peers.end();
  }
}

/** A slow peer must not make the whole bench last: fewer rounds then, and still a median. */
function roundsAfter(warmUp) {
  const roundMs = Object.values(warmUp).flat().reduce((total, value) => total + value, 0);
  return Math.min(MOST_ROUNDS, Math.max(LEAST_ROUNDS, Math.floor(ROUNDS_MS / roundMs)));
}

function aheadOf(name, { ours, times, size }) {
  return { name: `cached ${size}: ${ours.name} / ${name}`, limit: 1, met: medianRatio(times[ours.name], times[name]), unit: 'x', good: 'below' };
}

function nearFloor({ ours, floor, times }) {
  const floorMs = median(times[floor.name]);
  console.log(`limit   of ${LARGE} cached targets: ${LARGE_IN_FLOORS} × the floor of ${floorMs.toFixed(0)} ms (450 ms where it is 50)`);
  return { name: `cached ${LARGE} / ${floor.name}`, limit: LARGE_IN_FLOORS, met: medianRatio(times[ours.name], times[floor.name]), unit: 'x' };
}

function makes(folder, size) {
  if (!isPresent('make')) {
    console.log('make: missing, so it is no limit in this table');
    return [];
  }
  const cwd = makeWorkspace(join(folder, 'make'), size);
  const make = { name: 'make', argv: ['make', '-s', `-j${WIDTH}`], cwd };
  timeOnce(make);
  return [make, { name: 'make -rR', argv: ['make', '-rR', '-s', `-j${WIDTH}`], cwd }];
}

/** Of one run of its own, since what measures it takes time too. */
function peakMegabytes(command, path) {
  timeOnce({ ...command, env: { ...process.env, ...PEAK, BENCH_PEAK_FILE: path } });
  return Number(readFileSync(path, 'utf8'));
}

