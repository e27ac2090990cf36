// Each calls git some twenty times a unit.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { TOY_SCENARIOS } from '../../../src/engine/toy/scenarios.ts';
import { selftestToy } from '../../../src/engine/toy/selftest.ts';
import { openWorkplace } from '../../../src/engine/toy/workplace.ts';
import { gatherToy, pathsOf } from '../../../src/engine/toy/world.ts';
import { endLeftovers } from '../../../src/kernel/process/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const marker = `toy-selftest-${process.pid}`;
const unexpected = (): void => expect.fail('nobody was to die');
const jsonAt = (name: string): unknown => JSON.parse(readFileSync(folder.at(name), 'utf8'));

/** As the self-test calls it. */
function call(mode: string, scenario: string, die = unexpected): Promise<void> {
  return selftestToy([mode, scenario, folder.at('work'), marker, folder.at('end')], die);
}

describe('the self-test of the toy', () => {
  test('lists its scenarios, and how each is prepared', async () => {
    await selftestToy(['list', folder.at('list')], unexpected);
    const prepared = (name: string) => ({ name, prepared: name === 'a takeover' ? 'each' : 'once' });
    expect(jsonAt('list')).toEqual(TOY_SCENARIOS.map(({ name }) => prepared(name)));
  });

  test('knows no other scenario, and none without a name', async () => {
    await expect(call('run', 'nothing')).rejects.toThrow('there is no scenario "nothing"');
    await expect(selftestToy([], unexpected)).rejects.toThrow('there is no scenario ""');
    expect(existsSync(folder.at('work'))).toBe(false);
  });

  test('prepares a scenario, and runs it', async () => {
    mkdirSync(folder.at('work'));
    await call('prepare', 'one unit');
    await call('run', 'one unit');
    expect(jsonAt('end')).toMatchObject({ history: ['Add alpha', 'Begin'], replay: true });
  });

  test('is told when its first program runs, and may be ended there', async () => {
    mkdirSync(folder.at('work'));
    const deaths: unknown[] = [];
    // A program that is ended from outside has failed; the second attempt comes to an end.
    const record = pathsOf(folder.at('work')).session('alpha');
    await call('prepare', 'a takeover', () => void deaths.push(endLeftovers({ record }, { graceMs: 0 })));
    expect(await Promise.all(deaths)).toMatchObject([{ left: [] }]);
    await call('run', 'a takeover');
    expect(jsonAt('end')).toMatchObject({ history: ['Add beta', 'Add alpha', 'Begin'], sessions: [], replay: true });
  });

  test('sees when space is short', async () => {
    mkdirSync(folder.at('work'));
    await call('prepare', 'one unit');
    const world = await openWorkplace({ folder: folder.at('work'), marker });
    const seen = async (reserveBytes: number) => (await gatherToy({ units: {} }, { ...world, reserveBytes })).shortage;
    expect(await seen(0)).toBeUndefined();
    expect(await seen(Number.MAX_SAFE_INTEGER)).toMatch(/^disk-reserve: /);
  });
});
