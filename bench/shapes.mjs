import { join } from 'node:path';
import { medianRatio, timeInTurn } from './measure.mjs';
import { BACH, NODE, WIDTH } from './programs.mjs';
import { chainProject, fanProject } from './projects.mjs';
import { printTimes } from './report.mjs';

const TARGETS = 10_000;
const ROUNDS = 5;

/** The same number of targets and edges in the two extreme shapes; nothing is started, so that only we are measured. */
export function shapeBudgets(folder) {
  // Otherwise a run would only be done over, and the shape of the graph not be looked at.
  const argv = [BACH, 'run', '--force', '-j', WIDTH, 'group/all'];
  const floor = { name: 'node -e 0', argv: [NODE, '-e', '0'], cwd: folder };
  const chain = { name: 'chain', argv, cwd: chainProject(join(folder, 'chain'), TARGETS) };
  const fan = { name: 'fan', argv, cwd: fanProject(join(folder, 'fan'), TARGETS) };
  timeInTurn([chain, fan], { rounds: 1 });
  const times = timeInTurn([floor, chain, fan], { rounds: ROUNDS });
  printTimes(`${TARGETS} targets that run nothing`, times);
  return [
    { name: `chain of ${TARGETS} / fan of ${TARGETS}`, limit: 1.5, met: medianRatio(times.chain, times.fan), unit: 'x' },
    { name: `fan of ${TARGETS} / chain of ${TARGETS}`, limit: 1.5, met: medianRatio(times.fan, times.chain), unit: 'x' },
  ];
}
