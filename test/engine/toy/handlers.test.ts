import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Handlers, Intent, Receipt, StepContext } from '../../../src/engine/contract.ts';
import { toyHandlers } from '../../../src/engine/toy/handlers.ts';
import type { Mark, ToySteps } from '../../../src/engine/toy/model.ts';
import { openWorkplace, prepareToy } from '../../../src/engine/toy/workplace.ts';
import { BRANCH, gatherToy, pathsOf, tipOf, type ToyWorld } from '../../../src/engine/toy/world.ts';
import { commitTree, listTree, moveRef, readCommit, type Repository } from '../../../src/kernel/git/index.ts';
import { createRedaction } from '../../../src/kernel/redact/index.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { Node } from '../../support/world/node.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { Scheduler } from '../../support/world/scheduler.ts';
import { modelHandlers, ToyModel, type ModelWorld } from '../../support/world/toy-model.ts';

/** One handler set over one world, and what a test asks about that world. */
interface Subject<World> {
  readonly handlers: Handlers<ToySteps, World>;
  readonly world: World;
  /** Lets the world go on until it is answered. */
  readonly until: <Answer>(answer: Promise<Answer>) => Promise<Answer>;
  readonly tip: () => Promise<string>;
  /** Paths and contents at the tip. */
  readonly files: () => Promise<Readonly<Record<string, string>>>;
  readonly person: () => Promise<void>;
  readonly mark: (unit: string) => Mark | undefined;
}

/** `works` ends well, `fails` ends with 3, `lasts` does not end. */
const PROGRAMS = {
  works: ['/bin/sh', '-c', 'echo works'],
  fails: ['/bin/sh', '-c', 'echo fails; exit 3'],
  lasts: ['/bin/sh', '-c', 'sleep 600'],
} as const;

async function real(): Promise<Subject<ToyWorld>> {
  const place = { folder: temporaryFolder(), marker: `toy-contract-${process.pid}` };
  await prepareToy(place, { name: 'contract', units: [], maxInFlight: 1 });
  const world = await openWorkplace(place);
  const { repository } = world;
  const tip = async (): Promise<string> => (await tipOf(repository)) ?? '';
  return {
    handlers: toyHandlers,
    world,
    until: (answer) => answer,
    tip,
    files: async () => Object.fromEntries((await listTree(repository, await tip())).map(({ path, id }) => [path, id])),
    person: async () => personCommits(repository, await tip()),
    mark: (unit) => {
      const path = pathsOf(place.folder).mark(unit);
      return existsSync(path) ? (readFileSync(path, 'utf8').trim() as Mark) : undefined;
    },
  };
}

async function personCommits(repository: Repository, parent: string): Promise<void> {
  const who = { name: 'P', email: 'p@localhost', date: { seconds: 1, offsetMinutes: 0 } };
  const { tree } = await readCommit(repository, parent);
  const to = await commitTree(repository, { tree, parents: [parent], author: who, committer: who, message: `on ${parent}` });
  await moveRef(repository, { ref: BRANCH, from: parent, to, who, reason: 'person' });
}

async function model(): Promise<Subject<ModelWorld>> {
  const scheduler = new Scheduler();
  const scripts = { works: { exits: [], takesMs: 5 }, fails: { exits: [3, 3, 3], takesMs: 5 }, lasts: { exits: [], takesMs: 1e9 } };
  const toy = new ToyModel({ units: [], scripts, scheduler });
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  return {
    handlers: modelHandlers,
    world: { model: toy, node: new Node('n1', { scheduler, random: seededRandom(1) }) },
    until: async (answer) => {
      let isAnswered = false;
      void answer.finally(() => {
        isAnswered = true;
      });
      while (!isAnswered && !isOver && (await scheduler.step()));
      return answer;
    },
    tip: async () => toy.tip,
    files: async () => toy.commits.get(toy.tip)?.tree ?? {},
    person: async () => toy.personCommits(`note${toy.history().length}`),
    mark: (unit) => toy.marks.get(unit),
  };
}

