import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderPorts, readStepLog, replay, runSystem, type Ending } from '../../../src/engine/index.ts';
import { systemIds } from '../../../src/kernel/ids/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { queuePolicy, queueSystem, type LandQueue, type QueueState } from '../../../src/workspace/index.ts';
import { commitInCheckout, put, runGit, stageWith, WHO, type Stage } from '../../support/git-repository.ts';
import { changeOf, commitOnBranch, filesIn, MAIN, statusOf } from './land-support.ts';

const FILES = { a: 'a1\n', b: 'b1\n' };

async function work({ repository, home }: Stage, queue: LandQueue): Promise<{ readonly ending: Ending; readonly state: QueueState }> {
  const clock = systemClock();
  const path = join(home, 'run');
  mkdirSync(path, { recursive: true });
  let state: QueueState = { stages: {} };
  const publish = async (next: QueueState): Promise<void> => void (state = next);
  const ports = folderPorts(path, { clock, ids: systemIds(clock), settleLeftovers: async () => undefined, mask: (value) => value });
  const { signal } = new AbortController();
  const ending = await runSystem(queueSystem(queue), { path, world: { repository, publish }, stop: { graceful: signal, immediate: signal }, ports });
  const records = await readStepLog(join(path, 'steps.jsonl'));
  expect(replay(records, queuePolicy(queue))).toMatchObject({ equal: true });
  return { ending, state };
}

function queueOf(tips: Readonly<Record<string, string>>): LandQueue {
  return { ref: MAIN, who: WHO, changes: Object.entries(tips).map(([key, tip]) => ({ strategy: 'squash', change: changeOf(tip, { key }) })) };
}

test('changes land in their order, and one that conflicts stops alone', async () => {
  const stage = await stageWith(FILES);
  const one = commitOnBranch(stage.folder, { a: 'one\n' }, { branch: 'one' });
  const two = commitOnBranch(stage.folder, { a: 'two\n' }, { branch: 'two' });
  const three = commitOnBranch(stage.folder, { b: 'three\n' }, { branch: 'three' });
  const { ending, state } = await work(stage, queueOf({ one, two, three, again: one }));
  expect(ending).toEqual({ is: 'done' });
  expect(state.stages).toMatchObject({
    one: { at: 'landed' },
    two: { at: 'stopped', code: 'conflict', message: 'two conflicts in a' },
    three: { at: 'landed', commit: runGit(stage.folder, ['rev-parse', 'main']) },
    again: { at: 'already' },
  });
  expect(filesIn(stage.folder)).toEqual({ a: 'one\n', b: 'three\n' });
  expect(statusOf(stage.folder)).toEqual([]);
});

test('what is in the way is named, and later changes land', async () => {
  const stage = await stageWith(FILES);
  const one = commitOnBranch(stage.folder, { a: 'one\n' }, { branch: 'one' });
  const two = commitOnBranch(stage.folder, { b: 'two\n' }, { branch: 'two' });
  put(join(stage.folder, 'a'), 'mine\n');
  const { state } = await work(stage, queueOf({ one, two }));
  expect(state.stages).toMatchObject({
    one: { at: 'stopped', code: 'waiting', message: `${stage.folder} is in the way (changed): a` },
    two: { at: 'landed' },
  });
  expect(filesIn(stage.folder)).toEqual({ a: 'mine\n', b: 'two\n' });
});

test('a destination that moves meanwhile: the change is prepared anew, and both are there', async () => {
  const stage = await stageWith(FILES);
  const one = commitOnBranch(stage.folder, { a: 'one\n' }, { branch: 'one' });
  const queue = queueOf({ one });
  const policy = queuePolicy(queue);
  const before = runGit(stage.folder, ['rev-parse', 'main']);
  const person = commitInCheckout(stage.folder, { b: 'person\n' });
  const now = { wallMs: 0, bootMs: 0 };
  const prepared = { outcome: 'ok', kind: 'prepare', key: 'x', sequence: 1, at: now, data: { commit: one, tree: one, already: false } } as const;
  const input = { ref: MAIN, onto: before, change: changeOf(one, { key: 'one' }), strategy: 'ff', committer: { ...WHO, date: { seconds: 0, offsetMinutes: 0 } } } as const;
  const after = policy.fold(policy.initial, { ...prepared, input });
  expect(policy.decide(after, { tip: person }, now, [])).toMatchObject({ next: 'steps', steps: [{ kind: 'move', input: { from: before } }] });
  const moved = { outcome: 'failed', code: 'moved-on', message: '', kind: 'move', key: 'y', sequence: 2, at: now } as const;
  const again = policy.fold(after, { ...moved, input: { ref: MAIN, key: 'one', from: before, to: one, tree: one, who: WHO } });
  expect(policy.decide(again, { tip: person }, now, [])).toMatchObject({ next: 'steps', steps: [{ kind: 'prepare', input: { onto: person } }] });
  const { state } = await work(stage, queue);
  expect(state.stages).toMatchObject({ one: { at: 'landed' } });
  expect(filesIn(stage.folder)).toEqual({ a: 'one\n', b: 'person\n' });
});
