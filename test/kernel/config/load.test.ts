import { describe, expect, test } from 'vitest';
import { DROVER_KEYS } from '../../../src/desk/settings/index.ts';
import { formatOrigin, type ConfigKey } from '../../../src/kernel/config/index.ts';
import { given, type Situation } from './support.ts';

/** What a key is in the end, and where from. */
async function outcome(situation: Situation, key: ConfigKey<unknown>): Promise<readonly unknown[]> {
  const config = await situation.load();
  const setting = (await config.settings()).find(({ name }) => name === key.name);
  const places = { [situation.userFile]: 'USER', [situation.projectFile]: 'PROJECT' };
  const told = (text: string): string => Object.entries(places).reduce((all, [from, to]) => all.replaceAll(from, to), text);
  return [setting?.value, (setting?.origins ?? []).map((origin) => told(formatOrigin(origin)))];
}

const { processContainment, redactExtra, redactExcept, notifyDesktop, notifyFile, notifyWebhookUrl } = DROVER_KEYS;

describe('layers', () => {
  test('without any file every key has its default', async () => {
    const config = await given().load();
    expect(config.get(processContainment)).toBe('best');
    expect(config.get(notifyFile)).toBeUndefined();
    expect(config.files).toEqual([]);
    expect(await config.warnings()).toEqual([]);
    const settings = await config.settings();
    expect(settings.map(({ name }) => name)).toEqual(Object.values(DROVER_KEYS).map(({ name }) => name));
    expect(new Set(settings.flatMap(({ origins }) => origins.map(formatOrigin)))).toEqual(new Set(['default']));
  });

  test('later ones win: file, variable, option', async () => {
    const user = '# mine\n[notify]\nfile = "/one"\n';
    const environment = { DROVER_NOTIFY_FILE: '/two' };
    const flags = [{ name: 'notify.file', text: '/three', flag: '--set notify.file' }];
    expect(await outcome(given({ user }), notifyFile)).toEqual(['/one', ['USER:3']]);
    expect(await outcome(given({ user, environment }), notifyFile)).toEqual(['/two', ['DROVER_NOTIFY_FILE']]);
    expect(await outcome(given({ user, environment, flags }), notifyFile)).toEqual(['/three', ['--set notify.file']]);
  });

  test('of two options the last counts, and an empty variable is none', async () => {
    const flags = ['/a', '/b'].map((text) => ({ name: 'notify.file', text, flag: '--set' }));
    expect((await given({ flags }).load()).get(notifyFile)).toBe('/b');
    expect(await outcome(given({ environment: { DROVER_NOTIFY_FILE: '' } }), notifyFile)).toEqual([undefined, ['default']]);
  });

  test('the files that were found are named', async () => {
    const situation = given({ user: '', project: '# nothing\n' });
    expect((await situation.load()).files).toEqual([
      { layer: 'user', file: situation.userFile },
      { layer: 'project', file: situation.projectFile },
    ]);
  });

  test('without a project only the user speaks', async () => {
    const situation = given({ project: 'broken', projectRoot: undefined });
    expect((await situation.load()).files).toEqual([]);
  });
});

describe('where a value is written', () => {
  test.each([
    ['redact.extra = ["A"]\n', 1],
    ['\n\n[redact]\n# why\nextra = ["A"]\n', 5],
    ['redact = { except = [], extra = ["A"] }\n', 1],
    ['[ "redact" ]\r\n\r\n"extra" = [\r\n "A",\r\n]\r\n', 3],
    ['\ufeffredact.\'extra\' = ["A"]', 1],
  ])('%j', async (user, line) => {
    expect(await outcome(given({ user }), redactExtra)).toEqual([['A'], [`USER:${line}`]]);
  });
});

describe('a project narrows', () => {
  const containment = (value: string): string => `[process]\ncontainment = "${value}"\n`;

  test.each([
    ['full', 'full', ['PROJECT:2']],
    ['best', 'best', ['PROJECT:2']],
  ])('nothing of the user, %s of the project', async (asked, value, origins) => {
    expect(await outcome(given({ project: containment(asked) }), processContainment)).toEqual([value, origins]);
  });

  test.each([
    ['partial', 'best', 'best', 'PROJECT:2'],
    ['best', 'full', 'full', 'PROJECT:2'],
    ['full', 'best', 'full', 'USER:2'],
    ['best', 'partial', 'best', 'USER:2'],
  ])('%s of the user, %s of the project: %s', async (own, asked, value, origin) => {
    const situation = given({ user: containment(own), project: containment(asked) });
    expect(await outcome(situation, processContainment)).toEqual([value, [origin]]);
    expect(await (await situation.load()).warnings()).toHaveLength(origin === 'USER:2' ? 1 : 0);
  });

  test('what it asks for in vain is told with its place and the one that stands', async () => {
    const situation = given({ user: containment('full'), project: containment('partial') });
    const { userFile, projectFile } = situation;
    expect(await (await situation.load()).warnings()).toEqual([
      `${projectFile}:2:1: process.containment = "partial" has no effect: a project's file may only narrow it (${userFile}:2)`,
    ]);
    const alone = given({ project: containment('partial') });
    expect(await (await alone.load()).warnings()).toEqual([
      `${alone.projectFile}:2:1: process.containment = "partial" has no effect: a project's file may only narrow it (default)`,
    ]);
  });

  test('masks are added, and what must not be added to is taken from the user alone', async () => {
    const both = given({ user: 'redact.extra = ["A", "B"]', project: 'redact.extra = ["B", "C"]' });
    expect(await outcome(both, redactExtra)).toEqual([['A', 'B', 'C'], ['USER:1', 'PROJECT:1']]);
    expect(await outcome(given({ project: 'redact.extra = ["C"]' }), redactExtra)).toEqual([['C'], ['PROJECT:1']]);
    expect(await outcome(given({ user: 'redact.except = ["A"]' }), redactExcept)).toEqual([['A'], ['USER:1']]);
  });

  test.each([
    [true, false, false],
    [false, true, false],
    [true, true, true],
  ])('desktop notices: %s and %s give %s', async (own, asked, value) => {
    const situation = given({ user: `notify.desktop = ${own}`, project: `notify.desktop = ${asked}` });
    expect((await situation.load()).get(notifyDesktop)).toBe(value);
  });

  test('a variable of the user has the last word', async () => {
    const environment = { DROVER_PROCESS_CONTAINMENT: 'partial' };
    expect(await outcome(given({ project: containment('full'), environment }), processContainment)).toEqual([
      'partial',
      ['DROVER_PROCESS_CONTAINMENT'],
    ]);
  });
});

test('an address that may hold a token is shown without it', async () => {
  const situation = given({ user: 'notify.webhook.url = "https://hooks.example.com/T0/secret?key=1"' });
  expect(await outcome(situation, notifyWebhookUrl)).toEqual(['https://hooks.example.com/***', ['USER:1']]);
  expect((await situation.load()).get(notifyWebhookUrl)).toBe('https://hooks.example.com/T0/secret?key=1');
});

test('a variable that looks like a misspelt key is told, others are not', async () => {
  const environment = { DROVER_NOTIFY_DEKSTOP: 'true', DROVER_RUN: 'x', DROVER_DEBUG: '1', DROVER_SOMETHING_ELSE: '1' };
  expect(await (await given({ environment }).load()).warnings()).toEqual([
    'DROVER_NOTIFY_DEKSTOP has no effect; did you mean "DROVER_NOTIFY_DESKTOP"?',
  ]);
});
