import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isPresent, median, medianRatio, residentMegabytes, timeInTurn } from './measure.mjs';
import { findPeer } from './peers/installed.mjs';
import { BACH, NODE, WIDTH } from './programs.mjs';
import { projectOfTrue } from './projects.mjs';
import { printTimes } from './report.mjs';

const TARGETS = 1_000;
const ROUNDS = 5;

/** A run in which everything starts: what we add to each start of a program, beside runners that keep no state. */
export function coldBudgets(folder, { withPeers }) {
  const cwd = projectOfTrue(join(folder, 'thousand'), TARGETS);
  const forget = () => rmSync(join(cwd, '.bach'), { recursive: true, force: true });
  const run = { name: `bach run -j ${WIDTH}`, argv: [BACH, 'run', '-j', WIDTH, 'group/all'], cwd, before: forget };
  const spawns = [NODE, join(import.meta.dirname, 'bare-spawns.mjs'), `${TARGETS}`, WIDTH];
  const bare = { name: `bare spawns, ${WIDTH} at once`, argv: spawns, cwd };
  const megabytes = residentMegabytes(run);
  const grown = { name: `the same from ${megabytes} MB`, argv: [...spawns, `${megabytes}`], cwd };
  const peers = coldPeers(cwd, withPeers);
  // No round to warm up: a round takes half a minute on a slow machine.
  const times = timeInTurn([run, bare, grown, ...peers], { rounds: ROUNDS });
  printTimes(`cold run of ${TARGETS} × true`, times);
  for (const { name } of [bare, grown, ...peers]) {
    console.log(`ratio   ${run.name} / ${name}: ${medianRatio(times[run.name], times[name]).toFixed(2)}x`);
  }
  const added = ({ name }) => (median(times[run.name]) - median(times[name])) / TARGETS;
  console.log(`added   to each spawn from a process of the same size: ${added(grown).toFixed(2)} ms`);
  return [{ name: 'added to each bare spawn', limit: 0.5, met: added(bare), unit: ' ms' }];
}

function coldPeers(cwd, withPeers) {
  const just = withPeers ? findPeer('just') : undefined;
  if (just === undefined) console.log('just: missing, so it is no peer in this table');
  if (!isPresent('make')) console.log('make: missing, so it is no peer in this table');
  return [
    ...(isPresent('make') ? [{ name: `make -j${WIDTH}`, argv: ['make', '-s', `-j${WIDTH}`, 'all'], cwd }] : []),
    ...(just === undefined ? [] : [{ name: `just --jobs ${WIDTH}`, argv: [...just, '--quiet', '--jobs', WIDTH, 'all'], cwd }]),
  ];
}
