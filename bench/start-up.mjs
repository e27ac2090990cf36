import { join } from 'node:path';
import { medianRatio, timeInTurn } from './measure.mjs';
import { BACH, NODE } from './programs.mjs';
import { projectOfTrue } from './projects.mjs';
import { printTimes } from './report.mjs';

/** What the program costs before it does anything, over a Node that does nothing. */
export function startUpBudgets(folder) {
  const cwd = projectOfTrue(join(folder, 'hundred'), 100);
  const floor = { name: 'node -e 0', argv: [NODE, '-e', '0'], cwd };
  const version = { name: 'bach --version', argv: [BACH, '--version'], cwd };
  const list = { name: 'bach list (100 targets)', argv: [BACH, 'list'], cwd };
  timeInTurn([floor, version, list], { rounds: 1 });
  const times = timeInTurn([floor, version, list], { rounds: 15 });
  printTimes('start-up', times);
  const ratio = ({ name }) => medianRatio(times[name], times[floor.name]);
  return [
    { name: `${version.name} / ${floor.name}`, limit: 1.4, met: ratio(version), unit: 'x' },
    { name: `${list.name} / ${floor.name}`, limit: 2, met: ratio(list), unit: 'x' },
  ];
}