describe('the real handlers', () => {
  contract(real);
});

describe('the handlers of the model', () => {
  contract(model);
});

function contract<World>(subject: () => Promise<Subject<World>>): void {
  const setUp = async () => {
    const of = await subject();
    const end = new AbortController();
    const windDown = new AbortController();
    const context: StepContext<World> = { world: of.world, signal: end.signal, stopping: windDown.signal };
    let sequence = 0;
    const call = async (member: 'perform' | 'reconcile', kind: keyof ToySteps, input: object): Promise<Receipt> => {
      sequence += 1;
      const step = { kind, key: 'key', input, sequence, epoch: 1 } as unknown as Intent<ToySteps>;
      const handler = of.handlers[kind] as unknown as Record<typeof member, (step: Intent<ToySteps>, context: StepContext<World>) => Promise<Receipt>>;
      return of.until(handler[member](step, context));
    };
    return { ...of, end, windDown, perform: call.bind(undefined, 'perform'), reconcile: call.bind(undefined, 'reconcile') };
  };
  const run = (unit: keyof typeof PROGRAMS, attempt = 1) => ({ unit, attempt, argv: PROGRAMS[unit] });
  const notDone = { outcome: 'failed', code: 'not-done' };

  test.each([
    ['claim', { unit: 'works' }],
    ['run', run('works')],
    ['finish', { unit: 'works', mark: 'failed' }],
  ] as const)('%s: not done before, done after, and twice does no harm', async (kind, input) => {
    const { perform, reconcile } = await setUp();
    expect(await reconcile(kind, input)).toMatchObject(notDone);
    expect(await perform(kind, input)).toEqual({ outcome: 'ok', data: null });
    expect(await perform(kind, input)).toEqual({ outcome: 'ok', data: null });
    expect(await reconcile(kind, input)).toEqual({ outcome: 'ok', data: null });
  });

  test('finish leaves the mark', async () => {
    const { perform, mark } = await setUp();
    expect(mark('works')).toBe(undefined);
    await perform('finish', { unit: 'works', mark: 'failed' });
    expect(mark('works')).toBe('failed');
  });

  test('run: a program that fails leaves no result; the result of one attempt is none of the next', async () => {
    const { perform, reconcile } = await setUp();
    expect(await perform('run', run('fails'))).toMatchObject({ outcome: 'failed', code: 'exit', message: 'the program of fails ended with 3' });
    expect(await reconcile('run', run('fails'))).toMatchObject(notDone);
    await perform('run', run('works'));
    expect(await reconcile('run', run('works', 2))).toMatchObject(notDone);
  });

  test.each(['end', 'windDown'] as const)('run: a program that is told to end (%s) did nothing', async (how) => {
    const { perform, reconcile, [how]: controller } = await setUp();
    controller.abort();
    expect(await perform('run', run('lasts'))).toMatchObject(notDone);
    expect(await reconcile('run', run('lasts'))).toMatchObject(notDone);
  });

  test('commit: the same input gives the same commit, and nothing moves', async () => {
    const { perform, reconcile, tip } = await setUp();
    await perform('run', run('works'));
    const base = await tip();
    const first = await perform('commit', { unit: 'works', base });
    expect(first).toEqual({ outcome: 'ok', data: { commit: expect.any(String) } });
    expect(await perform('commit', { unit: 'works', base })).toEqual(first);
    expect(await reconcile('commit', { unit: 'works', base })).toMatchObject(notDone);
    expect(await tip()).toBe(base);
  });

  const committed = async () => {
    const of = await setUp();
    await of.perform('run', run('works'));
    const from = await of.tip();
    const receipt = (await of.perform('commit', { unit: 'works', base: from })) as { data: { commit: string } };
    return { ...of, move: { unit: 'works', from, to: receipt.data.commit } };
  };

  test('move: from the value that the step names, and to the tree that was made', async () => {
    const { perform, reconcile, tip, files, move } = await committed();
    expect(await reconcile('move', move)).toMatchObject(notDone);
    expect(await perform('move', move)).toEqual({ outcome: 'ok', data: null });
    expect([await tip(), Object.keys(await files())]).toEqual([move.to, ['works.txt']]);
    expect(await reconcile('move', move)).toEqual({ outcome: 'ok', data: null });
    expect(await perform('move', move)).toEqual({ outcome: 'ok', data: null });
  });

  test('move: is in, also under the commit of a person', async () => {
    const { perform, reconcile, person, tip, move } = await committed();
    await perform('move', move);
    await person();
    expect(await reconcile('move', move)).toEqual({ outcome: 'ok', data: null });
    expect(await perform('move', move)).toEqual({ outcome: 'ok', data: null });
    expect(await tip()).not.toBe(move.to);
  });

  test('move: not over the commit of a person', async () => {
    const { perform, reconcile, person, tip, move } = await committed();
    await person();
    const theirs = await tip();
    expect(await perform('move', move)).toMatchObject({ outcome: 'failed', code: 'moved-on' });
    expect(await reconcile('move', move)).toMatchObject({ outcome: 'failed', code: 'moved-on' });
    expect(await tip()).toBe(theirs);
  });
}

