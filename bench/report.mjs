import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { median } from './measure.mjs';
import { NODE } from './programs.mjs';

export function printTimes(title, times) {
  console.log(`\n${title}`);
  for (const [name, values] of Object.entries(times)) {
    const row = [Math.min(...values), median(values), Math.max(...values)].map((value) => value.toFixed(0).padStart(7));
    console.log(`${name.padEnd(42)} min/median/max ms ${row.join('')}`);
  }
}

/** Beside the figures: whoever reads them later wants to know what they were taken on. */
export function printMachine() {
  const version = execFileSync(NODE, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`${cpus().length} processors, ${process.platform} ${process.arch}, Node ${version}, load ${loadavg()[0].toFixed(1)} at the start`);
}

/** Prints each budget with its verdict; false when one is missed, or when there is none. */
export function allMet(budgets) {
  console.log('');
  for (const budget of budgets) {
    const { name, limit, met, unit, good = 'at-most' } = budget;
    const verdict = isMet(budget) ? 'ok' : 'MISSED';
    console.log(`${verdict.padEnd(7)} ${name}: ${met.toFixed(2)}${unit} (budget ${good.replace('-', ' ')} ${limit}${unit})`);
  }
  return budgets.length > 0 && budgets.every(isMet);
}

function isMet({ limit, met, good = 'at-most' }) {
  if (good === 'below') return met < limit;
  return good === 'at-most' ? met <= limit : met >= limit;
}
