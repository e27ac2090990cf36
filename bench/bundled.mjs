// Bundles each file of `bench/kernel/`, `bench/bach/` and `bench/workspace/` that measures, runs it in a process of its own, and gives its budgets.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { BESIDE, EXTERNAL } from '../tools/entries.mjs';
import { ROOT } from '../tools/setup/host.mjs';

const FOLDERS = ['bench/kernel', 'bench/bach', 'bench/workspace'].map((folder) => join(ROOT, folder));
const SHARED = ['budget.ts', 'median.ts'];
const MARK = '@budgets ';

/** The budgets of single rooms, of the named files alone where names are given. */
export async function bundledBudgets(folder, names) {
  const files = FOLDERS.flatMap((place) => readdirSync(place).map((name) => join(place, name)));
  const measuring = files.filter((file) => file.endsWith('.ts') && !SHARED.includes(basename(file)));
  const chosen = names.length === 0 ? measuring : measuring.filter((file) => names.includes(basename(file, '.ts')));
  const budgets = [];
  for (const file of chosen) budgets.push(...(await measure(file, folder)));
  return budgets;
}

async function measure(file, folder) {
  const { build } = await import('rolldown');
  const home = mkdtempSync(join(folder, 'kernel-'));
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  await build({
    cwd: ROOT,
    input: { bench: file, ...BESIDE },
    platform: 'node',
    external: EXTERNAL,
    output: { dir: home, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'warn',
  });
  const name = basename(file, '.ts');
  console.log(`\n${name}`);
  // A file, since threads that a bench starts inherit how its program was given.
  const program = join(home, 'run.mjs');
  writeFileSync(program, `import { measure } from './bench.mjs';\nconsole.log(${JSON.stringify(MARK)} + JSON.stringify(await measure()));\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  rmSync(home, { recursive: true, force: true });
  const lines = stdout.split('\n');
  for (const line of lines) if (line !== '' && !line.startsWith(MARK)) console.log(line);
  const told = lines.find((line) => line.startsWith(MARK));
  if (status !== 0 || told === undefined) throw new Error(`bench ${name} failed: ${stderr}`);
  return JSON.parse(told.slice(MARK.length));
}