describe('the real handlers, beside the contract', () => {
  const call = async (world: ToyWorld, argv: readonly [string, ...string[]]) =>
    toyHandlers.run.perform(
      { kind: 'run', key: 'k', input: { unit: 'u', attempt: 1, argv }, sequence: 1, epoch: 1 },
      { world, signal: new AbortController().signal, stopping: new AbortController().signal },
    );

  test('a program that cannot be started, and one that is killed', async () => {
    const { world } = await real();
    expect(await call(world, ['/nowhere/program'])).toMatchObject({ code: 'not-run', message: expect.stringContaining('/nowhere/program') });
    expect(await call(world, ['/bin/sh', '-c', 'kill -9 $$'])).toEqual({ outcome: 'failed', code: 'not-run', message: 'SIGKILL' });
  });

  test('of what a program prints, the end becomes its result', async () => {
    const { world } = await real();
    expect(await call(world, ['/bin/sh', '-c', 'head -c 300000 /dev/zero | tr "\\0" a; echo end'])).toEqual({ outcome: 'ok', data: null });
    const { output } = JSON.parse(readFileSync(pathsOf(world.folder).result('u'), 'utf8')) as { output: string };
    expect([output.length, output.slice(-4)]).toEqual([64 * 1024, 'end\n']);
  });

  test('a program that prints a secret of ours leaves none, and is held by the best that works here', async () => {
    const { world } = await real();
    const secret = 'correct-horse-battery';
    const knowing = { ...world, redaction: createRedaction([secret]) };
    expect(await call(knowing, ['/bin/sh', '-c', `echo "the word is ${secret}"`])).toEqual({ outcome: 'ok', data: null });
    const texts = [pathsOf(world.folder).log(1), pathsOf(world.folder).result('u')].map((path) => readFileSync(path, 'utf8'));
    for (const text of texts) expect(text).toContain(`the word is ${'*'.repeat(secret.length)}`);
  });

  test('a program needs no PATH of ours', async () => {
    const { world } = await real();
    const poor = { ...world, host: { ...world.host, env: {} } };
    expect(await call(poor, ['/bin/sh', '-c', 'echo here'])).toEqual({ outcome: 'ok', data: null });
  });

  test('a branch that is gone has no tip, and was moved on', async () => {
    const { world, tip } = await real();
    const from = await tip();
    rmSync(join(world.folder, 'repository.git', BRANCH));
    expect((await gatherToy({ units: {} }, world)).tip).toBe('');
    const step = { kind: 'move', key: 'k', input: { unit: 'u', from, to: from }, sequence: 1, epoch: 1 } as const;
    const context = { world, signal: new AbortController().signal, stopping: new AbortController().signal };
    expect(await toyHandlers.move.reconcile(step, context)).toMatchObject({ code: 'moved-on', message: 'the branch holds nothing by now' });
  });
});
