/** Runs several commands at once and prints the output of each as a whole, in the order given. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';

/**
 * Each command is `{ name, argv, keep }`; `keep` filters the lines that are shown and that decide. Resolves to true
 * when every command passed: with `keep`, when no kept line is left or the command itself passed.
 */
export async function runAll(commands) {
  const results = await Promise.all(commands.map(runOne));
  for (const { name, passed, lines } of results) {
    process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}\n`);
    if (!passed || lines.length < 3) for (const line of lines) process.stdout.write(`     ${line}\n`);
  }
  return results.every(({ passed }) => passed);
}

/** The argv that runs a program of `node_modules` without a shell or npx in between. */
export function tool(path, ...rest) {
  return [process.execPath, join(ROOT, 'node_modules', path), ...rest];
}

async function runOne({ name, argv: [program, ...rest], keep }) {
  const child = spawn(program, rest, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  child.stderr.on('data', (chunk) => chunks.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const all = Buffer.concat(chunks).toString('utf8').split('\n').filter((line) => line.trim() !== '');
  const lines = keep === undefined ? all : all.filter(keep);
  const passed = code === 0 || (keep !== undefined && lines.length === 0);
  return { name, passed, lines };
}
