import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listRefs, listWorktrees } from '../../src/kernel/git/index.ts';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { put, runGit } from '../support/git-repository.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { workspaceStage, type WorkspaceStage } from '../support/workspaces.ts';
import { MAKERS, type WorkOrder } from '../workspace/backends/programs/work.ts';

const program = bundledProgram(join(import.meta.dirname, '../workspace/backends/programs/work.ts'));
const AT_ONCE = 20;

interface Start {
  readonly id: string;
  readonly kind: string;
  readonly said: string;
}

async function start(stage: WorkspaceStage, id: string): Promise<Start> {
  const order: WorkOrder = { backend: 'worktree', what: 'create', request: stage.requestFor(id) };
  const { git } = stage.repository;
  const args = [program.file, stage.folder, git.receiptsFolder ?? '', JSON.stringify(order)];
  const child = spawn(process.execPath, args, { env: git.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect([id, stderr]).toEqual([id, '']);
  const { kind, reason, said = '' } = JSON.parse(stdout) as { kind: string; reason?: string; said?: string };
  return { id, kind: reason ?? kind, said };
}

/** A person's own git adds and removes worktrees meanwhile, and a stale lock lies on the index and on some branches. */
function disturb({ folder, home, repository }: WorkspaceStage, random: () => number): readonly string[] {
  put(join(repository.gitDir, 'index.lock'), '');
  const locked = Array.from({ length: AT_ONCE }, (_, at) => `w${at}`).filter(() => random() < 0.1);
  for (const id of locked) put(join(repository.commonDir, `refs/heads/drover/${id}.lock`), '');
  runGit(folder, ['worktree', 'add', '-q', '-b', 'own', join(home, 'own')]);
  return locked;
}

// Twenty processes at a time, each of which calls git about twenty times.
test('F21: twenty starts in one repository: each succeeds or says why not, and no branch is an orphan', seeded('F21', async (seed) => {
  const random = seededRandom(seed).next;
  const starts = faultCount({ ci: 40, full: 200 });
  const counts: Record<string, number> = {};
  for (let round = 0; round < starts / AT_ONCE; round += 1) {
    const stage = await workspaceStage(MAKERS.worktree);
    const locked = disturb(stage, random);
    const [outcomes] = await Promise.all([
      Promise.all(Array.from({ length: AT_ONCE }, (_, at) => start(stage, `w${at}`))),
      personAtWork(stage),
    ]);
    for (const { id, kind, said } of outcomes) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      expect([id, kind, said]).toEqual(locked.includes(id) ? [id, 'busy', expect.stringContaining(`${id}.lock`)] : [id, 'created', '']);
    }
    await expectNoOrphans(stage, outcomes);
    rmSync(stage.home, { recursive: true, force: true });
  }
  process.stdout.write(`F21: ${starts} starts, ${JSON.stringify(counts)}\n`);
}));

async function personAtWork({ home }: WorkspaceStage): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    const child = spawn('git', ['-C', join(home, 'own'), 'worktree', 'add', '-q', '--detach', join(home, `person${turn}`)], { stdio: 'ignore' });
    await new Promise((resolve) => child.on('close', resolve));
  }
}

async function expectNoOrphans({ repository, backend }: WorkspaceStage, outcomes: readonly Start[]): Promise<void> {
  const made = outcomes.filter(({ kind }) => kind === 'created').map(({ id }) => `refs/heads/drover/${id}`).sort();
  expect((await listRefs(repository, 'refs/heads/drover')).map(({ name }) => name)).toEqual(made);
  const branches = (await listWorktrees(repository)).flatMap(({ branch }) => (branch?.includes('/drover/') === true ? [branch] : []));
  expect(branches.sort()).toEqual(made);
  expect((await backend.list()).map(({ branch }) => branch).sort()).toEqual(made);
}
