// Measures the budgets of this project side by side with their floor or peer, and fails when one is missed.
// `npm run bench [-- <name> ...]`: `programs`, or a file of `bench/kernel/` without its ending; all without a name.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../tools/setup.mjs';
import { kernelBudgets } from './kernel.mjs';
import { isPresent, median, medianRatio, residentMegabytes, timeInTurn } from './measure.mjs';
import { projectOfTrue } from './projects.mjs';

// The file that users start, with the node that it finds.
const BACH = join(import.meta.dirname, '../bin/bach');
const NODE = 'node';
const TARGETS = 1000;

const folder = mkdtempSync(join(tmpdir(), 'drover-bench-'));
try {
  // An old build would be measured without a word.
  process.exitCode = (await setUp({ tests: false })) && allMet(await measured(process.argv.slice(2))) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measured(names) {
  const ofPrograms = names.length === 0 || names.includes('programs') ? [...startUp(), ...manyTargets()] : [];
  return [...ofPrograms, ...(await kernelBudgets(folder, names))];
}

function allMet(budgets) {
  console.log('');
  for (const { name, limit, met, unit, good = 'at-most' } of budgets) {
    const verdict = isMet({ limit, met, good }) ? 'ok' : 'MISSED';
    console.log(`${verdict.padEnd(7)} ${name}: ${met.toFixed(2)}${unit} (budget ${good.replace('-', ' ')} ${limit}${unit})`);
  }
  return budgets.length > 0 && budgets.every(({ limit, met, good = 'at-most' }) => isMet({ limit, met, good }));
}

function isMet({ limit, met, good }) {
  return good === 'at-most' ? met <= limit : met >= limit;
}

function startUp() {
  const cwd = projectOfTrue(join(folder, 'hundred'), 100);
  const floor = { name: 'node -e 0', argv: [NODE, '-e', '0'], cwd };
  const version = { name: 'bach --version', argv: [BACH, '--version'], cwd };
  const list = { name: 'bach list (100 targets)', argv: [BACH, 'list'], cwd };
  timeInTurn([floor, version, list], { rounds: 1 });
  const times = timeInTurn([floor, version, list], { rounds: 15 });
  print(times);
  const ratio = ({ name }) => medianRatio(times[name], times[floor.name]);
  return [
    { name: `${version.name} / ${floor.name}`, limit: 1.4, met: ratio(version), unit: 'x' },
    { name: `${list.name} / ${floor.name}`, limit: 2, met: ratio(list), unit: 'x' },
  ];
}

function manyTargets() {
  const cwd = projectOfTrue(join(folder, 'thousand'), TARGETS);
  const forget = () => rmSync(join(cwd, '.bach'), { recursive: true, force: true });
  const run = { name: `bach run -j 2 (${TARGETS} × true)`, argv: [BACH, 'run', '-j', '2', 'group/all'], cwd, before: forget };
  const spawns = [NODE, join(import.meta.dirname, 'bare-spawns.mjs'), `${TARGETS}`, '2'];
  const bare = { name: 'bare spawns, 2 at once', argv: spawns, cwd };
  const megabytes = residentMegabytes(run);
  const grown = { name: `the same from ${megabytes} MB`, argv: [...spawns, `${megabytes}`], cwd };
  const make = { name: 'make -j2', argv: ['make', '-s', '-j2', 'all'], cwd };
  const hasMake = isPresent('make');
  if (!hasMake) console.log('make: missing, so there is no peer in this table');
  // No round to warm up: start-up was measured just before, and a round takes half a minute on a slow machine.
  const times = timeInTurn(hasMake ? [run, bare, grown, make] : [run, bare, grown], { rounds: 3 });
  print(times);
  const peers = hasMake ? [bare, grown, make] : [bare, grown];
  for (const { name } of peers) console.log(`ratio   ${run.name} / ${name}: ${medianRatio(times[run.name], times[name]).toFixed(2)}x`);
  const added = ({ name }) => (median(times[run.name]) - median(times[name])) / TARGETS;
  console.log(`added   to each spawn from a process of the same size: ${added(grown).toFixed(2)} ms`);
  const perTarget = added(bare);
  return [{ name: 'added to each bare spawn', limit: 0.5, met: perTarget, unit: ' ms' }];
}

function print(times) {
  for (const [name, values] of Object.entries(times)) {
    const row = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(0).padStart(7));
    console.log(`${name.padEnd(34)} min/median/max ms ${row.join('')}`);
  }
  console.log(`(${cpus().length} processors, Node ${execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim()})`);
}
