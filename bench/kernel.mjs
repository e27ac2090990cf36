// Bundles each file of `bench/kernel/` that measures, runs it in a process of its own, and gives its budgets.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BESIDE, EXTERNAL } from '../tools/entries.mjs';
import { ROOT } from '../tools/setup/host.mjs';

const FOLDER = join(ROOT, 'bench/kernel');
const SHARED = ['budget.ts', 'median.ts'];
const MARK = '@budgets ';

/** The budgets of the kernel, of the named files alone where names are given. */
export async function kernelBudgets(folder, names) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts') && !SHARED.includes(name));
  const chosen = names.length === 0 ? files : files.filter((name) => names.includes(name.replace('.ts', '')));
  const budgets = [];
  for (const name of chosen) budgets.push(...(await measure(name, folder)));
  return budgets;
}

async function measure(name, folder) {
  const { build } = await import('rolldown');
  const home = mkdtempSync(join(folder, 'kernel-'));
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  await build({
    cwd: ROOT,
    input: { bench: join(FOLDER, name), ...BESIDE },
    platform: 'node',
    external: EXTERNAL,
    output: { dir: home, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
    logLevel: 'warn',
  });
  console.log(`\n${name.replace('.ts', '')}`);
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
