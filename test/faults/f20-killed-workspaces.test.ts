import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { commitInCheckout, put, WHO } from '../support/git-repository.ts';
import { pointsOfWork, runWork } from '../support/killed-work.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { isKept, madeBy, personView, workspaceStage, type WorkspaceStage } from '../support/workspaces.ts';
import { MAKERS, type WorkOrder } from '../workspace/backends/programs/work.ts';

const program = bundledProgram(join(import.meta.dirname, '../workspace/backends/programs/work.ts'));
const BACKENDS = ['worktree', 'clone', 'in-place'] as const;

/** Where it is killed: everywhere in the whole count, at some drawn points in CI. */
function drawn(points: readonly string[], random: () => number): readonly (readonly [number, string])[] {
  const all = points.map((point, at) => [at, point] as const);
  const count = faultCount({ ci: 5, full: all.length });
  const order = all.map((each) => [random(), each] as const).sort(([one], [other]) => one - other);
  return order.slice(0, count).map(([, each]) => each);
}

/** Kills the order at its durable points, each time on a stage of its own. */
async function killAround<Set extends { readonly stage: WorkspaceStage; readonly order: WorkOrder }>(
  setUp: () => Promise<Set>,
  { seed, check }: { readonly seed: number; readonly check: (set: Set, point: string) => Promise<void> },
): Promise<string> {
  const whole = await setUp();
  const points = pointsOfWork(program.file, whole.stage, whole.order);
  const kills = drawn(points, seededRandom(seed).next);
  for (const [at, point] of kills) {
    const set = await setUp();
    const { signal } = runWork(program.file, set.stage, set.order, { DROVER_CRASH_AT: String(at + 1) });
    expect([point, signal]).toEqual([point, 'SIGKILL']);
    await check(set, `${at + 1} ${point}`);
    rmSync(set.stage.home, { recursive: true, force: true });
  }
  return `${kills.length} of ${points.length}`;
}

// These kill processes, on a new repository each, and look with git at what is left.
describe.each(BACKENDS)('F20: killed at any durable point, %s', (name) => {
  const make = MAKERS[name];

  test('a creation is whole or cleared by the next call', seeded(`F20 ${name} create`, async (seed) => {
    const setUp = async () => {
      const stage = await workspaceStage(make);
      put(join(stage.folder, 'own.local'), 'secret');
      const request = stage.requestFor('one', { seeds: [{ pattern: 'own.local', need: 'required' }] });
      return { stage, order: { backend: name, what: 'create', request } as const, before: await personView(stage) };
    };
    const kills = await killAround(setUp, { seed, check: async ({ stage, order, before }, point) => {
      const listed = (await stage.backend.list()).map(({ id }) => id);
      if (listed.length === 0) expect([point, await personView(stage)]).toEqual([point, before]);
      if (listed.length > 0) expect([point, (await stage.backend.remove({ record: (await stage.backend.list())[0] as never }, WHO)).kind]).toEqual([point, 'removed']);
      const again = await stage.backend.create(order.request);
      expect([point, again.kind]).toEqual([point, 'created']);
    } });
    process.stdout.write(`F20: ${name}: ${kills} kills of a creation\n`);
  }));

  test('a removal is finished, or not begun; nothing of the work is lost', seeded(`F20 ${name} remove`, async (seed) => {
    const setUp = async () => {
      const stage = await workspaceStage(make);
      const { record } = await madeBy(stage.backend, stage.requestFor('one'));
      commitInCheckout(record.path, { 'a.txt': 'committed work' });
      put(join(record.path, 'dir/b.txt'), 'dirty work');
      put(join(record.path, 'ignored/out'), 'ignored work');
      return { stage, record, order: { backend: name, what: 'remove', record } as const };
    };
    const kills = await killAround(setUp, { seed, check: async ({ stage, record }, point) => {
      const listed = await stage.backend.list();
      if (listed.length > 0) expect([point, (await stage.backend.remove({ record }, WHO)).kind]).toEqual([point, 'removed']);
      expect([point, await stage.backend.list()]).toEqual([point, []]);
      if (name === 'in-place') return expect(readFileSync(join(record.path, 'dir/b.txt'), 'utf8')).toBe('dirty work');
      expect([point, existsSync(record.path), JSON.stringify(await personView(stage)).includes('drover/one')]).toEqual([point, false, false]);
      for (const text of ['committed work', 'dirty work', 'ignored work']) expect([point, text, isKept(stage.repository, text)]).toEqual([point, text, true]);
    } });
    process.stdout.write(`F20: ${name}: ${kills} kills of a removal\n`);
  }));

  test('a restoration is ended by the next one; what was there is kept', seeded(`F20 ${name} restore`, async (seed) => {
    const setUp = async () => {
      const stage = await workspaceStage(make);
      const workspace = await madeBy(stage.backend, stage.requestFor('one'));
      const { record } = workspace;
      put(join(record.path, 'dir/b.txt'), 'early');
      const snapshot = await stage.backend.snapshot(workspace, WHO);
      commitInCheckout(record.path, { 'a.txt': 'late work' });
      put(join(record.path, 'new.txt'), 'late dirt');
      return { stage, workspace, snapshot, order: { backend: name, what: 'restore', record, snapshot } as const };
    };
    const kills = await killAround(setUp, { seed, check: async ({ stage, workspace, snapshot }, point) => {
      expect([point, (await stage.backend.restore(workspace, snapshot, WHO)).kind]).toEqual([point, 'restored']);
      const { head, tree, branch } = snapshot;
      expect(await stage.backend.snapshot(workspace, WHO)).toMatchObject({ head, tree, branch });
      for (const text of ['late work', 'late dirt']) expect([point, text, isKept(stage.repository, text)]).toEqual([point, text, true]);
    } });
    process.stdout.write(`F20: ${name}: ${kills} kills of a restoration\n`);
  }));
});
