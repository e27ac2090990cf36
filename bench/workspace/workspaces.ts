import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findGit, openRepository } from '../../src/kernel/git/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import type { BackendSetting } from '../../src/workspace/backends/backend-setting.ts';
import { cloneBackend } from '../../src/workspace/backends/clone.ts';
import { worktreeBackend } from '../../src/workspace/backends/worktree.ts';
import type { Backend } from '../../src/workspace/contract.ts';
import type { Budget, Measure } from '../kernel/budget.ts';
import { median } from '../kernel/median.ts';

const FILES = 3_000;
const AT_ONCE = 8;
const ROUNDS = 5;
const WHO = { name: 'Bench', email: 'bench@drover.test' };
const run = promisify(execFile);

/** Eight at once, five times: with plain git one after the other (at once it trips over its own locks), and with ours. */
export const measure: Measure = async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'drover-bench-workspaces-')));
  try {
    return await measureIn(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
};

async function measureIn(home: string): Promise<readonly Budget[]> {
  const folder = projectIn(home);
  const receiptsFolder = join(home, 'receipts');
  mkdirSync(receiptsFolder);
  const git = await findGit({ clock: systemClock(), env: process.env, marker: 'bench', receiptsFolder });
  const source = await openRepository(git, folder);
  const setting: BackendSetting = { source, seeder: { seed: async () => ({ copied: [], present: [], dropped: [] }) } };
  const base = execFileSync('git', ['-C', folder, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const backends = [worktreeBackend(setting), cloneBackend(setting)];
  const made = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round += 1) {
    add(times, 'git worktree add', await timeOf(() => plainly(folder, home, round)));
    for (const backend of backends) {
      let count = 0;
      add(times, backend.name, await timeOf(async () => { count = await eight(backend, { home, base, round }); }));
      made.set(backend.name, (made.get(backend.name) ?? 0) + count);
    }
  }
  for (const [name, each] of times) console.log(`${name}: ${(median(each) / AT_ONCE).toFixed(0)} ms for each of ${AT_ONCE} (rounds: ${each.map((ms) => ms.toFixed(0)).join(', ')} ms)`);
  return backends.map(({ name }) => ({ name: `workspaces: ${name}, ${AT_ONCE} at once, ${ROUNDS} times`, met: made.get(name) ?? 0, limit: AT_ONCE * ROUNDS, unit: '', good: 'at-least' }));
}

function projectIn(home: string): string {
  const folder = join(home, 'project');
  for (let at = 0; at < FILES; at += 1) {
    const place = join(folder, `d${at % 60}`);
    if (at < 60) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `f${at}.txt`), `line ${at}\n`.repeat(20));
  }
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-q', '-m', 'all']]) execFileSync('git', args, { cwd: folder });
  return folder;
}

async function plainly(folder: string, home: string, round: number): Promise<void> {
  for (let at = 0; at < AT_ONCE; at += 1) {
    await run('git', ['worktree', 'add', '-q', '-b', `plain/${round}-${at}`, join(home, `plain-${round}-${at}`)], { cwd: folder });
  }
}

interface Round {
  readonly home: string;
  readonly base: string;
  readonly round: number;
}

async function eight(backend: Backend, { home, base, round }: Round): Promise<number> {
  const owner = { system: 'bench', run: 'r', unit: 'u' };
  const outcomes = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, at) => {
      const id = `${backend.name}-${round}-${at}`;
      return backend.create({ id, path: join(home, 'trees', id), base, branch: `refs/heads/${backend.name}/${round}-${at}`, owner, seeds: [], who: WHO });
    }),
  );
  return outcomes.filter(({ kind }) => kind === 'created').length;
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function add(times: Map<string, number[]>, name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}
