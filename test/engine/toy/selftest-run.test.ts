import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readStepLog } from '../../../src/engine/log.ts';
import { toyEndState } from '../../../src/engine/toy/end-state.ts';
import { TOY_SCENARIOS } from '../../../src/engine/toy/scenarios.ts';
import { openWorkplace, prepareToy, runToy } from '../../../src/engine/toy/workplace.ts';
import { pathsOf, readJson } from '../../../src/engine/toy/world.ts';
import { endLeftovers } from '../../../src/kernel/process/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const program = bundledProgram(join(import.meta.dirname, '../../../src/engine/toy/selftest-run.ts'));
const folder = tempFolder();
const marker = (): string => `toy-program-${randomUUID()}`;
const scenario = (name: string) => TOY_SCENARIOS.find((each) => each.name === name)!;

async function worked(name: string) {
  const place = { folder: folder.path, marker: marker() };
  await prepareToy(place, scenario(name));
  const world = await openWorkplace(place);
  const ending = await runToy(world, scenario(name));
  const inOrder = scenario(name).maxInFlight === 1;
  return { world, ending, state: await toyEndState(world, { inOrder }), again: () => runToy(world, scenario(name)), inOrder };
}

// Each calls git some twenty times a unit.
describe('the toy at work', { timeout: 120_000 }, () => {
  test('one unit, from the work file to the branch', async () => {
    const { ending, state } = await worked('one unit');
    expect(ending).toEqual({ is: 'done' });
    expect(state).toMatchObject({
      history: ['Add alpha', 'Begin'],
      files: { claims: { alpha: 'alpha\n' }, marks: { alpha: 'done\n' }, results: { alpha: '{"attempt":1,"output":"alpha\\n"}' } },
      status: { run: { is: 'done' }, units: { alpha: 'finished' } },
      sessions: [],
      journal: {
        settled: ['claim alpha: ok', 'commit alpha: ok', 'finish alpha: ok', 'move alpha: ok', 'run alpha#1: ok'],
        standing: { is: 'done' },
        open: [],
      },
      replay: true,
    });
  });

  test('a person who commits in between keeps the commit', async () => {
    const { state, world } = await worked('a person commits too');
    expect(state).toMatchObject({ history: ['Add beta', 'Add alpha', 'Go on', 'Begin'], replay: true });
    const receipts = (await readStepLog(join(world.folder, 'run/steps.jsonl'))).filter(({ type }) => type === 'receipt');
    expect(receipts).toContainEqual(expect.objectContaining({ receipt: expect.objectContaining({ code: 'moved-on' }) }));
  });

  test('two in flight, one after the other onto the branch; and a run that is done stays so', async () => {
    const { state, again, world, inOrder } = await worked('two in flight');
    expect(state).toMatchObject({ history: ['Add alpha', 'Add beta', 'Add gamma', 'Begin'] });
    expect(await again()).toEqual({ is: 'done' });
    expect(await toyEndState(world, { inOrder })).toEqual(state);
  });

  test('what is left of it where the branch is gone tells so', async () => {
    const { world, inOrder, state } = await worked('one unit');
    rmSync(join(world.folder, 'repository.git/refs/heads/main'));
    expect(await toyEndState(world, { inOrder })).toEqual({ ...(state as object), tree: undefined, history: [] });
  });

  test('a broken file is named', async () => {
    writeFileSync(folder.at('work.json'), '[');
    expect(() => readJson(pathsOf(folder.path).work)).toThrow(expect.objectContaining({ code: 'toy-file-broken', message: expect.stringContaining('work.json') }));
  });
});

// Each starts the program a few times.
describe('the program of the self-test', { timeout: 120_000 }, () => {
  const run = (...words: readonly string[]) => runNode(program.file, words);

  test('takes over from a holder that died in the middle of a program, and ends that program', async () => {
    mkdirSync(folder.at('work'));
    const mark = marker();
    const words = ['a takeover', folder.at('work'), mark];
    expect((await run('prepare', ...words)).code).toBe(null);
    expect((await run('run', ...words, folder.at('end'))).stderr).toBe('');
    expect(JSON.parse(readFileSync(folder.at('end'), 'utf8'))).toMatchObject({ history: ['Add beta', 'Add alpha', 'Begin'], sessions: [] });
    expect(await endLeftovers({ marker: mark }, { graceMs: 0 })).toMatchObject({ found: 'ended' });
  });

  test('knows no other scenario', async () => {
    const { code, stderr } = await run('run', 'nothing', folder.path, 'x', folder.at('end'));
    expect(code).toBe(1);
    expect(stderr).toContain('there is no scenario "nothing"');
  });
});
